// The landscape's parameters, as users set them.
#pragma once

#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace landscape {
enum class Shape { hills, island, alps };
}  // namespace landscape

struct LandscapeParameters : ParameterSet {
  Real duration{{"duration", "s", "simulated time after which a run ends", Change::live, Role::elsewhere},
                10,
                {0.1, 1e5},
                Scale::logarithmic};
  Integer terrain_size{
      {"terrain_size", "", "n: the terrain has (2^n + 1)² heights", Change::restart, Role::further}, 10, {5, 13}};
  Real roughness{
      {"roughness", "", "how far midpoints deviate from the heights of their corners, at every scale"}, 0.55, {0, 1}};
  Real relief{{"relief", "m", "approximate height of the highest peak over the lowest ground"}, 350, {10, 1000}};
  Real sea_level{{"sea_level", "m", "height of the water's surface", Change::live}, 60, {-50, 1000}};
  Choice<landscape::Shape> shape{
      {"shape", "", "large forms of the terrain"}, {"hills", "island", "alps"}, landscape::Shape::hills};
  Real smoke_rate{
      {"smoke_rate", "particles/s", "smoke particles that leave the chimney", Change::live}, 400, {0, 20000}};
  Integer smoke_grid{{"smoke_grid", "", "nodes along each side of the smoke's cubic grid", Change::live, Role::further},
                     96,
                     {16, 512},
                     Scale::logarithmic};
  Real smoke_radius{
      {"smoke_radius", "m", "radius of a particle's metaball", Change::live, Role::further}, 1.1, {0.1, 5}};
  Real wind_speed{
      {"wind_speed", "m/s", "speed of the wind high above the ground", Change::live, Role::further}, 3, {0, 30}};
  Real wind_direction{
      {"wind_direction", "°", "direction that the wind comes from, clockwise from north", Change::live, Role::further},
      250,
      {0, 360}};
  Integer butterflies{
      {"butterflies", "", "number of butterflies around the cabin", Change::live, Role::further}, 60, {0, 2000}};
  Integer trees{{"trees", "", "number of plants of all kinds"}, 3000, {0, 200000}, Scale::logarithmic};
  void visit(const std::function<void(Parameter&)>& f) override {
    f(duration), f(terrain_size), f(roughness), f(relief), f(sea_level), f(shape);
    f(smoke_rate), f(smoke_grid), f(smoke_radius), f(wind_speed), f(wind_direction), f(butterflies), f(trees);
  }
  Hint hint(const Parameter& parameter, const Snapshot&) const override {
    if ((&parameter == &smoke_grid || &parameter == &smoke_radius) && smoke_rate.value() == 0)
      return {.idle = "there is no smoke, because the smoke rate is 0"};
    if (&parameter == &wind_direction && wind_speed.value() == 0)
      return {.idle = "there is no wind, because its speed is 0"};
    return {};
  }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, LandscapeParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, LandscapeParameters& parameters);

}  // namespace kinescope::sim
