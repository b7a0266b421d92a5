// The landscape's parameters, as users set them.
#pragma once

#include <optional>
#include <string_view>

#include "sim/core/parameter.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

namespace landscape {
enum class Shape { hills, island, alps };

// Where a camera stands and looks, as `eye` says it.
struct EyePlace {
  float x = 0, y = 0, z = 0;         // m
  float azimuth = 0, elevation = 0;  // degrees, clockwise from north and up
};
std::optional<EyePlace> eye_of(std::string_view text);  // none: not five numbers
inline bool is_eye(std::string_view text) {
  return text.empty() || eye_of(text);
}
}  // namespace landscape

struct LandscapeParameters : ParameterSet {
  Real duration{
      {"duration", "s", "simulated time after which a run ends", Change::live}, 10, {0.1, 1e5}, Scale::logarithmic};
  Integer terrain_size{{"terrain_size", "", "n of the (2^n + 1)² heights of the terrain"}, 10, {5, 13}};
  Real roughness{{"roughness", "", "how far midpoints stray from between their corners, at every scale"}, 0.55, {0, 1}};
  Real relief{{"relief", "m", "height of the highest peak over the lowest ground, about"}, 350, {10, 1000}};
  Real sea_level{{"sea_level", "m", "height of the water's surface", Change::live}, 60, {-50, 1000}};
  Choice<landscape::Shape> shape{
      {"shape", "", "the terrain's large forms"}, {"hills", "island", "alps"}, landscape::Shape::hills};
  Real sun_azimuth{{"sun_azimuth", "°", "where the sun stands, clockwise from north", Change::live}, 135, {0, 360}};
  Real sun_elevation{
      {"sun_elevation", "°", "height of the sun over the horizon; night below it", Change::live}, 35, {-30, 90}};
  Real smoke_rate{{"smoke_rate", "particles/s", "smoke particles born at the chimney", Change::live}, 400, {0, 20000}};
  Integer smoke_grid{
      {"smoke_grid", "", "nodes along each side of the cube that the smoke's surface is found in", Change::live},
      96,
      {16, 512},
      Scale::logarithmic};
  Real smoke_radius{{"smoke_radius", "m", "radius of a particle's metaball", Change::live}, 1.1, {0.1, 5}};
  Real wind_speed{{"wind_speed", "m/s", "speed of the wind high above the ground", Change::live}, 3, {0, 30}};
  Real wind_direction{
      {"wind_direction", "°", "where the wind comes from, clockwise from north", Change::live}, 250, {0, 360}};
  Integer butterflies{{"butterflies", "", "butterflies around the cabin", Change::live}, 60, {0, 2000}};
  Integer trees{{"trees", "", "plants of all kinds"}, 3000, {0, 200000}, Scale::logarithmic};
  Real clouds{{"clouds", "", "part of the sky that clouds cover (drawn only)", Change::live}, 0.4, {0, 1}};
  Real time_lapse{
      {"time_lapse", "h/min", "hours of the sun's day that pass in a minute (drawn only)", Change::live}, 0, {0, 24}};
  // How it is looked at. The computing knows nothing of these.
  ChoiceParameter camera{
      {"camera", "", "a slow tour, on foot, in flight, or around the cabin (drawn only)", Change::live},
      {"tour", "walk", "fly", "orbit"},
      0};
  Text eye{
      {"eye", "m, °",
       "where the camera stands: east, north, height, then where it looks, clockwise from north and up; without it "
       "where the cabin is seen best (drawn only)",
       Change::live},
      "",
      "X,Y,Z,AZIMUTH,ELEVATION",
      "five numbers X,Y,Z,AZIMUTH,ELEVATION or nothing",
      landscape::is_eye};
  ChoiceParameter smoke_look{
      {"smoke_look", "", "the smoke's surface, or its field as a soft volume (drawn only)", Change::live},
      {"surface", "volume"},
      0};
  ChoiceParameter show{{"show", "",
                        "the picture, or what its passes draw: below the water, mirrored, depth, the shadow map's "
                        "cascades, triangles (drawn only)",
                        Change::live},
                       {"picture", "refraction", "reflection", "depth", "cascades", "wireframe"},
                       0};
  ChoiceParameter quality{
      {"quality", "", "how much is drawn: auto is full on a GPU and reduced where software draws (drawn only)",
       Change::live},
      {"auto", "full", "reduced"},
      0};

  void visit(const std::function<void(Parameter&)>& f) override {
    f(duration), f(terrain_size), f(roughness), f(relief), f(sea_level), f(shape), f(sun_azimuth), f(sun_elevation);
    f(smoke_rate), f(smoke_grid), f(smoke_radius), f(wind_speed), f(wind_direction), f(butterflies), f(trees);
    f(clouds), f(time_lapse), f(camera), f(eye), f(smoke_look), f(show), f(quality);
  }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, LandscapeParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, LandscapeParameters& parameters);

}  // namespace kinescope::sim
