// JPEG, by libjpeg-turbo.
#include <csetjmp>
#include <cstdio>  // jpeglib.h takes FILE from it
#include <jerror.h>
#include <jpeglib.h>
#include <span>

#include "sim/data/readers/pictures/picture_file.hpp"

namespace kinescope::sim {
namespace {

// The library ends a decoding by a jump out of its functions. What has a destructor is therefore kept in this class,
// and only the library's own frames are left by a jump.
class Jpeg {
 public:
  explicit Jpeg(const PictureFile& file) : file_(file) {
    state_.err = jpeg_std_error(&errors_);
    state_.client_data = this;
    errors_.error_exit = [](j_common_ptr state) { self(state).leave(state->err->msg_code); };
    errors_.emit_message = [](j_common_ptr state, int level) { self(state).warn(level); };
    errors_.output_message = [](j_common_ptr) {};
    watch_.progress_monitor = [](j_common_ptr state) { self(state).watch(); };
  }
  ~Jpeg() { jpeg_destroy_decompress(&state_); }
  Jpeg(const Jpeg&) = delete;
  Jpeg& operator=(const Jpeg&) = delete;

  DecodedPicture decode() {
    run([](Jpeg& self) { self.read_header(); });
    // A block of 64 pixels takes at least one bit; colour components may have a quarter of the pixels.
    file_.check_size(state_.image_width, state_.image_height, 512 * file_.bytes.size());
    picture_.width = state_.image_width, picture_.height = state_.image_height;
    const bool is_ink = state_.num_components == 4;
    if (state_.num_components != 1 && state_.num_components != 3 && !is_ink)
      throw file_.refused("JPEG pictures of " + std::to_string(state_.num_components) + " colours");
    for (jpeg_saved_marker_ptr marker = state_.marker_list; marker; marker = marker->next)
      take_exif({reinterpret_cast<const char*>(marker->data), marker->data_length});
    picture_.allocate(file_);
    if (is_ink) {
      ink_.resize(4 * picture_.width);
      picture_.remarks.emplace_back("its four inks were turned into r, g, b without a colour profile");
    }
    run([](Jpeg& self) { self.read_rows(); });
    for (int c = 0; c < state_.num_components; ++c)
      if (!has_data_[c]) throw file_.damaged("one of its colours is missing");
    if (has_other_bytes_)
      picture_.remarks.emplace_back("the file has bytes that belong to no part of the picture; it may be damaged");
    if (lacks_scans_)
      picture_.remarks.emplace_back(
          "scans with its details are missing; it may be damaged, and the pixels are blurred");
    return std::move(picture_);
  }

 private:
  static Jpeg& self(j_common_ptr state) { return *static_cast<Jpeg*>(state->client_data); }

  // Throws what the library, or watch(), left with.
  void run(void (*step)(Jpeg&)) {
    if (setjmp(begin_) == 0) {
      step(*this);
      return;
    }
    if (cancelled_) throw Cancelled{};
    switch (left_with_) {
      case too_many_scans:
        throw file_.damaged("it has more scans than a picture needs");
      case JERR_OUT_OF_MEMORY:
        throw run_error(file_.path + ": out of memory for the picture");
      case JERR_BAD_PRECISION:
        throw file_.refused("JPEG pictures of other than 8 bits");
      case JERR_SOF_UNSUPPORTED:
        throw file_.refused("lossless and hierarchical JPEG pictures");
      case JWRN_JPEG_EOF:
      case JERR_INPUT_EOF:
        throw file_.cut_off();
      default: {
        char text[JMSG_LENGTH_MAX] = "";
        errors_.format_message(reinterpret_cast<j_common_ptr>(&state_), text);
        throw file_.damaged(text);
      }
    }
  }

  [[noreturn]] void leave(int code) {
    left_with_ = code;
    std::longjmp(begin_, 1);
  }

  // After these warnings the library goes on with pixels that are not in the file, so they are errors here.
  void warn(int level) {
    if (level >= 0) return;
    const int code = errors_.msg_code;
    if (code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR) return;
    if (code == JWRN_EXTRANEOUS_DATA)
      has_other_bytes_ = true;
    else
      leave(code);
  }

  // Encoders make about ten scans; each covers the whole picture.
  void watch() {
    cancelled_ = file_.progress && file_.progress->cancelled;
    const std::uint64_t scans = static_cast<std::uint64_t>(state_.input_scan_number);
    const std::uint64_t pixels = std::uint64_t{state_.image_width} * state_.image_height;
    if (cancelled_ || scans > 500 || (scans > 32 && scans * pixels > std::uint64_t{1} << 31)) leave(too_many_scans);
  }

  void read_header() {
    jpeg_create_decompress(&state_);
    state_.progress = &watch_;
    const auto* data = reinterpret_cast<const unsigned char*>(file_.bytes.data());
    jpeg_mem_src(&state_, data, static_cast<unsigned long>(file_.bytes.size()));
    jpeg_save_markers(&state_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&state_, TRUE);
  }

  void take_exif(std::string_view data) {
    constexpr std::string_view name("Exif\0\0", 6);
    if (data.starts_with(name)) take_orientation(data.substr(name.size()), picture_);
  }

  void read_rows() {
    state_.out_color_space = state_.num_components == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&state_);
    while (state_.output_scanline < state_.output_height) {
      const std::size_t y = state_.output_scanline;
      JSAMPROW row = ink_.empty() ? picture_.row(y) : ink_.data();
      jpeg_read_scanlines(&state_, &row, 1);
      if (!ink_.empty()) ink_to_colour(picture_.row(y));
      if (file_.progress && y % 256 == 0)
        file_.progress->fraction = static_cast<float>(y) / static_cast<float>(state_.output_height);
    }
    // The library sets them with a component's first data.
    for (int c = 0; c < state_.num_components; ++c) has_data_[c] = state_.comp_info[c].quant_table != nullptr;
    // Progressive scans refine the coefficients until none of their bits is missing. Where some are, the library
    // smooths the picture.
    for (int c = 0; state_.coef_bits && c < state_.num_components; ++c)
      for (const int missing : std::span(state_.coef_bits[c], DCTSIZE2)) lacks_scans_ = lacks_scans_ || missing != 0;
    jpeg_finish_decompress(&state_);
  }

  // Adobe's programs, which mark what they write, store 255 − ink.
  void ink_to_colour(std::uint8_t* to) const {
    const std::uint8_t inverted = state_.saw_Adobe_marker ? 0 : 255;
    for (std::size_t x = 0; x < picture_.width; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const unsigned light = ink_[4 * x + c] ^ inverted, black = ink_[4 * x + 3] ^ inverted;
        *to++ = static_cast<std::uint8_t>((light * black + 127) / 255);
      }
  }

  static constexpr int too_many_scans = -1;

  const PictureFile& file_;
  jpeg_decompress_struct state_{};
  jpeg_error_mgr errors_{};
  jpeg_progress_mgr watch_{};
  std::jmp_buf begin_{};
  int left_with_ = 0;
  bool cancelled_ = false, has_other_bytes_ = false, lacks_scans_ = false, has_data_[4] = {};
  std::vector<std::uint8_t> ink_;  // a row of c, m, y, k
  DecodedPicture picture_;
};

}  // namespace

DecodedPicture decode_jpeg(const PictureFile& file) {
  return Jpeg(file).decode();
}

}  // namespace kinescope::sim
