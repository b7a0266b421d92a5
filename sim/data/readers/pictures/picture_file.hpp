// A picture's file in memory, and what the decoders of PNG, JPEG, BMP and TGA make of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"

namespace kinescope::sim {

// The file's bytes by index; an index past the end is an Error (input).
struct PictureFile {
  const std::string& path;
  std::string_view bytes;
  LoadProgress* progress = nullptr;

  std::string_view part(std::uint64_t at, std::uint64_t size) const;
  std::uint32_t byte(std::uint64_t at) const { return static_cast<unsigned char>(part(at, 1)[0]); }
  std::uint32_t big32(std::uint64_t at) const {
    return byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
  }
  std::uint32_t little16(std::uint64_t at) const { return byte(at) | byte(at + 1) << 8; }
  std::uint32_t little32(std::uint64_t at) const { return little16(at) | little16(at + 2) << 16; }

  Error damaged(const std::string& what) const { return file_error(path, "a damaged picture: " + what); }
  Error cut_off() const { return file_error(path, "the picture is cut off"); }
  Error refused(const std::string& what) const { return file_error(path, what + " are not supported"); }

  // Throws Error (input) for a size that is 0, beyond the limits, or more than `most` pixels, which is what the file's
  // bytes can hold at best.
  void check_size(std::uint64_t width, std::uint64_t height, std::uint64_t most) const;
  // Throws Error (run) if there is no memory for decoding so many pixels and for what is made of them.
  void check_memory(std::uint64_t pixels) const;
  // Tells that `done` of `all` rows are decoded. Throws Cancelled.
  void tell(std::size_t done, std::size_t all) const { tell_progress(progress, done, all); }
};

struct DecodedPicture {
  std::size_t width = 0, height = 0, channels = 3;  // as stored; 3: r, g, b, 4: and the opacity
  int bits = 8;                                     // of a channel, 8 or 16
  // [height × width × channels], row by row as they are stored, each of one byte or of two in the machine's order.
  std::vector<std::uint8_t> samples;
  // How they are to be shown, as EXIF numbers it: 1 as stored, 2 mirrored, 3 turned by 180°, 4 upside down, 5 … 8 with
  // rows and columns exchanged.
  int orientation = 1;
  bool turned_by_exif = false;
  std::vector<std::string> remarks;  // for the table

  // Clears `samples`, once all of the above are set.
  void allocate(const PictureFile& file) {
    file.check_memory(width * height);
    samples.assign(height * row_bytes(), 0);
  }
  std::size_t row_bytes() const { return width * channels * static_cast<std::size_t>(bits / 8); }
  std::uint8_t* row(std::size_t y) { return samples.data() + y * row_bytes(); }
};

// Each throws Error (input) if the file is damaged, cut off, or of a kind that it names; Cancelled. O(pixels).
DecodedPicture decode_png(const PictureFile& file);
DecodedPicture decode_jpeg(const PictureFile& file);
DecodedPicture decode_bmp(const PictureFile& file);
DecodedPicture decode_tga(const PictureFile& file);

// Takes the orientation from EXIF data (a TIFF header and its directories), if they state one.
void take_orientation(std::string_view exif, DecodedPicture& picture);

// An opacity of 0 everywhere means that the writer left it unset: then all pixels are opaque.
void opaque_if_unset(DecodedPicture& picture);

}  // namespace kinescope::sim
