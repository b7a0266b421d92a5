#include "sim/data/readers/arrow/arrow_numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/readers/number.hpp"

namespace kinescope::sim {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// The digits of a two's complement number of up to 32 bytes.
std::string decimal_digits(const std::uint8_t* bytes, std::size_t size) {
  std::array<std::uint8_t, 32> rest{};
  std::memcpy(rest.data(), bytes, size);
  const bool negative = rest[size - 1] & 0x80;
  if (negative)
    for (std::size_t i = 0, carry = 1; i < size; ++i) {
      carry += static_cast<std::uint8_t>(~rest[i]);
      rest[i] = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
  std::string digits;
  do {
    unsigned remainder = 0;
    for (std::size_t i = size; i-- > 0;) {
      remainder = remainder << 8 | rest[i];
      rest[i] = static_cast<std::uint8_t>(remainder / 10);
      remainder %= 10;
    }
    digits += static_cast<char>('0' + remainder);
  } while (std::ranges::any_of(rest, [](auto byte) { return byte != 0; }));
  if (negative) digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

const std::uint8_t* decimal_at(const ArrowNumberType& type, const ArrowRows& rows, std::size_t row) {
  return static_cast<const std::uint8_t*>(rows.array->buffers[1]) +
         (static_cast<std::size_t>(rows.begin) + row) * type.bytes;
}

// The double nearest to a decimal.
double decimal(const ArrowNumberType& type, const ArrowRows& rows, std::size_t row) {
  const std::string text = decimal_digits(decimal_at(type, rows, row), type.bytes) + "e" + std::to_string(-type.scale);
  double value = no_number;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Calls f with a function that returns the number of a row that is there.
void with_values(const ArrowNumberType& type, const ArrowRows& rows, const auto& f) {
  const auto plain = [&]<class T>(T) {
    const T* values = rows.buffer<T>(1);
    f([values](std::size_t i) { return values[i]; });
  };
  switch (type.kind) {
    case ArrowNumber::i8:  // NOLINT(bugprone-branch-clone): the types differ
      return plain(std::int8_t());
    case ArrowNumber::u8:
      return plain(std::uint8_t());
    case ArrowNumber::i16:
      return plain(std::int16_t());
    case ArrowNumber::u16:
      return plain(std::uint16_t());
    case ArrowNumber::i32:
      return plain(std::int32_t());
    case ArrowNumber::u32:
      return plain(std::uint32_t());
    case ArrowNumber::i64:
      return plain(std::int64_t());
    case ArrowNumber::u64:
      return plain(std::uint64_t());
    case ArrowNumber::f32:
      return plain(float());
    case ArrowNumber::f64:
      return plain(double());
    case ArrowNumber::f16: {
      const auto* values = rows.buffer<std::uint16_t>(1);
      return f([values](std::size_t i) { return static_cast<float>(from_half(values[i])); });
    }
    case ArrowNumber::boolean: {
      const auto* bits = static_cast<const std::uint8_t*>(rows.array->buffers[1]);
      return f([bits, begin = static_cast<std::size_t>(rows.begin)](std::size_t i) {
        return static_cast<float>(bits[(begin + i) / 8] >> ((begin + i) % 8) & 1);
      });
    }
    case ArrowNumber::decimal:
      return f([&](std::size_t i) { return decimal(type, rows, i); });
    case ArrowNumber::none:
      return f([](std::size_t) { return no_number; });
  }
}

template <class To>
void write_numbers(const ArrowNumberType& type, const ArrowRows& rows, To* to) {
  if (rows.count == 0) return;
  with_values(type, rows, [&](auto value_at) {
    for (std::size_t i = 0; i < rows.count; ++i) to[i] = static_cast<To>(value_at(i));
  });
  if (type.unit != 1)
    for (std::size_t i = 0; i < rows.count; ++i) to[i] = static_cast<To>(to[i] * type.unit);
  if (rows.has_all()) return;
  for (std::size_t i = 0; i < rows.count; ++i)
    if (!rows.has(i)) to[i] = static_cast<To>(no_number);
}

std::optional<double> unit_of(char letter) {
  switch (letter) {
    case 's':
      return 1;
    case 'm':
      return 1e-3;
    case 'u':
      return 1e-6;
    case 'n':
      return 1e-9;
    default:
      return std::nullopt;
  }
}

// "d:PRECISION,SCALE[,BITS]"
std::optional<ArrowNumberType> decimal_type(std::string_view format) {
  std::array<int, 3> numbers{0, 0, 128};
  const char* at = format.data() + 2;
  const char* const end = format.data() + format.size();
  for (int& number : numbers) {
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    at = stop;
    if (at == end) break;
    ++at;
  }
  if (numbers[2] != 32 && numbers[2] != 64 && numbers[2] != 128 && numbers[2] != 256) return std::nullopt;
  return ArrowNumberType{
      .kind = ArrowNumber::decimal, .bytes = static_cast<std::size_t>(numbers[2]) / 8, .scale = numbers[1]};
}

}  // namespace

std::optional<ArrowNumberType> arrow_number_type(std::string_view format) {
  using enum ArrowNumber;
  static constexpr std::pair<char, ArrowNumber> plain[] = {
      {'c', i8},  {'C', u8},  {'s', i16}, {'S', u16}, {'i', i32},     {'I', u32}, {'l', i64},
      {'L', u64}, {'e', f16}, {'f', f32}, {'g', f64}, {'b', boolean}, {'n', none}};
  if (format.size() == 1)
    for (const auto& [letter, kind] : plain)
      if (format.front() == letter) return ArrowNumberType{kind};
  if (format.starts_with("d:")) return decimal_type(format);
  if (format.size() == 3 && (format.starts_with("tt") || format.starts_with("tD")))
    if (const auto unit = unit_of(format[2])) {
      const bool narrow = format[1] == 't' && (format[2] == 's' || format[2] == 'm');
      return ArrowNumberType{.kind = narrow ? i32 : i64, .unit = *unit, .in_seconds = true};
    }
  return std::nullopt;
}

void arrow_numbers(const ArrowNumberType& type, const ArrowRows& rows, float* to) {
  write_numbers(type, rows, to);
}

void arrow_numbers(const ArrowNumberType& type, const ArrowRows& rows, double* to) {
  write_numbers(type, rows, to);
}

std::string arrow_digits(const ArrowNumberType& type, const ArrowRows& rows, std::size_t row) {
  if (!rows.has(row)) return "";
  std::string digits;
  if (type.kind == ArrowNumber::i64 && type.unit == 1)
    digits = std::to_string(rows.buffer<std::int64_t>(1)[row]);
  else if (type.kind == ArrowNumber::u64)
    digits = std::to_string(rows.buffer<std::uint64_t>(1)[row]);
  else if (type.kind == ArrowNumber::decimal && type.scale == 0)
    digits = decimal_digits(decimal_at(type, rows, row), type.bytes);
  if (digits.size() < 16) return "";
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return loses_digits(digits, value) ? digits : "";
}

}  // namespace kinescope::sim
