// The header of a NumPy `.npy` file: what its bytes mean and where they begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

struct NpyLayout {
  char kind = 'f';  // 'b' boolean, 'i' signed, 'u' unsigned, 'f' floating
  std::size_t value_bytes = 4;
  bool swapped = false;  // the byte order is not this machine's
  bool fortran = false;
  std::size_t rows = 0, columns = 0;
  std::uint64_t begin = 0;  // where the values begin in the file

  std::uint64_t bytes() const { return std::uint64_t{rows} * columns * value_bytes; }
  std::string stated() const {
    return "the " + std::to_string(rows) + " × " + std::to_string(columns) + " values that its header states";
  }
};

// Reads the header. `stays`: the values stay in the file, so that memory sets no limit. Throws Error (input) for a
// type or shape that is not read, and for a plain file that is shorter than its header claims.
NpyLayout read_npy_layout(InputFile& file, bool stays = false);

// The sizes of an array of any type. Throws Error (input) if the file is no NumPy array.
std::vector<std::uint64_t> read_npy_shape(InputFile& file);

double from_half(std::uint16_t half);  // float16 (IEEE 754 binary16)

using NpyDecode = double (*)(const char* bytes, bool swapped);
NpyDecode npy_decoder(const NpyLayout& layout);  // reads one value
// Reads `count` values, each `step` bytes behind the one before.
template <class Number>
void npy_decode(const NpyLayout& layout, const char* at, std::size_t step, std::size_t count, Number* to);
// The digits of a value of 8 bytes if it is a whole number that double does not hold; "" for others.
std::string npy_digits(const NpyLayout& layout, const char* bytes);

}  // namespace kinescope::sim
