#include "kinescope/glimmer/glimmer_parameters.hpp"

#include <algorithm>
#include <initializer_list>

#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace glimmer {
namespace {

std::vector<Option> layout_options() {
  std::vector<Option> options;
  for (const LayoutMethod* each : layout_methods())
    options.push_back(each->label ? Option(each->name, each->label) : Option(each->name));
  return options;
}

std::string joined_names(const std::vector<std::string>& names) {
  return listed(names, names.size());
}

}  // namespace

std::string users_of(std::string_view parameter) {
  return joined_names(methods_that([&](const LayoutMethod& each) { return each.uses(parameter); }));
}

std::string classic_beginners() {
  std::vector<std::string> names = methods_that([](const LayoutMethod& each) { return each.begins_classic; });
  if (names.size() < 2) return joined_names(names);
  const std::string last = names.back();
  names.pop_back();
  return joined_names(names) + " and " + last;
}

}  // namespace glimmer

LayoutParameter::LayoutParameter()
    : ChoiceParameter({"algorithm", "",
                       std::string("layout method: ") + glimmer::layout_methods().front()->name + "; with forces: " +
                           glimmer::joined_names(glimmer::methods_that(
                               [](const glimmer::LayoutMethod& each) { return each.forces.has_value(); })) +
                           "; the others are for comparison"},
                      glimmer::layout_options(), 0) {}

bool GlimmerParameters::applies(const Parameter& parameter) const {
  const auto one_of = [&](std::initializer_list<const Parameter*> list) {
    return std::find(list.begin(), list.end(), &parameter) != list.end();
  };
  const glimmer::LayoutMethod& method = algorithm.value();
  const bool starts = method.uses(start.name()), given = starts && is_layout(start.value());
  if (one_of({&pivots}) && starts && start.value() == "pivot") return true;
  if (glimmer::is_of_some_methods(parameter.name()) && !method.uses(parameter.name())) return false;
  if (given && one_of({&decimation, &minimum_level})) return false;  // there is only one level
  if (one_of({&device_memory}) || (given && one_of({&landmarks}))) return of_distances(metric.value());
  return true;
}

}  // namespace kinescope::sim
