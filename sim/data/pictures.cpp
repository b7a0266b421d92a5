#include "kinescope/data/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "kinescope/data/table_writer.hpp"
#include "sim/data/readers/pictures/picture.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t places = 2;  // the columns x and y

// r, g, b times the largest sample, rounded.
template <class Sample>
std::array<Sample, 3> in_samples(const GroupColour& colour) {
  constexpr double largest = std::numeric_limits<Sample>::max();
  std::array<Sample, 3> samples;
  for (std::size_t c = 0; c < 3; ++c)
    samples[c] = static_cast<Sample>(std::clamp(std::round(colour[c] * (largest / 255)), 0.0, largest));
  return samples;
}

template <class Sample>
void write_samples(const std::string& path, const Picture& picture, const std::vector<GroupColour>& colours,
                   const std::function<std::size_t(std::size_t)>& group_of) {
  const std::size_t pixels = picture.width * picture.height, channels = picture.opacity ? 4 : 3;
  constexpr std::uint16_t units = 65535 / std::numeric_limits<Sample>::max();
  std::vector<std::array<Sample, 3>> shades;
  for (const GroupColour& colour : colours) shades.push_back(in_samples<Sample>(colour));
  std::vector<Sample> samples(channels * pixels);
  Sample* to = samples.data();
  for (std::size_t pixel = 0, row = 0; pixel < pixels; ++pixel, to += channels) {
    if (picture.opacity) to[3] = static_cast<Sample>((*picture.opacity)[pixel] / units);
    if (channels == 4 && (*picture.opacity)[pixel] == 0) continue;
    std::ranges::copy(shades[group_of(row++)], to);
  }
  write_png(path, picture.width, picture.height, std::span<const Sample>(samples));
}

}  // namespace

bool is_image(const Dataset& data) {
  return data.picture && data.value_names == std::vector<std::string>{"x", "y", "r", "g", "b"};
}

std::shared_ptr<const Dataset> with_features(const std::shared_ptr<const Dataset>& data, Features features) {
  if (features == Features::xyrgb || !is_image(*data)) return data;
  auto colours = std::make_shared<Dataset>();
  colours->name = data->name;
  colours->points = data->points;
  colours->dimensions = data->dimensions - places;
  colours->value_names.assign(data->value_names.begin() + places, data->value_names.end());
  colours->picture = data->picture;
  if (!data->origin().empty()) colours->rows().origin.assign(data->origin().begin() + places, data->origin().end());
  const auto take = [&](const auto& from, auto& to) {
    to.reserve(from.size() / data->dimensions * colours->dimensions);
    for (auto row = from.begin(); row != from.end(); row += std::ptrdiff_t(data->dimensions))
      to.insert(to.end(), row + places, row + std::ptrdiff_t(data->dimensions));
  };
  take(data->values(), colours->rows().values.own());
  take(data->rest(), colours->rows().rest);
  return colours;
}

std::vector<std::string> endings_for_pictures(std::vector<std::string> all, const std::string& output, bool image) {
  if (output == "palette" && !image) return {};
  if (output != "out") return all;
  std::erase(all, ".png");
  if (image) all.insert(all.begin(), ".png");
  return all;
}

OutputKind palette_output() {
  return {"palette", table_endings({.need_texts = true}),
          "of a picture: a row for each cluster: cluster, size, r, g, b and the colour as #rrggbb"};
}

std::array<std::uint8_t, 3> in_bytes(const GroupColour& colour) {
  return in_samples<std::uint8_t>(colour);
}

std::uint32_t in_word(const std::array<std::uint8_t, 3>& colour) {
  return colour[0] | colour[1] << 8u | colour[2] << 16u | 0xFF000000u;
}

Table palette_table(const std::string& source, const Picture& picture, const std::vector<std::int64_t>& sizes,
                    const std::vector<GroupColour>& colours) {
  Table table;
  table.source = source;
  table.rows = sizes.size();
  const double units = picture.bits == 16 ? 257 : 1;
  table.columns = {{"cluster"}, {"size"}, {"r"}, {"g"}, {"b"}, {"colour", true}};
  for (std::size_t k = 0; k < table.rows; ++k) {
    table.columns[0].numbers.push_back(static_cast<double>(k));
    table.columns[1].numbers.push_back(static_cast<double>(sizes[k]));
    const std::array<std::uint8_t, 3> bytes = in_bytes(colours[k]);
    std::string text = "#";
    for (std::size_t c = 0; c < 3; ++c) {
      table.columns[2 + c].numbers.push_back(std::round(std::clamp(colours[k][c], 0.0, 255.0) * units) / units);
      for (const int digit : {bytes[c] >> 4, bytes[c] & 15}) text += "0123456789abcdef"[digit];
    }
    table.columns[5].texts.push_back(text);
  }
  return table;
}

void write_segmented(const std::string& path, const Picture& picture, const std::vector<GroupColour>& colours,
                     const std::function<std::size_t(std::size_t)>& group_of) {
  picture.bits == 16 ? write_samples<std::uint16_t>(path, picture, colours, group_of)
                     : write_samples<std::uint8_t>(path, picture, colours, group_of);
}

}  // namespace kinescope::sim
