// Decimal numbers in text, as nearly all cells of tables have them, read without a library call.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kinescope::sim {

namespace decimal {

template <std::uint64_t base, std::size_t count>
constexpr std::array<std::uint64_t, count> powers_of() {
  std::array<std::uint64_t, count> powers = {1};
  for (std::size_t i = 1; i < count; ++i) powers[i] = base * powers[i - 1];
  return powers;
}
inline constexpr auto powers_of_ten = powers_of<10, 20>();  // all that 64 bits hold
inline constexpr auto powers_of_five = powers_of<5, 28>();  // likewise

// The number of the digits that begin at `at`, behind those of `number`, modulo 2^64. `at` becomes their end. Eight at
// a time (D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51, 2021).
inline std::uint64_t read_digits(const char*& at, const char* end, std::uint64_t number) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t each = 0x0101010101010101;
  while (end - at >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    word ^= '0' * each;  // digits are 0 … 9 now, other bytes are more
    const std::uint64_t others = (((word & (0x7F * each)) + (0x7F - 9) * each) | word) & (0x80 * each);
    const int count = std::countr_zero(others) / 8;
    if (count == 0) return number;
    word <<= 64 - 8 * count;  // zeros in front
    word = word * 10 + (word >> 8);
    word = ((word & 0x000000FF000000FF) * (100 + (1000000ULL << 32)) +
            ((word >> 16) & 0x000000FF000000FF) * (1 + (10000ULL << 32))) >>
           32;
    number = number * powers_of_ten[static_cast<std::size_t>(count)] + word;
    at += count;
    if (count < 8) return number;
  }
  for (; at < end && static_cast<unsigned char>(*at - '0') < 10; ++at)
    number = 10 * number + static_cast<std::uint64_t>(*at - '0');
  return number;
}

// The double nearest to digits / 10^places, for places ≤ 27 and digits > 0. One long division of 64 bits gives a
// quotient of at least 62; the remainder decides what its bits leave open, because it is kept in the last of them.
inline double divided(std::uint64_t digits, std::size_t places) {
  const std::uint64_t divisor = powers_of_five[places];
  const int up = std::countl_zero(digits), down = std::countl_zero(divisor);
  const unsigned __int128 numerator = static_cast<unsigned __int128>(digits << up) << 62;
  const std::uint64_t by = divisor << down, quotient = static_cast<std::uint64_t>(numerator / by);
  const bool rest = static_cast<std::uint64_t>(numerator) != quotient * by;
  const int exponent = down - up - 62 - static_cast<int>(places);
  return static_cast<double>(static_cast<std::int64_t>(quotient | static_cast<std::uint64_t>(rest))) *
         std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

// The double nearest to digits · 10^exponent, for |exponent| ≤ 27.
inline double scaled_digits(std::uint64_t digits, int exponent) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;  // double holds the whole numbers up to it
  constexpr int exact_power = 18;                          // and the powers of ten up to 10^22
  const auto places = static_cast<std::size_t>(exponent < 0 ? -exponent : exponent);
  if (digits <= exact && places <= exact_power) {
    const auto number = static_cast<double>(static_cast<std::int64_t>(digits)),
               power = static_cast<double>(static_cast<std::int64_t>(powers_of_ten[places]));
    return exponent < 0 ? number / power : number * power;
  }
  if (exponent < 0) return divided(digits, places);
  return static_cast<double>(static_cast<unsigned __int128>(digits) * powers_of_five[places]) *
         static_cast<double>(std::uint64_t{1} << places);
}

}  // namespace decimal

// Reads the number that begins at `at` if it is like "-12.5" or "6.02e23": at most 19 digits without zeros in front,
// times a power of ten between −27 and 27. `value` becomes the nearest double. Returns its end, or null if there is no
// such number.
inline const char* parse_decimal(const char* at, const char* end, double& value) {
  constexpr std::ptrdiff_t most_digits = 19;  // they fit into 64 bits
  constexpr int most_places = 27;             // so do the powers of five
  const bool negative = at < end && *at == '-';
  at += negative;
  const char* const first = at;
  std::uint64_t digits = decimal::read_digits(at, end, 0);
  std::ptrdiff_t count = at - first;
  int exponent = 0;
  if (at < end && *at == '.') {
    const char* const point = ++at;
    digits = decimal::read_digits(at, end, digits);
    const std::ptrdiff_t places = at - point;
    if (places > most_places) return nullptr;
    count += places;
    exponent = -static_cast<int>(places);
  }
  if (count == 0) return nullptr;
  if (count > most_digits) {
    for (const char* zero = first; count > most_digits && (*zero == '0' || *zero == '.'); ++zero) count -= *zero == '0';
    if (count > most_digits) return nullptr;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    constexpr std::ptrdiff_t most_exponent_digits = 4;
    ++at;
    const bool down = at < end && *at == '-';
    at += down || (at < end && *at == '+');
    const char* const power = at;
    const auto number = static_cast<int>(decimal::read_digits(at, end, 0));
    if (at == power || at - power > most_exponent_digits) return nullptr;
    exponent += down ? -number : number;
    if (exponent < -most_places || exponent > most_places) return nullptr;
  }
  const double nearest = digits == 0 ? 0 : decimal::scaled_digits(digits, exponent);
  value = negative ? -nearest : nearest;
  return at;
}

}  // namespace kinescope::sim
