// The bounds that products of whole numbers prove (whole_products_cpu.hpp), against long double.
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

#include "sim/k_means/strips_cpu.hpp"
#include "sim/k_means/whole_products_cpu.hpp"

namespace kinescope::sim::k_means {
namespace {

using Real = long double;

// What the numbers of points and rows are drawn from.
enum class Kind { normal, one_column_counts, equal, signs, almost_zero };

float draw(Kind kind, int column, std::mt19937& random) {
  std::normal_distribution<float> values(0, 1);
  const float value = values(random);
  if (kind == Kind::one_column_counts) return column == 1 ? 1e4f * value : value;
  if (kind == Kind::equal) return 0.7f;
  if (kind == Kind::signs) return value < 0 ? -1.0f : 1.0f;
  if (kind == Kind::almost_zero) return column % 5 ? 0 : 1e-3f * value;
  return value;
}

void expect_bounds(Kind kind, int d, float points_size, float rows_size) {
  std::mt19937 random(static_cast<unsigned>(d) + 31u * static_cast<unsigned>(kind));
  std::vector<float> y(static_cast<std::size_t>(d) * strip), rows(2 * static_cast<std::size_t>(d)),
      zeros(static_cast<std::size_t>(d), 0.0f);
  for (int c = 0; c < d; ++c) {
    for (int j = 0; j < strip; ++j) y[static_cast<std::size_t>(c * strip + j)] = points_size * draw(kind, c, random);
    for (int k = 0; k < 2; ++k) rows[static_cast<std::size_t>(k * d + c)] = rows_size * draw(kind, c, random);
  }
  std::vector<float> centred(y.size());
  alignas(32) float square[strip], unit[strip];
  std::vector<std::int32_t> whole((y.size() + strip) / 2);
  centre_strip(y.data(), zeros.data(), d, centred.data(), square);
  make_whole(centred.data(), square, d, whole.data(), unit);
  WholeRows packed;
  packed.pack(rows.data(), {0, 1}, d, zeros.data());
  Leaders leaders;
  find_leaders(whole.data(), unit, d, packed, leaders);
  for (int j = 0; j < strip; ++j)
    for (int k = 0; k < 2; ++k) {
      Real product = 0, norm = 0, own = 0;
      for (int c = 0; c < d; ++c) {
        const Real a = y[static_cast<std::size_t>(c * strip + j)], z = rows[static_cast<std::size_t>(k * d + c)];
        product += a * z;
        norm += z * z;
        own += a * a;
      }
      const Real exact = norm / 2 - product, t = leaders.row[j] == k ? leaders.least[j] : leaders.second[j];
      ASSERT_LE(t, exact) << "kind " << int(kind) << ", " << d << " columns";
      const Real error =
          2.1L * std::sqrt(Real(d)) / whole_norm *
              (std::sqrt(own) * std::sqrt(norm) + 0x1p-40L * (std::sqrt(own) + std::sqrt(norm)) + 0x1p-80L) +
          1e-7L * (d + 8) * (norm + own);
      ASSERT_GE(t, exact - error) << "kind " << int(kind) << ", " << d << " columns";
    }
}

TEST(WholeProducts, ProveDistancesFromBelowAndClosely) {
  for (const Kind kind : {Kind::normal, Kind::one_column_counts, Kind::equal, Kind::signs, Kind::almost_zero})
    for (const int d : {1, 2, 24, 25, 129, 256, 257, 768, 3001})
      for (const auto& [points_size, rows_size] : {std::pair{1.0f, 1.0f},
                                                   {1.0f, 1e-3f},
                                                   {1e-9f, 1.0f},
                                                   {1e-14f, 1e-14f},
                                                   {1e-20f, 1e-20f},
                                                   {1e5f, 1e-12f},
                                                   {1e12f, 1e12f}})
        expect_bounds(kind, d, points_size, rows_size);
}

TEST(WholeProducts, ProveNothingWhereSquaresOverflow) {
  std::vector<float> rows(60, 1e19f), zeros(30, 0.0f);
  std::fill(rows.begin() + 30, rows.end(), 1.0f);
  WholeRows packed;
  packed.pack(rows.data(), {0, 1}, 30, zeros.data());
  EXPECT_EQ(packed.start(0), -std::numeric_limits<float>::infinity());
  EXPECT_GT(packed.start(1), 0);
  EXPECT_EQ(packed.start(2), std::numeric_limits<float>::infinity());  // no row
}

}  // namespace
}  // namespace kinescope::sim::k_means
