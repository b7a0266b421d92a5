#include "sim/fitzhugh_nagumo/outputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kinescope/data/write.hpp"
#include "sim/data/readers/pictures/picture.hpp"

namespace kinescope::sim::fitzhugh_nagumo {
namespace {

Column column(const char* name, std::size_t rows) {
  Column made;
  made.name = name;
  made.numbers.write_floats(rows);
  return made;
}

struct Stop {
  double v;
  std::array<double, 3> colour;  // sRGB, 0 … 255, with rising lightness
};
constexpr Stop stops[] = {{-0.4, {18, 32, 98}},   {0, {58, 75, 107}},      {0.25, {112, 113, 115}},
                          {0.5, {148, 142, 119}}, {0.75, {203, 186, 105}}, {1, {255, 234, 70}}};

std::array<std::uint8_t, 3> colour_of(double v) {
  if (!(v > stops[0].v)) v = stops[0].v;
  std::size_t k = 1;
  while (k + 1 < std::size(stops) && v > stops[k].v) ++k;
  const double share = std::clamp((v - stops[k - 1].v) / (stops[k].v - stops[k - 1].v), 0.0, 1.0);
  std::array<std::uint8_t, 3> colour;
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(
        std::lround(stops[k - 1].colour[c] + share * (stops[k].colour[c] - stops[k - 1].colour[c])));
  return colour;
}

}  // namespace

Table table_of(const std::vector<double>& v, const std::vector<double>& w, int dimensions, std::int64_t nodes,
               double dx) {
  Table table;
  table.rows = v.size();
  for (const char* name : {"x", "y", "v", "w"})
    if (dimensions == 2 || *name != 'y') table.columns.push_back(column(name, v.size()));
  const std::size_t last = table.columns.size() - 1;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto node = static_cast<std::int64_t>(i);
    table.columns[0].numbers.set(i, static_cast<float>(static_cast<double>(node % nodes) * dx));
    if (dimensions == 2) table.columns[1].numbers.set(i, static_cast<float>(static_cast<double>(node / nodes) * dx));
    table.columns[last - 1].numbers.set(i, static_cast<float>(v[i]));
    table.columns[last].numbers.set(i, static_cast<float>(w[i]));
  }
  return table;
}

void write_sheet_array(const std::string& path, const std::vector<double>& v, const std::vector<double>& w,
                       std::int64_t nodes) {
  std::vector<float> values(v.begin(), v.end());
  values.insert(values.end(), w.begin(), w.end());
  const auto side = static_cast<std::size_t>(nodes);
  write_npy(path, {2, side, side}, values);
}

void write_sheet_picture(const std::string& path, const std::vector<double>& v, std::int64_t nodes) {
  const auto side = static_cast<std::size_t>(nodes);
  std::vector<std::uint8_t> pixels;
  pixels.reserve(3 * v.size());
  for (std::size_t row = side; row-- > 0;)
    for (std::size_t i = row * side; i < (row + 1) * side; ++i)
      for (const std::uint8_t value : colour_of(v[i])) pixels.push_back(value);
  write_png(path, side, side, pixels);
}

}  // namespace kinescope::sim::fitzhugh_nagumo
