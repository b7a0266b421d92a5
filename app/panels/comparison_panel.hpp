// Several algorithms side by side: the choice of algorithms, and curves of their figures of merit against computing
// time in seconds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::app {

// One of the compared runs: what its title and its curve show.
struct ComparedRun {
  std::string name;         // of the algorithm, as shown to people
  std::string figure_name;  // "stress"
  double figure = 0;        // the latest; NaN: none yet
  double seconds = 0;       // spent computing
  long iteration = 0;
  bool done = false;
  std::string failure;                             // why there is no picture; "": there is one
  std::vector<std::pair<double, double>> figures;  // seconds and figure, in order of time
};

inline constexpr std::size_t most_compared = 3;  // beside the first
// Throws sim::Error (input) if `algorithms` cannot be compared with a run that has these parameters.
void check_compared(const std::string& simulation, sim::ParameterSet& parameters,
                    const std::vector<std::string>& algorithms);

// The colour of run `index` in its title and curve. It differs from the colours that two or three classes of points
// get.
ImU32 run_colour(const Theme& theme, std::size_t index);
// Draws a run's mark, a square: discs stand for classes of points, which may have the same colour.
void draw_run_mark(ImDrawList* list, ImVec2 centre, float half, ImU32 colour);

// Draws the choice of algorithms to compare with the open one; returns true if the choice changed. `open`: whether the
// list is unfolded.
bool draw_comparison_choice(Ui& ui, const sim::ChoiceParameter& algorithms, std::vector<std::string>& chosen,
                            bool& open);

// Draws the curves on logarithmic scales; above them the names of the runs, or instead `notice`, a temporary message,
// if it is not empty.
void draw_comparison_curve(Ui& ui, const std::vector<ComparedRun>& runs, const std::string& notice);

}  // namespace kinescope::app
