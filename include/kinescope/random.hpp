// Random numbers as a function of (seed, stream, index). There is no state: any thread on either processor computes the
// number it wants, and results depend neither on order nor on the number of threads.
//
// Philox4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). The
// normal numbers use only sums, products, quotients and square roots, which are all correctly rounded: the bits are the
// same on every machine.
//
//   const Random random(seed, stream);        // stream: what the numbers are for, one constant a purpose
//   random.uniform(index)                     // [0, 1)
//   random.words(index, draw)                 // four words at once; `draw` counts further blocks of the same index
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim {

// Four random words, or a counter.
struct RandomWords {
  std::uint32_t word[4];

  KINESCOPE_HD constexpr std::uint32_t operator[](int i) const { return word[i]; }
};

// The generator itself: a bijection of the counters for each key.
KINESCOPE_HD constexpr RandomWords philox4x32_10(RandomWords counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter.word[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
    counter = {
        {static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

// [0, 1) in steps of 2^-24: exact in a float, never rounded up to 1.
KINESCOPE_HD constexpr float uniform_float(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

// [0, 1) in steps of 2^-53.
KINESCOPE_HD constexpr double uniform_double(std::uint32_t high, std::uint32_t low) {
  return static_cast<double>((std::uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
}

// 0 … count − 1, each equally likely to within count · 2^-32. `count` is at least 1.
KINESCOPE_HD constexpr std::uint32_t uniform_below(std::uint32_t word, std::uint32_t count) {
  return static_cast<std::uint32_t>((std::uint64_t{word} * count) >> 32);
}

// ln x for a positive normal x, to a few units in the last place, with the same bits everywhere:
// x = 2^e · m with m near 1, and ln m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …) with s = (m − 1)/(m + 1), |s| < 0.172.
KINESCOPE_HD inline double portable_log(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  double sum = 0;
  for (int odd = 23; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
  return exponent * 0.6931471805599453 + 2 * s * sum;
}

// e^x for x ≤ 0, to a few units in the last place, with the same bits everywhere; 0 below −708. x = n ln 2 + r with
// |r| ≤ ½ ln 2, and Taylor's series of e^r.
KINESCOPE_HD inline double portable_exp(double x) {
  if (!(x > -708)) return 0;
  const double n = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = (x - n * 0.6931471803691238) - n * 1.9082149292705877e-10;
  double sum = 0;
  for (int k = 13; k >= 1; --k) sum = (1 + sum) * (r * (1.0 / k));
  const std::uint64_t power = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + 1023) << 52;
  return (1 + sum) * std::bit_cast<double>(power);
}

// Sine and cosine of an angle, with the same bits everywhere.
struct SineCosine {
  double sine, cosine;
};

// sin(π·half_turns) and cos(π·half_turns) for |half_turns| < 2^31: Taylor's series after reduction to |angle| ≤ π/4.
KINESCOPE_HD inline SineCosine portable_sincospi(double half_turns) {
  const double quarters = 2 * half_turns, nearest = std::floor(quarters + 0.5);
  const double angle = (quarters - nearest) * 1.5707963267948966, square = angle * angle;
  double sine = 0, cosine = 0;
  for (int n = 18; n >= 2; n -= 2) {
    cosine = (1 + cosine) * -square / (n * (n - 1));
    sine = (1 + sine) * -square / (n * (n + 1));
  }
  cosine += 1;
  sine = (sine + 1) * angle;
  switch (static_cast<std::int64_t>(nearest) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

struct NormalPair {
  double first, second;
};

// Two independent standard normal numbers from one block (Box and Muller). The largest magnitude is 8.6.
KINESCOPE_HD inline NormalPair normal_pair(const RandomWords& words) {
  const double radius = std::sqrt(-2 * portable_log(1 - uniform_double(words[0], words[1])));
  const SineCosine direction = portable_sincospi(2 * uniform_double(words[2], words[3]));
  return {radius * direction.cosine, radius * direction.sine};
}

class Random {
 public:
  KINESCOPE_HD constexpr Random(std::uint64_t seed, std::uint32_t stream) : seed_(seed), stream_(stream) {}

  // Different for every (seed, stream, index, draw).
  KINESCOPE_HD constexpr RandomWords words(std::uint64_t index, std::uint32_t draw = 0) const {
    const RandomWords counter{{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                               static_cast<std::uint32_t>(seed_ >> 32), draw}};
    return philox4x32_10(counter, static_cast<std::uint32_t>(seed_), stream_);
  }

  KINESCOPE_HD constexpr float uniform(std::uint64_t index, std::uint32_t draw = 0) const {
    return uniform_float(words(index, draw)[0]);
  }
  KINESCOPE_HD constexpr double uniform64(std::uint64_t index, std::uint32_t draw = 0) const {
    const RandomWords block = words(index, draw);
    return uniform_double(block[0], block[1]);
  }
  KINESCOPE_HD double normal(std::uint64_t index, std::uint32_t draw = 0) const {
    return normal_pair(words(index, draw)).first;
  }

 private:
  std::uint64_t seed_;
  std::uint32_t stream_;
};

}  // namespace kinescope::sim
