#include "app/panels/comparison_panel.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <memory>

#include "app/io/output.hpp"
#include "app/panels/parameter_panel.hpp"
#include "app/plot/plot_axis.hpp"
#include "app/runs/registry.hpp"
#include "kinescope/error.hpp"
#include "sim/core/suggest.hpp"

namespace kinescope::app {
namespace {

// Both axes are logarithmic, so that runs whose times differ a hundredfold can be compared in one plot.
struct RaceFrame {
  ImVec2 low, high;
  AxisTicks seconds, figures;
  float x(double at) const { return low.x + (high.x - low.x) * float(seconds.place(at)); }
  float y(double figure) const { return high.y - (high.y - low.y) * float(figures.place(figure)); }
};

// An axis with round ticks over all positive values, with a margin. Without the margin it spans at least a factor of
// `least_factor`.
AxisTicks axis_over(const std::vector<double>& values, double least_factor, int labels) {
  double low = 1e300, high = 0;
  for (const double value : values)
    if (has_logarithm(value)) low = std::min(low, value), high = std::max(high, value);
  if (high == 0) low = high = 1;
  const double widen = std::max(1.0, std::sqrt(least_factor * low / high)), margin = std::pow(high / low, 0.06);
  return ticks_within(low / (widen * margin), high * widen * margin, labels, AxisScale::logarithmic);
}

void draw_axes(Ui& ui, ImDrawList* list, const RaceFrame& frame) {
  const Theme& t = *ui.theme;
  ImFont* font = ui.fonts.caption;
  const float size = font->FontSize, thick = std::max(1.f, std::floor(ui.scale));
  for (const double value : frame.figures.major) {
    const float y = std::round(frame.y(value));
    const std::string text = tick_label(frame.figures, value, true);
    list->AddLine({frame.low.x, y}, {frame.high.x, y}, t.line, thick);
    put_text(list, font, {std::round(frame.low.x - width_of(font, text) - ui.px(8)), y - std::round(0.5f * size)},
             t.ink_dim, text);
  }
  const std::string unit = "seconds computing";
  const float unit_left = frame.high.x - width_of(font, unit);
  put_text(list, font, {std::round(unit_left), frame.high.y + ui.px(4)}, t.ink_dim, unit);
  float written = frame.low.x - ui.px(24);
  for (const double value : frame.seconds.major) {
    const float x = std::round(frame.x(value));
    list->AddLine({x, frame.high.y}, {x, frame.high.y + ui.px(3)}, t.ink_dim, thick);
    const std::string text = tick_label(frame.seconds, value, true);
    const float left = std::round(x - 0.5f * width_of(font, text)), right = left + width_of(font, text);
    if (left < written + ui.px(8) || right > unit_left - ui.px(8)) continue;
    put_text(list, font, {left, frame.high.y + ui.px(4)}, t.ink_dim, text);
    written = right;
  }
}

// Draws the curve of one run in steps: until the next measurement, the last one is all that is known. If the run has
// ended, a faint line continues its last figure to the right edge.
void draw_run(Ui& ui, ImDrawList* list, const RaceFrame& frame, const ComparedRun& run, ImU32 colour) {
  std::vector<ImVec2> line;
  for (const auto& [seconds, figure] : run.figures) {
    if (!has_logarithm(figure)) continue;
    const ImVec2 at{frame.x(std::max(seconds, frame.seconds.minimum)), frame.y(figure)};
    if (!line.empty()) line.push_back({at.x, line.back().y});
    line.push_back(at);
  }
  if (line.empty()) return;
  list->AddPolyline(line.data(), int(line.size()), colour, 0, 1.5f * ui.scale);
  const ImU32 faint = (colour & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 96);
  if (run.done) list->AddLine(line.back(), {frame.high.x, line.back().y}, faint, 1.5f * ui.scale);
  draw_run_mark(list, line.back(), 3 * ui.scale, colour);
}

// The name of the figures, such as "Stress"; "" if the runs have different ones.
std::string figures_name(const std::vector<ComparedRun>& runs) {
  const auto other = [&](const ComparedRun& run) { return run.figure_name != runs.front().figure_name; };
  return runs.empty() || std::any_of(runs.begin(), runs.end(), other) ? "" : upper_first(runs.front().figure_name);
}

// Writes the runs' names and latest figures, right-aligned, and on the left what the figures are, if there is room.
void draw_names(Ui& ui, ImDrawList* list, const std::vector<ComparedRun>& runs, ImVec2 origin, float width) {
  const Theme& t = *ui.theme;
  ImFont* font = ui.fonts.text;
  const float y = origin.y + ui.px(2);
  float right = origin.x + width;
  for (std::size_t i = runs.size(); i-- > 0;) {
    const std::string text = runs[i].name + (std::isnan(runs[i].figure) ? "" : "  " + number_text(runs[i].figure));
    right -= width_of(font, text);
    put_text(list, font, {std::round(right), y}, t.ink, text);
    right -= ui.px(16);
    draw_run_mark(list, {right + ui.px(4), y + 0.5f * font->FontSize}, ui.px(4), run_colour(t, i));
    right -= ui.px(i > 0 ? 16 : 0);
  }
  const std::string name = figures_name(runs);
  if (origin.x + width_of(font, name) + ui.px(16) < right) put_text(list, font, {origin.x, y}, t.ink, name);
}

}  // namespace

void set_compared(sim::ParameterSet& parameters, const std::string& other) {
  const std::size_t equals = other.find('=');
  if (equals != std::string::npos) return parameters.set(other.substr(0, equals), other.substr(equals + 1));
  sim::ChoiceParameter* const algorithms = parameters.compared();
  if (!algorithms) throw sim::input_error("there are no algorithms to choose from; NAME=VALUE compares a parameter");
  const std::vector<std::string>& known = algorithms->options();
  if (std::ranges::find(known, other) == known.end())
    throw sim::input_error(fmt::format("there is no algorithm '{}'{}", other, sim::suggestion(other, known)));
  algorithms->set(other);
}

std::string name_of_compared(sim::ParameterSet& parameters, const std::string& other) {
  const std::size_t equals = other.find('=');
  sim::ChoiceParameter* const algorithms = parameters.compared();
  if (equals == std::string::npos) return algorithms ? algorithms->label(other) : other;
  const std::string name = other.substr(0, equals), value = other.substr(equals + 1);
  const auto* const choice = dynamic_cast<const sim::ChoiceParameter*>(parameters.find(name));
  return label_of(name) + " " + (choice ? choice->label(value) : value);
}

void check_compared(const sim::SimulationKind& kind, const sim::ParameterSet& parameters,
                    const std::vector<std::string>& others) {
  if (others.size() > most_compared)
    throw sim::input_error(fmt::format("--compare: at most {} runs can be compared with the first, {} were given",
                                       most_compared, others.size()));
  std::vector<std::unique_ptr<sim::ParameterSet>> seen;
  const auto same = [](const sim::ParameterSet& a, const sim::ParameterSet& b) {
    const auto first = a.all(), second = b.all();
    return std::ranges::equal(first, second, [](auto* x, auto* y) { return x->same_value(*y); });
  };
  for (const std::string& other : others) {
    std::unique_ptr<sim::ParameterSet> own = copy_of(kind, parameters);
    try {
      set_compared(*own, other);
    } catch (const sim::Error& error) {
      throw sim::input_error(std::string("--compare: ") + error.what());
    }
    if (same(*own, parameters))
      throw sim::input_error(fmt::format("--compare: '{}' is what the first picture has already", other));
    for (const auto& each : seen)
      if (same(*own, *each)) throw sim::input_error(fmt::format("--compare: '{}' is given twice", other));
    seen.push_back(std::move(own));
  }
}

ImU32 run_colour(const Theme& theme, std::size_t index) {
  constexpr std::size_t taken[most_compared] = {5, 6, 3};  // vermillion, purple, yellow
  return index == 0 ? theme.ink : pack(render::class_colours(8, theme.variant)[taken[index - 1]]);
}

void draw_run_mark(ImDrawList* list, ImVec2 centre, float half, ImU32 colour) {
  list->AddRectFilled({std::round(centre.x - half), std::round(centre.y - half)},
                      {std::round(centre.x + half), std::round(centre.y + half)}, colour);
}

bool ComparisonChoice::draw(Ui& ui, const sim::SimulationKind& kind, sim::ParameterSet& made,
                            std::vector<std::string>& chosen) {
  const sim::ChoiceParameter* const algorithms = made.compared();
  std::vector<std::string> shown = chosen;
  if (algorithms) std::erase(shown, algorithms->text());
  const std::string text =
      shown.empty() ? "Compare …"
                    : fmt::format("Compared with {}", shown.size() == 1 ? name_of_compared(made, shown.front())
                                                                        : fmt::format("{} others", shown.size()));
  // While the list is open, the tooltip would cover its first choice.
  const char* help =
      open_ ? "" : "Run the same data up to three more times, with another algorithm or another value, side by side";
  if (button(ui, "compare", text.c_str(), help, ButtonKind::plain, -1)) open_ = !open_;
  bool changed = false;
  if (open_ && algorithms) changed = draw_algorithms(ui, *algorithms, chosen, shown.size());
  if (open_) changed = draw_values(ui, kind, made, chosen) || changed;
  gap(ui, 8);
  return changed;
}

bool ComparisonChoice::draw_algorithms(Ui& ui, const sim::ChoiceParameter& algorithms, std::vector<std::string>& chosen,
                                       std::size_t shown) {
  bool changed = false;
  for (const std::string& option : algorithms.options()) {
    const auto found = std::find(chosen.begin(), chosen.end(), option);
    bool on = found != chosen.end();
    if (option == algorithms.text()) continue;
    const std::string id = "compare." + option;
    if (!on && shown == most_compared) {
      inert(ui, id.c_str(), algorithms.label(option).c_str(), "",
            "At most four pictures are shown: switch another one off first");
    } else if (toggle(ui, id.c_str(), algorithms.label(option).c_str(),
                      "Show a picture of this algorithm beside the first", on)) {
      on ? (void)chosen.push_back(option) : (void)chosen.erase(found);
      changed = true;
    }
  }
  return changed;
}

// Values of any parameter: those that are compared, each with a switch, and a line for another.
bool ComparisonChoice::draw_values(Ui& ui, const sim::SimulationKind& kind, sim::ParameterSet& made,
                                   std::vector<std::string>& chosen) {
  bool changed = false;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    bool on = true;
    if (chosen[i].find('=') == std::string::npos) continue;
    if (!toggle(ui, ("compare." + chosen[i]).c_str(), name_of_compared(made, chosen[i]).c_str(),
                "Show a picture with this value beside the first", on))
      continue;
    chosen.erase(chosen.begin() + std::ptrdiff_t(i--));
    changed = true;
  }
  if (chosen.size() >= most_compared) return changed;
  std::vector<std::string> names, labels;
  std::string live;  // the first parameter that may change in a run: it is what people try first
  for (const sim::Parameter* parameter : made.all())
    if (parameter != made.compared() && made.applies(*parameter)) {
      names.push_back(parameter->name());
      labels.push_back(label_of(parameter->name()));
      if (live.empty() && parameter->change() == sim::Change::live) live = parameter->name();
    }
  if (std::ranges::find(names, parameter_) == names.end()) parameter_ = live;
  if (names.empty()) return changed;
  const auto found = std::ranges::find(names, parameter_);
  std::size_t index = found == names.end() ? 0 : std::size_t(found - names.begin());
  choice(ui, "compare.parameter", "Compare", "The parameter that the other run has another value of", names, index,
         labels);
  parameter_ = names[index];
  const std::string hint = "Other value, not " + made.find(parameter_)->text();
  if (text_field(ui, "compare.value", hint.c_str(), "The value of the run beside the first; Enter starts it", value_)) {
    std::vector<std::string> more = chosen;
    more.push_back(parameter_ + "=" + value_);
    refused_.clear();
    try {
      check_compared(kind, made, more);
      chosen = std::move(more);
      value_.clear();
      changed = true;
    } catch (const sim::Error& error) {
      refused_ = std::string(error.what()).substr(std::string_view("--compare: ").size());
    }
  }
  if (!refused_.empty()) caption(ui, refused_.c_str());
  return changed;
}

