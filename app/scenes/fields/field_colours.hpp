// The colour maps in which a field can be shown; the user chooses one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/scenes/kept_state.hpp"
#include "app/ui/widgets.hpp"
#include "render/fields/field_picture.hpp"

namespace kinescope::app {

struct FieldMap {
  std::string label;  // "Cividis"; sessions store "cividis"
  render::ColourMap map;
  float low, high;  // the values at its ends
};

class FieldColours {
 public:
  // `title` and `help` belong to the control, which is shown if there are several maps.
  FieldColours(std::string title, std::string help, std::vector<FieldMap> maps)
      : title_(std::move(title)), help_(std::move(help)), maps_(std::move(maps)) {}

  std::span<const render::Rgb, 256> table(render::Background background) const {
    return render::field_table(maps_[chosen_].map, background);
  }
  float low() const { return maps_[chosen_].low; }
  float high() const { return maps_[chosen_].high; }
  render::FieldStyle style(render::Background background) const {
    const auto colours = table(background);
    return {.background = background, .colours = {colours.begin(), colours.end()}, .low = low(), .high = high()};
  }

  void options(Ui& ui) {
    std::vector<std::string> labels;
    for (const FieldMap& each : maps_) labels.push_back(each.label);
    if (maps_.size() > 1) segments(ui, "field-map", title_.c_str(), help_.c_str(), labels, chosen_);
  }
  void keep_state(KeptState& state) {
    std::vector<std::string> names;
    for (const FieldMap& each : maps_) names.push_back(lower_first(each.label));
    state.option("map", names, chosen_);
  }

 private:
  std::string title_, help_;
  std::vector<FieldMap> maps_;
  std::size_t chosen_ = 0;
};

}  // namespace kinescope::app
