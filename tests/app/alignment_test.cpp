// Laying one layout over another.
#include "app/scenes/points/alignment.hpp"

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace kinescope::app::alignment_test {
namespace {

std::vector<float> cloud(std::size_t rows, int dimensions) {
  std::mt19937 numbers(5);
  std::normal_distribution<float> normal;
  std::vector<float> points(rows * std::size_t(dimensions));
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = normal(numbers) * (i % 2 ? 1.f : 2.5f);
  return points;
}

std::vector<float> moved(const std::vector<float>& points, int dimensions, const glm::mat4& by) {
  std::vector<float> result = points;
  for (std::size_t row = 0; row * std::size_t(dimensions) < points.size(); ++row) {
    glm::vec4 at(0, 0, 0, 1);
    for (int c = 0; c < dimensions; ++c) at[c] = points[row * std::size_t(dimensions) + std::size_t(c)];
    at = by * at;
    for (int c = 0; c < dimensions; ++c) result[row * std::size_t(dimensions) + std::size_t(c)] = at[c];
  }
  return result;
}

float farthest(const std::vector<float>& a, const std::vector<float>& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isfinite(a[i]) && std::isfinite(b[i])) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

glm::mat4 motion(bool mirrored, const glm::vec3& axis) {
  glm::mat4 by = glm::translate(glm::mat4(1), {3, -7, axis.z == 1 ? 0.f : 2.f});
  by = glm::rotate(by, 2.1f, glm::normalize(axis));
  return glm::scale(by, glm::vec3(mirrored ? -1 : 1, 1, 1));
}

TEST(Alignment, UndoesTurningMirroringAndMoving) {
  for (const bool mirrored : {false, true}) {
    const std::vector<float> plane = cloud(200, 2), space = cloud(200, 3);
    const std::vector<float> other = moved(plane, 2, motion(mirrored, {0, 0, 1})),
                             deep = moved(space, 3, motion(mirrored, {1, 2, 0.5f}));
    EXPECT_LT(farthest(moved(other, 2, alignment(other, plane, 2)), plane), 1e-4f);
    EXPECT_LT(farthest(moved(deep, 3, alignment(deep, space, 3)), space), 1e-4f);
  }
}

TEST(Alignment, RowsThatOneLayoutLacksDoNotCount) {
  const std::vector<float> points = cloud(100, 2);
  std::vector<float> other = moved(points, 2, motion(true, {0, 0, 1})), lacking = points;
  for (std::size_t row = 0; row < 100; row += 3) lacking[2 * row] = NAN;
  for (std::size_t row = 1; row < 100; row += 7) other[2 * row + 1] = INFINITY;
  EXPECT_LT(farthest(moved(other, 2, alignment(other, lacking, 2)), points), 1e-4f);
  // Layouts that differ at random are brought as near as they can be: turning or moving one a little makes it farther.
  std::vector<float> noisy = cloud(100, 2);
  for (std::size_t i = 0; i < noisy.size(); ++i) noisy[i] += points[(i * 7) % points.size()];
  const auto apart = [&](const glm::mat4& by) {
    const std::vector<float> laid = moved(noisy, 2, by);
    double sum = 0;
    for (std::size_t i = 0; i < laid.size(); ++i) sum += (laid[i] - points[i]) * (laid[i] - points[i]);
    return sum;
  };
  const glm::mat4 best = alignment(noisy, points, 2);
  EXPECT_LT(apart(best), apart(best * glm::translate(glm::mat4(1), {0.05f, 0, 0})));
  EXPECT_LT(apart(best), apart(best * glm::rotate(glm::mat4(1), 0.05f, {0, 0, 1})));
}

TEST(Alignment, ASinglePointStaysWhereItIs) {
  EXPECT_EQ(alignment(std::vector<float>{1, 2}, std::vector<float>{5, 5}, 2), glm::mat4(1));
  EXPECT_EQ(alignment({}, {}, 3), glm::mat4(1));
}

TEST(Alignment, ABoxIsCoveredAfterItWasTurned) {
  const render::Bounds box{{-1, -2, 0}, {3, 4, 0}};
  const render::Bounds turned = transformed(glm::rotate(glm::mat4(1), float(M_PI / 2), {0, 0, 1}), box);
  EXPECT_NEAR(turned.low.x, -4, 1e-5);
  EXPECT_NEAR(turned.high.x, 2, 1e-5);
  EXPECT_NEAR(turned.low.y, -1, 1e-5);
  EXPECT_NEAR(turned.high.y, 3, 1e-5);
  EXPECT_TRUE(united({}, {}).empty());
  EXPECT_EQ(united(box, {}), box);
}

}  // namespace
}  // namespace kinescope::app::alignment_test
