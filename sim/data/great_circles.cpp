#include "sim/data/great_circles.hpp"

#include <cmath>
#include <numbers>

#include "sim/data/choose.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr double earth_radius = 6371.0088;  // km
constexpr double degree = std::numbers::pi / 180;

double squared(double value) {
  return value * value;
}

void check_degrees(const Table& table, const Column& column, const std::vector<std::size_t>& rows, double most) {
  for (const std::size_t row : rows)
    if (const double value = column.numbers[row]; !(std::abs(value) <= most))
      throw row_error(table, row,
                      "column " + shown(column.name) + ": " + number_text(value) + " is not a " +
                          (most == 90 ? "latitude" : "longitude") + " in degrees");
}

}  // namespace

double great_circle(double latitude, double longitude, double other_latitude, double other_longitude) {
  const double half = degree / 2, across = half * (longitude - other_longitude);
  const double circles = std::cos(degree * latitude) * std::cos(degree * other_latitude);
  const double near = squared(std::sin(half * (latitude - other_latitude))) + circles * squared(std::sin(across));
  const double far = squared(std::sin(half * (latitude + other_latitude))) + circles * squared(std::cos(across));
  return 2 * earth_radius * std::atan2(std::sqrt(near), std::sqrt(far));
}

GreatCircles::GreatCircles(const Table& table, const Column& latitude, const Column& longitude,
                           const std::vector<std::size_t>& rows) {
  check_degrees(table, latitude, rows, 90);
  check_degrees(table, longitude, rows, 360);
  for (const std::size_t row : rows) {
    latitude_.push_back(latitude.numbers[row]);
    longitude_.push_back(longitude.numbers[row]);
  }
}

void GreatCircles::row(std::size_t from, std::span<float> distances) const {
  for (std::size_t j = 0; j < points(); ++j)
    distances[j] =
        j == from ? 0.0f
                  : static_cast<float>(great_circle(latitude_[from], longitude_[from], latitude_[j], longitude_[j]));
}

}  // namespace kinescope::sim
