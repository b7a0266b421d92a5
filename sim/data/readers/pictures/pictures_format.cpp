// Pictures as points: PNG, JPEG, BMP and TGA.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/pictures/picture_file.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t maximum_file_bytes = std::size_t{1} << 30;

struct PictureKind {
  const char* name;
  DecodedPicture (*decode)(const PictureFile&);
};

// TGA has no signature, but few values of its header are valid.
bool is_tga(std::string_view head, const std::string& path) {
  if (!has_ending(path, ".tga") || head.size() < 18) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  const int type = at(2) & 7, bits = at(16);
  return at(1) <= 1 && at(2) <= 11 && type >= 1 && type <= 3 &&
         (bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32);
}

PictureKind picture_kind(std::string_view head, const std::string& path) {
  if (head.starts_with("\x89PNG\r\n\x1A\n")) return {"PNG", decode_png};
  if (head.starts_with("\xFF\xD8\xFF")) return {"JPEG", decode_jpeg};
  // A text may well begin with "BM", but a picture's header has zeros in it.
  if (head.starts_with("BM") && head.substr(0, 26).find('\0') != std::string_view::npos) return {"BMP", decode_bmp};
  return is_tga(head, path) ? PictureKind{"TGA", decode_tga} : PictureKind{"", nullptr};
}

std::string read_whole(InputFile& file) {
  std::string bytes;
  for (std::size_t step = 1 << 16;; step = std::min<std::size_t>(2 * step, 1 << 26)) {
    const std::size_t had = bytes.size();
    bytes.resize(had + step);
    const std::size_t got = file.read(bytes.data() + had, step);
    bytes.resize(had + got);
    if (got < step) return bytes;
    if (bytes.size() > maximum_file_bytes)
      throw file_error(file.path(), "pictures of more than 1 GiB are not supported");
  }
}

// Where the pixels of a turned picture are in the stored one: pixel x, y is stored pixel first + x · right + y · down.
struct Turn {
  std::ptrdiff_t width, height;  // turned
  std::ptrdiff_t first, right, down;
};

Turn turn_of(const DecodedPicture& picture) {
  const auto w = static_cast<std::ptrdiff_t>(picture.width), h = static_cast<std::ptrdiff_t>(picture.height);
  const std::ptrdiff_t last = w * h - 1, last_row = w * (h - 1), last_column = w - 1;
  switch (picture.orientation) {
    case 2:
      return {w, h, last_column, -1, w};
    case 3:
      return {w, h, last, -1, -w};
    case 4:
      return {w, h, last_row, 1, -w};
    case 5:
      return {h, w, 0, w, 1};
    case 6:
      return {h, w, last_row, -w, 1};
    case 7:
      return {h, w, last, -w, -1};
    case 8:
      return {h, w, last_column, w, -1};
    default:
      return {w, h, 0, 1, w};
  }
}

// The samples of a decoded picture, Sample being a byte or two.
template <class Sample>
class TurnedPicture {
 public:
  explicit TurnedPicture(const DecodedPicture& picture) : picture_(picture), turn_(turn_of(picture)) {}

  std::size_t width() const { return static_cast<std::size_t>(turn_.width); }
  std::size_t height() const { return static_cast<std::size_t>(turn_.height); }

  // Calls f(samples of the pixel) along row y.
  template <class F>
  void along(std::size_t y, F f) const {
    const std::ptrdiff_t channels = static_cast<std::ptrdiff_t>(picture_.channels), step = channels * turn_.right;
    const Sample* pixel = reinterpret_cast<const Sample*>(picture_.samples.data()) +
                          channels * (turn_.first + static_cast<std::ptrdiff_t>(y) * turn_.down);
    for (std::ptrdiff_t x = 0; x < turn_.width; ++x) f(pixel + x * step);
  }

  // The opacity of each pixel as 16 bits; null if all pixels are opaque.
  std::shared_ptr<const std::vector<std::uint16_t>> opacity() const {
    if (picture_.channels < 4) return nullptr;
    auto opacity = std::make_shared<std::vector<std::uint16_t>>(width() * height());
    std::uint16_t least = 65535;
    for (std::size_t y = 0; y < height(); ++y) {
      std::uint16_t* to = opacity->data() + y * width();
      along(y, [&](const Sample* pixel) { least = std::min(least, *to++ = sixteen_bits(pixel[3])); });
    }
    return least < 65535 ? std::move(opacity) : nullptr;
  }

