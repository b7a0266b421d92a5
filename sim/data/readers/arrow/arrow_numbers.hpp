// Numbers in Apache Arrow's arrays, of every type that has numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/data/readers/arrow/arrow_c.hpp"

namespace kinescope::sim {

// Rows of an array, by their places in its buffers.
struct ArrowRows {
  const ArrowArray* array;
  std::int64_t begin;  // with the array's own offset
  std::size_t count;
  const std::vector<char>* outer = nullptr;  // whether the structure around each of them is there; null: all are

  bool has(std::size_t i) const {
    if (outer && !(*outer)[i]) return false;
    const auto* bits = array->n_buffers > 0 ? static_cast<const std::uint8_t*>(array->buffers[0]) : nullptr;
    const auto at = static_cast<std::uint64_t>(begin) + i;
    return !bits || (bits[at / 8] >> (at % 8) & 1);
  }
  bool has_all() const { return !outer && (array->null_count == 0 || array->n_buffers == 0 || !array->buffers[0]); }
  template <class T>
  const T* buffer(int which) const {
    return static_cast<const T*>(array->buffers[which]) + begin;
  }
};

// The rows of a child of a structure, a list or a dictionary; `begin` is counted without the child's own offset.
inline ArrowRows rows_of(const ArrowArray& child, std::int64_t begin, std::size_t count) {
  return {&child, child.offset + begin, count};
}

enum class ArrowNumber : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64, boolean, decimal, none };

struct ArrowNumberType {
  ArrowNumber kind;
  double unit = 1;           // a number's worth: 1e-3 for milliseconds
  std::size_t bytes = 0;     // of a decimal
  int scale = 0;             // a decimal's digits after its point
  bool in_seconds = false;   // a duration or a time of day
  bool fits_float() const {  // float32 holds all its values
    using enum ArrowNumber;
    return unit == 1 && (kind <= u16 || kind == f16 || kind == f32 || kind == boolean || kind == none);
  }
};

// The type of numbers that a format string names; nullopt for other types.
std::optional<ArrowNumberType> arrow_number_type(std::string_view format);

// The rows' numbers, NaN where missing, into `to`. For float32 the type must fit. O(rows).
void arrow_numbers(const ArrowNumberType& type, const ArrowRows& rows, float* to);
void arrow_numbers(const ArrowNumberType& type, const ArrowRows& rows, double* to);

// The digits of a whole number that double does not hold; "" for others and for missing ones.
std::string arrow_digits(const ArrowNumberType& type, const ArrowRows& rows, std::size_t row);

}  // namespace kinescope::sim
