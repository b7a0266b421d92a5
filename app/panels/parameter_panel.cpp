#include "app/panels/parameter_panel.hpp"

#include <algorithm>

#include "app/scenes/points/scale_caption.hpp"
#include "kinescope/data/normalize.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {
namespace {

// The form of a text, "plus-plus|random|FILE.csv", in words: "plus-plus, random or FILE.csv".
std::string words_of(std::string form) {
  if (const std::size_t last = form.rfind('|'); last != std::string::npos) form.replace(last, 1, " or ");
  for (std::size_t bar = form.find('|'); bar != std::string::npos; bar = form.find('|')) form.replace(bar, 1, ", ");
  return form;
}

// The unit of a parameter of a run on data that were normalized so.
std::string unit_of(const sim::Parameter& parameter, sim::Normalization normalization) {
  if (parameter.unit() != sim::data_units || normalization == sim::Normalization::none) return parameter.unit();
  return distance_unit(normalization);
}

std::string value_text(const sim::Hint& hint, bool has_long_unit) {
  if (!hint.value) return hint.text;
  return (has_long_unit ? "≈ " : hint.text) + number_text(*hint.value, hint.digits);
}

std::string help_of(const sim::Parameter& parameter, const std::string& unit) {
  const bool text = dynamic_cast<const sim::Text*>(&parameter) != nullptr;
  const std::string range =
      text ? words_of(parameter.range_text()) + ";" : parameter.range_text() + (unit.empty() ? "" : " " + unit) + ",";
  return upper_first(parameter.meaning()) + ".\n" + range + " default " + parameter.default_text() + ". " +
         (parameter.change() == sim::Change::restart ? "Restarts the run." : "Applies immediately.");
}

// A slider needs two ends: if the number's range is unlimited, it gets ends around the default.
template <class Number>
SliderRange slider_range(const Number& number) {
  constexpr double limit = 1e9;
  const auto least = double(number.range().minimum), most = double(number.range().maximum);
  const auto initial = double(number.initial());
  double low = least, high = most;
  const bool endless = low < -limit || high > limit;
  if (endless) {
    const double reach = std::max(1.0, 100 * std::abs(initial));
    low = std::max(low, -reach);
    high = std::min(high, reach);
  }
  const bool wide = low >= 0 && high - low > 5000;
  return {.low = low,
          .high = high,
          .least = least,
          .most = most,
          .logarithmic = number.scale() == sim::Scale::logarithmic || wide,
          .whole = std::is_same_v<Number, sim::Integer>,
          .initial = initial};
}

SliderEvent draw_slider(Ui& ui, Session& session, const sim::Hint& hint, sim::Parameter& parameter,
                        const std::string& unit, double& value, SliderRange range) {
  if (hint.low < hint.high) range.low = hint.low, range.high = hint.high;
  const std::string id = "parameter." + parameter.name();
  const bool words_alone = !hint.text.empty() && !hint.value;
  SliderEvent event =
      slider(ui, id.c_str(), label_of(parameter.name()).c_str(), words_alone ? "" : unit.c_str(),
             help_of(parameter, unit).c_str(), value, range, value_text(hint, unit != parameter.unit()));
  if (!event.refused.empty()) try {
      parameter.set(event.refused);
    } catch (const sim::Error& error) {
      session.refuse(error);
    }
  return event;
}

}  // namespace

std::string label_of(std::string name) {
  if (name.size() <= 2) return name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return upper_first(name);
}

