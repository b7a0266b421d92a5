// The landscape's controls: keys and mouse, presets, options of the view, times of the passes.
#include <algorithm>
#include <fmt/core.h>
#include <imgui.h>

#include "app/io/preset.hpp"
#include "app/runs/registry.hpp"
#include "app/scenes/landscape/landscape_presets.hpp"
#include "app/scenes/landscape_scene.hpp"
#include "app/scenes/picture_mouse.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

namespace rl = render::landscape;

struct Preset {
  std::string name;
  std::vector<sim::Remedy> values;
};

const std::vector<Preset>& preset_list() {
  static const std::vector<Preset> list = [] {
    std::vector<Preset> read;
    for (const LandscapePreset& each : landscape_presets())
      read.push_back(
          {each.name, preset_values(each.name + ".json", each.text, *find_simulation("landscape")).parameters});
    return read;
  }();
  return list;
}

// Which preset the parameters match; the number of presets if none.
std::size_t preset_of(sim::ParameterSet& parameters) {
  const auto as_it_is = [&](const sim::Remedy& each) {
    const sim::Parameter* parameter = parameters.find(each.parameter);
    return parameter && parameter->text() == each.value;
  };
  const std::vector<Preset>& presets = preset_list();
  const auto matches = [&](const Preset& preset) { return std::ranges::all_of(preset.values, as_it_is); };
  return std::size_t(std::ranges::find_if(presets, matches) - presets.begin());
}

}  // namespace

void LandscapeScene::interact(Ui& ui, const PictureArea& area) {
  const ImGuiIO& io = ImGui::GetIO();
  mouse_over(ui, area);
  if (!io.WantTextInput && !io.KeyCtrl) {
    const auto down = [](int key) { return ImGui::IsKeyDown(key) ? 1.0f : 0.0f; };
    input_.move = {down('D') - down('A'), down('W') - down('S'), down('E') - down('Q')};
    input_.fast = io.KeyShift;
  }
  if (ImGui::IsItemActive()) {
    const float radians_per_pixel = 1.6f / std::max(1.f, area.high.y - area.low.y);
    input_.turn += glm::vec2(io.MouseDelta.x, -io.MouseDelta.y) * radians_per_pixel;
  }
  if (ImGui::IsItemHovered()) input_.wheel += io.MouseWheel;
  const bool asks = input_.move != glm::vec3(0) || input_.turn != glm::vec2(0) || input_.wheel != 0;
  // Steering by hand ends the tour.
  if (asks && explorer_.travel() == rl::Travel::tour) {
    explorer_.set_travel(rl::Travel::fly);
    wish("camera", "fly");
  }
}

void LandscapeScene::presets(Ui& ui) {
  std::vector<std::string> names;
  for (const Preset& preset : preset_list()) names.push_back(preset.name);
  names.emplace_back("Custom");
  std::size_t preset = parameters_ ? preset_of(*parameters_) : preset_list().size();
  if (choice(ui, "preset", "Preset", "Times of day, and other terrains (these restart the run)", names, preset) &&
      preset < preset_list().size())
    for (const sim::Remedy& each : preset_list()[preset].values) wish(each.parameter.c_str(), each.value);
}

// Draws the control of the parameter `name`; a change is requested through take_wishes().
void LandscapeScene::ask(Ui& ui, Shape shape, const char* name, const char* label, const char* help) {
  const auto* parameter = parameters_ ? dynamic_cast<sim::ChoiceParameter*>(parameters_->find(name)) : nullptr;
  if (!parameter) return;
  const std::vector<std::string>& options = parameter->options();
  std::size_t index = parameter->index();
  if (shape == Shape::list ? choice(ui, name, label, help, options, index)
                           : segments(ui, name, label, help, options, index))
    wish(name, options[index]);
}

void LandscapeScene::view_options(Ui& ui) {
  ask(ui, Shape::row, "camera", "Camera",
      "A slow tour, on foot, flying, or around the cabin. W A S D and Q E move, a drag turns, the wheel zooms, Shift "
      "moves faster");
  ask(ui, Shape::row, "smoke_look", "Smoke", "Draw the smoke as a surface (marching tetrahedra) or as a soft volume");
  ask(ui, Shape::list, "show", "Show",
      "The finished picture, or one of its parts: below the water, reflection, depth, shadow cascades, triangles");
  ask(ui, Shape::list, "quality", "Quality", "How much is drawn; auto: full on a GPU, reduced with software rendering");
  heading(ui, "Time by pass");
  const auto ms = renderer_->pass_ms().value_or(std::array<double, rl::passes>{});
  double sum = 0;
  for (int i = 0; i < rl::passes; ++i) {
    fact(ui, rl::pass_name(rl::Pass(i)), fmt::format("{:.2f} ms", ms[std::size_t(i)]));
    sum += ms[std::size_t(i)];
  }
  fact(ui, "Total", fmt::format("{:.2f} ms", sum));
  fact(ui, "Ground", sim::with_commas(renderer_->triangles()) + " triangles");
  if (setup_.opengl.is_software())
    caption(ui, "Software rendering: the picture is reduced, and times are taken with glFinish and a clock.");
}

}  // namespace kinescope::app
