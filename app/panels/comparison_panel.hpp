// Several runs side by side that differ in one parameter, such as the algorithm: the choice of what is compared, and
// curves of the runs' figures of merit against computing time in seconds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::app {

// One of the compared runs: what its title and its curve show.
struct ComparedRun {
  std::string name;         // "SMACOF", "Clusters 4"
  std::string figure_name;  // "stress"
  double figure = 0;        // the latest; NaN: none yet
  double seconds = 0;       // spent computing
  long iteration = 0;
  bool done = false;
  std::string failure;                             // why there is no picture; "": there is one
  std::vector<std::pair<double, double>> figures;  // seconds and figure, in order of time
};

inline constexpr std::size_t most_compared = 3;  // beside the first
// What a run has other than the first: an algorithm's name, or "NAME=VALUE" for any parameter. Sets it in a set of the
// first run's parameters; throws sim::Error (input) if that cannot be.
void set_compared(sim::ParameterSet& parameters, const std::string& other);
// How people call it: "SMACOF", "Clusters 4".
std::string name_of_compared(sim::ParameterSet& parameters, const std::string& other);
// Throws sim::Error (input) if `others` cannot be compared with a run of this simulation that has these parameters.
void check_compared(const sim::SimulationKind& kind, const sim::ParameterSet& parameters,
                    const std::vector<std::string>& others);

// The colour of run `index` in its title and curve. It differs from the colours that two or three classes of points
// get.
ImU32 run_colour(const Theme& theme, std::size_t index);
// Draws a run's mark, a square: discs stand for classes of points, which may have the same colour.
void draw_run_mark(ImDrawList* list, ImVec2 centre, float half, ImU32 colour);

// The choice of what is compared with the first run.
class ComparisonChoice {
 public:
  // Draws it; returns true if `chosen` changed. `made`: the first run's parameters.
  bool draw(Ui& ui, const sim::SimulationKind& kind, sim::ParameterSet& made, std::vector<std::string>& chosen);

 private:
  bool draw_algorithms(Ui& ui, const sim::ChoiceParameter& algorithms, std::vector<std::string>& chosen,
                       std::size_t shown);
  bool draw_values(Ui& ui, const sim::SimulationKind& kind, sim::ParameterSet& made, std::vector<std::string>& chosen);

  bool open_ = false;
  std::string parameter_, value_, refused_;
};

// Draws the curves on logarithmic scales; above them the names of the runs, or instead `notice`, a temporary message,
// if it is not empty.
void draw_comparison_curve(Ui& ui, const std::vector<ComparedRun>& runs, const std::string& notice);

}  // namespace kinescope::app