void ParameterPanel::draw(Ui& ui, Session& session) {
  std::size_t hidden = 0;
  const auto section = [&](bool restarts, bool main, const char* title) {
    bool any = false;
    for (sim::Parameter* parameter : session.parameters().all()) {
      const sim::Role role = session.parameters().role(*parameter, session.data().get());
      if (!session.parameters().applies(*parameter) || role == sim::Role::data || role == sim::Role::elsewhere)
        continue;
      if ((role == sim::Role::further) == main) {
        hidden += main;
        continue;
      }
      if ((parameter->change() == sim::Change::restart) != restarts) continue;
      if (!any) heading(ui, title, restarts ? "restarts the run" : "applies immediately");
      any = true;
      draw_parameter(ui, session, *parameter);
    }
    if (any) gap(ui, 8);
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  section(true, true, "Method");
  section(false, true, "While it runs");
  if (hidden > 0) {
    if (button(ui, "more-parameters", more_ ? "Fewer parameters" : "More parameters",
               "Parameters that are seldom changed", ButtonKind::plain, -1))
      more_ = !more_;
    gap(ui, 8);
  }
  if (more_) {
    section(true, false, "More");
    section(false, false, "More");
  }
  ImGui::PopStyleVar();
}

// Draws a whole number that has few possible values as a row of segments.
bool ParameterPanel::draw_few(Ui& ui, const std::string& id, const std::string& label, const std::string& help,
                              sim::Integer& integer) {
  const long low = integer.range().minimum;
  std::vector<std::string> options;
  for (long value = low; value <= integer.range().maximum; ++value) options.push_back(std::to_string(value));
  std::size_t index = std::size_t(integer.value() - low);
  if (!segments(ui, id.c_str(), label.c_str(), help.c_str(), options, index)) return false;
  integer.assign_clamped(low + long(index));
  return true;
}

void ParameterPanel::draw_parameter(Ui& ui, Session& session, sim::Parameter& parameter) {
  applied_.try_emplace(parameter.name(), parameter.text());
  const sim::Hint hint = session.parameters().hint(parameter, *session.runner()->snapshot());
  const auto* normalize = session.made_parameters().find<sim::NormalizeParameter>();
  const std::string unit = unit_of(parameter, normalize ? normalize->value() : sim::Normalization::none),
                    label = label_of(parameter.name()), id = "parameter." + parameter.name(),
                    help = help_of(parameter, unit);
  const auto slide = [&](const auto& number, const auto& assign) {
    auto value = double(number.value());
    const SliderEvent event = draw_slider(ui, session, hint, parameter, unit, value, slider_range(number));
    if (event.changed) assign(value);
    if (event.changed || event.finished) changed(session, parameter, event.finished);
  };
  if (!hint.idle.empty()) {
    inert(ui, id.c_str(), label.c_str(), hint.text.empty() ? parameter.text() : hint.text,
          "No effect now: " + hint.idle + ".");
  } else if (auto* list = dynamic_cast<sim::ChoiceParameter*>(&parameter)) {
    std::size_t index = list->index();
    if (choice(ui, id.c_str(), label.c_str(), help.c_str(), list->options(), index, list->labels())) {
      list->assign_index(index);
      changed(session, parameter, true);
    }
  } else if (auto* few = dynamic_cast<sim::Integer*>(&parameter);
             few && few->range().maximum / 2 - few->range().minimum / 2 < 2) {
    if (draw_few(ui, id, label, help, *few)) changed(session, parameter, true);
  } else if (auto* integer = dynamic_cast<sim::Integer*>(&parameter)) {
    slide(*integer, [&](double value) { integer->assign_clamped(std::lround(value)); });
  } else if (auto* real = dynamic_cast<sim::Real*>(&parameter)) {
    slide(*real, [&](double value) { real->assign_clamped(value); });
  } else if (auto* text = dynamic_cast<sim::Text*>(&parameter)) {
    draw_text(ui, session, id, label, help, *text);
  }
}

// Enter accepts what was typed; a text that the parameter refuses leaves the old value in place.
void ParameterPanel::draw_text(Ui& ui, Session& session, const std::string& id, const std::string& label,
                               const std::string& help, sim::Text& text) {
  std::string& typed = typed_.try_emplace(text.name(), text.text()).first->second;
  caption(ui, label.c_str());
  if (!text_field(ui, id.c_str(), text.range_text().c_str(), help.c_str(), typed)) return;
  try {
    text.set(typed);
    changed(session, text, true);
  } catch (const sim::Error& error) {
    typed = text.text();
    session.refuse(error);
  }
}

void ParameterPanel::set(Session& session, const std::string& name, const std::string& value) {
  sim::Parameter* parameter = session.parameters().find(name);
  if (!parameter) return;
  applied_.try_emplace(name, parameter->text());
  parameter->set(value);
  changed(session, *parameter, true);
}

void ParameterPanel::reveal(Ui& ui, Session& session, const std::string& name) {
  const sim::Parameter* parameter = session.parameters().find(name);
  if (!parameter) return;
  more_ = more_ || session.parameters().role(*parameter, session.data().get()) == sim::Role::further;
  ui.keys.give("parameter." + name);
}

void ParameterPanel::took_over(sim::ParameterSet& made) {
  for (const sim::Parameter* parameter : made.all()) applied_[parameter->name()] = parameter->text();
}

void ParameterPanel::changed(Session& session, sim::Parameter& parameter, bool finished) {
  const bool restarts = parameter.change() == sim::Change::restart;
  if (restarts && !finished) return;
  std::string& applied = applied_[parameter.name()];
  if (applied == parameter.text()) return;
  applied = parameter.text();
  if (restarts)
    session.remake();
  else if (parameter.change() == sim::Change::live)
    session.apply_parameters();
}

}  // namespace kinescope::app
