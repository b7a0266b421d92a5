// Several algorithms beside one another: which ones, and their stress against the seconds that they have computed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::app {

// One of the runs, as its title and its curve tell of it.
struct ComparedRun {
  std::string name;         // of the algorithm, as people read it
  std::string figure_name;  // "stress"
  double figure = 0;        // the latest; NaN: none yet
  double seconds = 0;       // spent computing
  long iteration = 0;
  bool done = false;
  std::string failure;                             // why there is no picture; "": there is one
  std::vector<std::pair<double, double>> figures;  // seconds and figure, in order of time
};

// The parameter whose choices are compared; null: the kind has none.
const sim::ChoiceParameter* compared_parameter(sim::ParameterSet& parameters);
inline constexpr std::size_t most_compared = 3;  // beside the first
// Throws sim::Error (input) if these cannot stand beside a run with these parameters.
void check_compared(const std::string& simulation, sim::ParameterSet& parameters,
                    const std::vector<std::string>& algorithms);

// The colour of run `index` in its title and curve: none that two or three classes of points have.
ImU32 run_colour(const Theme& theme, std::size_t index);
// A square: classes of points, which may have the same colour, are told by discs.
void draw_run_mark(ImDrawList* list, ImVec2 centre, float half, ImU32 colour);

// Which algorithms stand beside the one that is open; true when that changed. `open`: the list is unfolded.
bool draw_comparison_choice(Ui& ui, const sim::ChoiceParameter& algorithms, std::vector<std::string>& chosen,
                            bool& open);

// The curves, on logarithmic scales; above them a message that passes, if there is one.
void draw_comparison_curve(Ui& ui, const std::vector<ComparedRun>& runs, const std::string& notice);

}  // namespace kinescope::app
