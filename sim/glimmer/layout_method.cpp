#include "kinescope/glimmer/layout_method.hpp"

#include <algorithm>

namespace kinescope::sim::glimmer {

bool LayoutMethod::uses(std::string_view parameter) const {
  for (std::string_view rest = parameters; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word == parameter) return true;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return false;
}

bool is_of_some_methods(std::string_view parameter) {
  return std::ranges::any_of(layout_methods(), [&](const LayoutMethod* each) { return each->uses(parameter); });
}

std::vector<std::string> methods_that(const std::function<bool(const LayoutMethod&)>& is_so) {
  std::vector<std::string> names;
  for (const LayoutMethod* each : layout_methods())
    if (is_so(*each)) names.emplace_back(each->name);
  return names;
}

}  // namespace kinescope::sim::glimmer
