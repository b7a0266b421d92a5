// How fast the run computes: a tab of the right panel in every scene, and a plot beside the frame times.
#include <deque>
#include <fmt/core.h>

#include "app/features/feature.hpp"

namespace kinescope::app {
namespace {

constexpr double each_seconds = 0.25;  // between two readings
constexpr std::size_t most_readings = 120;

class SpeedFeature : public Feature {
 public:
  SpeedFeature() {
    adds_.tabs = {{.title = "Speed", .draw = [this](Ui& ui) { draw_facts(ui); }}};
    adds_.plots = {{.title = "Speed", .draw = [this](Ui& ui) { draw_plot(ui); }}};
  }

  void begin_run(const BegunRun&) override {
    readings_.clear();
    iteration_ = 0;
    waited_ = 0;
  }

  void update(const FrameTime& time) override {
    seconds_ = time.now->progress.seconds;
    waited_ += time.seconds;
    if (waited_ < each_seconds || time.past) return;
    const long now = time.now->progress.iteration;
    readings_.push_back(now < iteration_ ? 0 : double(now - iteration_) / waited_);  // it may have been restarted
    if (readings_.size() > most_readings) readings_.pop_front();
    iteration_ = now;
    waited_ = 0;
  }

 private:
  void draw_facts(Ui& ui) const {
    heading(ui, "Speed");
    fact(ui, "Now", readings_.empty() ? "–" : number_text(readings_.back()) + " iterations/s");
    fact(ui, "Computing since the start", fmt::format("{:.2f} s", seconds_));
  }

  // A bar for each reading, the latest at the right.
  void draw_plot(Ui& ui) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 low = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    double most = 1;
    for (const double each : readings_) most = std::max(most, each);
    const float width = room.x / float(most_readings);
    float x = low.x + room.x - width * float(readings_.size());
    for (const double each : readings_) {
      list->AddRectFilled({x, low.y + room.y * float(1 - each / most)}, {x + width, low.y + room.y}, ui.theme->accent);
      x += width;
    }
    write_text(list, ui.fonts.caption, low, ui.theme->ink_dim, "up to " + number_text(most) + " iterations/s");
  }

  std::deque<double> readings_;  // iterations a second, the latest last
  long iteration_ = 0;           // at the latest reading
  double waited_ = 0, seconds_ = 0;
};

}  // namespace

FeatureKind speed_feature() {
  return {.make = [](const SceneSetup&) -> std::unique_ptr<Feature> { return std::make_unique<SpeedFeature>(); }};
}

}  // namespace kinescope::app
