// How the landscape is viewed: parameters that the simulation itself does not have.
#pragma once

#include <optional>
#include <string_view>

#include "kinescope/landscape/landscape_parameters.hpp"
#include "render/landscape/explorer.hpp"
#include "render/landscape/renderer.hpp"

namespace kinescope::app {

// Where a camera stands and looks, from the text of the parameter `eye`.
struct EyePlace {
  float x = 0, y = 0, z = 0;         // m
  float azimuth = 0, elevation = 0;  // degrees: clockwise from north; upwards
};
// Reads "X,Y,Z,AZIMUTH,ELEVATION"; nothing for any other text.
std::optional<EyePlace> eye_of(std::string_view text);
inline bool is_eye(std::string_view text) {
  return text.empty() || eye_of(text);
}

enum class DrawnQuality { automatic, full, reduced };

struct LandscapeViewParameters : sim::LandscapeParameters {
  sim::Real sun_azimuth{
      {"sun_azimuth", "°", "direction of the sun, clockwise from north", sim::Change::drawn}, 135, {0, 360}};
  sim::Real sun_elevation{
      {"sun_elevation", "°", "height of the sun above the horizon; negative: the sun is below it", sim::Change::drawn},
      35,
      {-30, 90}};
  sim::Real clouds{
      {"clouds", "", "fraction of the sky that clouds cover (picture only)", sim::Change::drawn}, 0.4, {0, 1}};
  sim::Real time_lapse{{"time_lapse", "h/min", "hours of the day that pass in a minute (picture only)",
                        sim::Change::drawn, sim::Role::further},
                       0,
                       {0, 24}};
  sim::Choice<render::landscape::Travel> camera{
      {"camera", "", "how the camera moves: a slow tour, on foot, in flight, or around the cabin (picture only)",
       sim::Change::drawn, sim::Role::elsewhere},
      {"tour", "walk", "fly", "orbit"},
      render::landscape::Travel::tour};
  sim::Text eye{{"eye", "m, °",
                 "camera: position (east, north, height), direction (clockwise from north, upwards); empty: a view of "
                 "the cabin (picture only)",
                 sim::Change::drawn, sim::Role::elsewhere},
                "",
                "X,Y,Z,AZIMUTH,ELEVATION",
                "five numbers X,Y,Z,AZIMUTH,ELEVATION or nothing",
                is_eye};
  sim::Choice<render::landscape::SmokeLook> smoke_look{
      {"smoke_look", "", "how smoke is drawn: as a surface or as a soft volume (picture only)", sim::Change::drawn,
       sim::Role::elsewhere},
      {"surface", "volume"},
      render::landscape::SmokeLook::volume};
  sim::Choice<render::landscape::DebugView> show{
      {"show", "",
       "the finished picture, or one part: below the water, reflection, depth, shadow cascades, triangles (picture "
       "only)",
       sim::Change::drawn, sim::Role::elsewhere},
      {"picture", "refraction", "reflection", "depth", "cascades", "wireframe"},
      render::landscape::DebugView::none};
  sim::Choice<DrawnQuality> quality{
      {"quality", "", "how much is drawn; auto: full on a GPU, reduced with software rendering (picture only)",
       sim::Change::drawn, sim::Role::elsewhere},
      {"auto", "full", "reduced"},
      DrawnQuality::automatic};

  void visit(const std::function<void(sim::Parameter&)>& f) override {
    f(duration), f(terrain_size), f(roughness), f(relief), f(sea_level), f(shape), f(sun_azimuth), f(sun_elevation);
    f(smoke_rate), f(smoke_grid), f(smoke_radius), f(wind_speed), f(wind_direction), f(butterflies), f(trees);
    f(clouds), f(time_lapse), f(camera), f(eye), f(smoke_look), f(show), f(quality);
  }
};

// The weather that these parameters ask for.
render::landscape::Weather weather_of(const LandscapeViewParameters& parameters);

}  // namespace kinescope::app