void draw_comparison_curve(Ui& ui, const std::vector<ComparedRun>& runs, const std::string& notice) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Theme& t = *ui.theme;
  ImFont* font = ui.fonts.text;
  std::vector<double> seconds, figures;
  std::string told, clocks, begins;
  for (const ComparedRun& run : runs) {
    clocks += fmt::format("{:.3f} ", run.seconds);
    told += (told.empty() ? "" : " | ") + run.name + " " + number_text(run.figure);
    begins += run.figures.empty() ? "– " : number_text(run.figures.front().second) + " ";
    seconds.push_back(run.seconds);
    for (const auto& [at, figure] : run.figures) seconds.push_back(at), figures.push_back(figure);
  }
  ui.ids.state("compared", told);
  ui.ids.state("compared.seconds", clocks);
  ui.ids.state("compared.begins", begins);
  if (notice.empty())
    draw_names(ui, list, runs, origin, room.x);
  else
    put_text(list, font, {origin.x, origin.y + ui.px(2)}, t.ink, shortened(font, notice, room.x));

  RaceFrame frame;
  frame.low = {origin.x + ui.px(66), origin.y + ui.px(36)};
  frame.high = {origin.x + room.x, origin.y + room.y - ui.px(24)};
  if (frame.high.y - frame.low.y < ui.px(24) || frame.high.x - frame.low.x < ui.px(80)) return;
  frame.figures = axis_over(figures, 3, int((frame.high.y - frame.low.y) / ui.px(20)));
  frame.seconds = axis_over(seconds, 10, int((frame.high.x - frame.low.x) / ui.px(64)));
  button_over(ui, "comparison", frame.low, frame.high);
  draw_axes(ui, list, frame);
  // The first run is drawn last, so that its curve is on top.
  for (std::size_t i = runs.size(); i-- > 0;) draw_run(ui, list, frame, runs[i], run_colour(t, i));

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || mouse.x < frame.low.x || mouse.x > frame.high.x) return;
  const double part = double((mouse.x - frame.low.x) / (frame.high.x - frame.low.x));
  const double at = frame.seconds.minimum * std::pow(frame.seconds.maximum / frame.seconds.minimum, part);
  list->AddLine({mouse.x, frame.low.y}, {mouse.x, frame.high.y}, t.ink_dim, 1);
  std::string text = number_text(at) + " s";
  for (const ComparedRun& run : runs) {
    const auto next = std::ranges::upper_bound(run.figures, at, {}, &std::pair<double, double>::first);
    text += "\n" + run.name + "  " + (next == run.figures.begin() ? "–" : number_text(std::prev(next)->second));
  }
  tell_at_mouse(ui, text);
}

}  // namespace kinescope::app