  void fill(Table& table) const {
    std::vector<std::size_t> first(height() + 1);  // the table's row with which each row of pixels begins
    const std::vector<std::uint16_t>* opacity = table.picture.opacity.get();
    for (std::size_t y = 0; y < height(); ++y)
      first[y + 1] = first[y] + (opacity ? width() - transparent_in(*opacity, y) : width());
    table.rows = first.back();
    float* to[5];
    for (std::size_t c = 0; c < 5; ++c) {
      Column column{std::string(1, "xyrgb"[c])};
      to[c] = column.numbers.write_floats(table.rows).data();
      table.columns.push_back(std::move(column));
    }
    constexpr float units = sizeof(Sample) == 1 ? 1 : 257;
    in_parallel(height(), 16, [&](std::size_t y) {
      std::size_t row = first[y], x = 0;
      along(y, [&](const Sample* pixel) {
        const std::size_t here = x++;
        if (opacity && pixel[3] == 0) return;
        to[0][row] = static_cast<float>(here), to[1][row] = static_cast<float>(y);
        for (std::size_t c = 0; c < 3; ++c) to[2 + c][row] = static_cast<float>(pixel[c]) / units;
        ++row;
      });
    });
  }

 private:
  static std::uint16_t sixteen_bits(Sample sample) {
    return static_cast<std::uint16_t>(sizeof(Sample) == 1 ? sample * 257 : sample);
  }

  std::size_t transparent_in(const std::vector<std::uint16_t>& opacity, std::size_t y) const {
    const auto begin = opacity.begin() + static_cast<std::ptrdiff_t>(y * width());
    return static_cast<std::size_t>(std::count(begin, begin + turn_.width, 0));
  }

  const DecodedPicture& picture_;
  Turn turn_;
};

template <class Sample>
void make_table(const DecodedPicture& decoded, Table& table) {
  const TurnedPicture<Sample> picture(decoded);
  table.picture = {picture.width(), picture.height(), decoded.bits, picture.opacity()};
  picture.fill(table);
}

bool is_picture(const InputFile& file) {
  return picture_kind(file.head(), file.path()).decode != nullptr;
}

// A row for each pixel that is not fully transparent, from the top row down and from left to right, turned as EXIF
// says: the columns x, y, r, g, b. Colours are 0 … 255 as in the file (mostly sRGB, profiles are ignored), whatever the
// pixel's opacity, which is in Table::picture: grey pixels have three equal values, and numbers of 16 bits are divided
// by 257, so that they have fractions. Throws Error (input) if the file is damaged or cut off, has more than 2^28
// pixels or more than its bytes can hold, or is fully transparent; all but the last is checked before memory is taken
// for the pixels.
Table read_picture(const SourceFile& source) {
  const PictureKind kind = picture_kind(source.file.head(), source.path());
  const std::string bytes = read_whole(source.file);
  DecodedPicture decoded = kind.decode({source.path(), bytes, source.progress});
  Table table;
  decoded.bits == 16 ? make_table<std::uint16_t>(decoded, table) : make_table<std::uint8_t>(decoded, table);
  const std::size_t pixels = table.picture.width * table.picture.height;
  if (table.rows == 0) throw file_error(source.path(), "all pixels of the picture are fully transparent");
  table.format = std::string(kind.name) + " picture, " + std::to_string(table.picture.width) + " x " +
                 std::to_string(table.picture.height) + " pixels" + (decoded.bits == 16 ? " of 16 bits" : "");
  table.remarks = std::move(decoded.remarks);
  if (decoded.turned_by_exif)
    table.remarks.push_back("turned as its EXIF orientation, " + std::to_string(decoded.orientation) + ", says");
  if (table.rows < pixels)
    table.remarks.push_back(count_of(pixels - table.rows, "fully transparent pixel") + " left out");
  return table;
}

}  // namespace

extern const FileFormat pictures_format = {
    .name = "PNG, JPEG, BMP and TGA pictures",
    .endings = ".png .jpg .jpeg .bmp .tga",
    .fit = [](InputFile& file) { return fit_if(is_picture(file), Fit::certain); },
    .read = read_picture};

}  // namespace kinescope::sim
