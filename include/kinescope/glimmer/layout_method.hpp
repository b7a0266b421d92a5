// A layout algorithm: an option of the parameter `algorithm`. Each describes itself where it is defined, as
// `extern const LayoutMethod NAME_method`, and what depends on the algorithm asks this description.
// sim/glimmer/CMakeLists.txt lists the NAMEs (docs/adding-a-layout.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope::sim {

struct Dataset;
struct GlimmerParameters;

namespace glimmer {

class Rival;

// A layout by forces (forces/).
struct ForceScheme {
  bool has_levels = false;            // points are laid out level by level
  bool has_sample = false;            // a sample of the points is laid out first, and all others are placed by it
  std::int32_t near = 0, random = 0;  // how many points act on a point; 0: the parameters say so
};

struct LayoutMethod {
  const char* name;             // of the option: "pivot-mds"
  const char* label = nullptr;  // what people read: "Pivot MDS"; null: the name's words
  // The names, separated by blanks, of the parameters that it uses, among those that some methods do not use. `start`:
  // the run can begin at a given layout.
  std::string_view parameters = "";
  bool begins_classic = false;  // start=auto is classical scaling, or Pivot MDS where that would take long; else random
  bool takes_gaps = false;      // pairs of points may have no distance
  bool is_ordinal = false;      // only the order of the distances counts: its figure is Kruskal's stress-1
  double pace = 20;             // iterations a second at which one can watch it

  // How it is computed: on the host (rivals/rival.hpp), by forces, or, if neither is given, in levels (multilevel/).
  // `make` makes it at its start. Throws Error (input) if that is not possible with these data.
  std::unique_ptr<Rival> (*make)(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) = nullptr;
  std::optional<ForceScheme> forces = std::nullopt;

  bool uses(std::string_view parameter) const;
};

// Made when the program is built, in the order of CMakeLists.txt, which is that of the options; the first is the
// default.
std::span<const LayoutMethod* const> layout_methods();

// Whether not every method uses the parameter.
bool is_of_some_methods(std::string_view parameter);

// The names of the methods of which that is true, in their order.
std::vector<std::string> methods_that(const std::function<bool(const LayoutMethod&)>& is_so);

}  // namespace glimmer
}  // namespace kinescope::sim
