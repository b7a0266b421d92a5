#include "sim/landscape/terrain/terrain.hpp"

#include <cmath>

namespace kinescope::sim::landscape {
namespace {

constexpr std::uint32_t form_stream = 0x7E000100u;  // plus the octave's number

// Smooth noise, about 0 … 1, with features of size 1: random gradients at integer places, blended by quintics (K.
// Perlin, 1985). The lattice of each octave is rotated differently, so that no lattice is visible.
double noise(std::uint64_t seed, std::uint32_t octave, double x, double y) {
  const Random random(seed, form_stream + octave);
  const SineCosine turn = portable_sincospi(0.11 + 0.29 * octave);
  const double across = turn.cosine * x - turn.sine * y, along = turn.sine * x + turn.cosine * y;
  const double i = std::floor(across), j = std::floor(along), u = across - i, v = along - j;
  const auto value = [&](int a, int b) {
    const auto column = static_cast<std::uint32_t>(static_cast<std::int64_t>(i) + a + 1000);
    const auto row = static_cast<std::uint32_t>(static_cast<std::int64_t>(j) + b + 1000);
    const SineCosine slope = portable_sincospi(2 * random.uniform64(std::uint64_t{row} << 32 | column));
    return slope.cosine * (u - a) + slope.sine * (v - b);
  };
  const auto blend = [](double t) { return t * t * t * (t * (6 * t - 15) + 10); };
  const double s = blend(u), t = blend(v);
  return 0.5 + 0.75 * std::lerp(std::lerp(value(0, 0), value(1, 0), s), std::lerp(value(0, 1), value(1, 1), s), t);
}

double hills(std::uint64_t seed, double x, double y) {
  double sum = 0, weight = 1;
  for (std::uint32_t octave = 0; octave < 4; ++octave, weight *= 0.48)
    sum += weight * noise(seed, octave, x * (2.3 * (1 << octave)), y * (2.3 * (1 << octave)));
  return sum;
}

// Sharp crests where the noise crosses its mean, with finer ones only at high places.
double alps(std::uint64_t seed, double x, double y) {
  double sum = 0, weight = 1, frequency = 2.1;
  for (std::uint32_t octave = 0; octave < 4; ++octave, frequency *= 2.07) {
    double crest = std::clamp(1 - std::fabs(2 * noise(seed, octave, x * frequency, y * frequency) - 1), 0.0, 1.0);
    crest *= crest;
    sum += weight * crest;
    weight *= 0.5 * std::min(1.0, crest + 0.25);
  }
  return sum;
}

// Land with bays and headlands; inland there are hills and one mountain range.
double island(std::uint64_t seed, double x, double y) {
  const double bays = 0.16 * (noise(seed, 5, 3.1 * x, 3.1 * y) + 0.5 * noise(seed, 6, 6.7 * x, 6.7 * y) - 0.75);
  const double inland = std::clamp((0.40 + bays - std::hypot(x - 0.5, y - 0.5)) / 0.4, -0.6, 1.0);
  const double land = std::max(inland, 0.0);
  return 1.3 * inland + 0.35 * hills(seed, x, y) + 1.1 * land * alps(seed, 0.9 * x, 0.9 * y);
}

double form(const TerrainSettings& settings, double x, double y) {
  const Random random(settings.seed, form_stream + 99);
  const double lake_x = 0.5 + 0.16 * (random.uniform64(0) - 0.5), lake_y = 0.5 + 0.16 * (random.uniform64(1) - 0.5);
  const double ragged = 0.16 + 0.09 * (noise(settings.seed, 7, 4 * x, 4 * y) - 0.5);
  const double from_lake = std::hypot(x - lake_x, y - lake_y) / ragged;
  const double basin = std::exp(-from_lake * from_lake);
  switch (settings.shape) {
    case Shape::hills:
      return hills(settings.seed, x, y) - 0.75 * basin;
    case Shape::alps:
      return alps(settings.seed, x, y) - 0.9 * basin;
    case Shape::island:
      break;
  }
  return island(settings.seed, x, y);
}

struct Profile {
  double water;  // part of the terrain below a sixth of the relief
  double power;  // above 1: wide lowlands, steep peaks
};

Profile profile(Shape shape) {
  switch (shape) {
    case Shape::hills:
      return {0.24, 1.45};
    case Shape::island:
      return {0.62, 1.35};
    case Shape::alps:
      return {0.14, 1.2};
  }
  return {0.2, 1};
}

}  // namespace

std::vector<float> control_heights(const TerrainSettings& settings) {
  constexpr int cells = 1 << control_level, width = cells + 1;
  constexpr double sea = 60.0 / 350.0;
  std::vector<double> values;
  for (int j = 0; j < width; ++j)
    for (int i = 0; i < width; ++i) values.push_back(form(settings, double(i) / cells, double(j) / cells));
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const Profile how = profile(settings.shape);
  const double low = sorted.front(), high = sorted.back();
  const double shore = sorted[static_cast<std::size_t>(how.water * double(sorted.size() - 1))];
  std::vector<float> heights;
  for (const double value : values) {
    const double part = value < shore ? sea * (value - low) / (shore - low)
                                      : sea + (1 - sea) * std::pow((value - shore) / (high - shore), how.power);
    heights.push_back(static_cast<float>(settings.relief * part));
  }
  return heights;
}

TerrainForm terrain_form(const TerrainSettings& settings) {
  TerrainForm form{settings.seed, settings.roughness, {}};
  for (int level = control_level + 1; level <= largest_terrain; ++level) {
    const double spacing = double(terrain_side) / (1 << level);
    form.term[level] = static_cast<float>(0.16 * settings.roughness * settings.relief / 350 * spacing *
                                          std::pow(spacing / 31.25, 0.08));
  }
  return form;
}

}  // namespace kinescope::sim::landscape
