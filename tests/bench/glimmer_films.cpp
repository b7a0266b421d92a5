// Prints what a user sees of a layout as numbers: at each moment of a run, the stress that is shown, the true stress,
// and how far the picture has moved.
//
//   glimmer_films DATA…        files, or synthetic data such as synthetic:colours,n=4096
//
// Prints a table for each: iteration, seconds at the default pace, phase, points, stress shown, stress over all pairs
// (above 20,000 points over ten million drawn ones), their difference in percent, and the move since the iteration
// before. Then prints how many of the iterations moved by more than 15 % of the picture's size.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/load.hpp"
#include "tests/sim/glimmer/glimmer_film.hpp"

namespace kinescope::sim {
namespace {

constexpr double pace = 10;  // iterations a second (app/scenes/glimmer_scene.cpp)
constexpr long rows = 24;

void show(const std::string& source) {
  DataRequest request;
  request.source = source;
  cases::Trial run(load_dataset(request));
  const cases::Film seen = cases::film(run);
  const auto count = static_cast<long>(seen.pictures.size());
  std::printf("%s: %ld iterations, %.1f s\n%9s %7s  %-11s %7s %11s %11s %7s %7s\n", run.data->name.c_str(), count,
              static_cast<double>(count) / pace, "iteration", "seconds", "phase", "points", "shown", "true", "%",
              "moved");
  for (long k = 0, taken = -1; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const bool changes = k == 0 || seen.moments[at].phase != seen.moments[at - 1].phase;
    if (!changes && k + 1 < count && k * rows / count == taken) continue;
    taken = k * rows / count;
    const double shown = seen.figures[at], stress = run.stress(seen.pictures[at]);
    std::printf("%9ld %7.1f  %-11s %7zu %11.6g %11.6g %+7.2f %7.3f\n", k + 1, static_cast<double>(k + 1) / pace,
                seen.moments[at].phase.c_str(), seen.moments[at].points, shown, stress,
                100 * (shown - stress) / std::max(stress, 1e-12), k > 0 ? seen.moves[at - 1] : 0);
  }
  const auto far = std::count_if(seen.moves.begin(), seen.moves.end(), [](double move) { return move > 0.15; });
  std::printf("moved by more than 0.15: %ld of %zu\n\n", static_cast<long>(far), seen.moves.size());
}

}  // namespace
}  // namespace kinescope::sim

int main(int count, char** words) {
  try {
    for (int k = 1; k < count; ++k) kinescope::sim::show(words[k]);
  } catch (const kinescope::sim::Error& error) {
    std::fprintf(stderr, "glimmer_films: error: %s\n", error.what());
    return error.exit_status();
  }
}
