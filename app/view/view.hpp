// The command `view`: a scene in a window, or headless into memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/io/session_file.hpp"
#include "app/view/figure/figure_options.hpp"
#include "app/view/workers.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::app {

// The options of a view that the command line can set.
struct ViewChoices {
  std::vector<std::string> compare;  // algorithms beside the first
  int threads = 0;                   // 0: all
  bool headless = false;
  long at = -1;             // the iteration to end at (headless) or to pause at (window); negative: none
  long frames = 0;          // stop after so many frames; 0: no limit (headless: 240 unless until_done)
  bool until_done = false;  // stop when the simulation has converged
  long steps = 0;           // iterations a frame; 0: the pace decides, in iterations a second (headless: 1)
  int width = 1280, height = 720;
  bool size_given = false;      // else a window has the size and the place of the last one
  std::optional<double> scale;  // size of text and controls; none: the last window's, or 1
  std::string screenshot;       // PNG of the last frame; "" for none
  bool with_panels = false;
  std::string figure;  // SVG, PDF or PNG of the last frame; "": none
  FigureOptions figure_options;
  bool no_state = false;      // pictures do not carry the state that they show
  std::string record;         // FILE.mp4 or DIR/ for all frames; "": none
  std::string report;         // JSON
  std::string timings;        // CSV, one row a frame
  std::string trace;          // Chrome trace events
  bool test_ids = false;      // print the rectangle of each widget, for GUI tests
  std::optional<bool> light;  // the theme; none: the last window's, or dark
  bool staged = false;        // on CUDA: copy what is drawn through the host although it could be shared
  bool debug_opengl = false;  // use a debug context, and end the run on any OpenGL message
};

struct ViewOptions : ViewChoices {
  const sim::SimulationKind* kind = nullptr;
  sim::DataRequest data;
  std::optional<SavedSession> session;            // its pace and view are used
  std::string session_from;                       // the file that has it; or "--state"
  std::string offered;                            // a picture whose state the window offers to open
  std::unique_ptr<sim::ParameterSet> parameters;  // of the kind's type, after --preset and --set
  sim::Backend backend = sim::Backend::cpu;       // already resolved from auto
  int device = 0;
  std::uint64_t seed = 1;
  WorkersSetup workers;  // the processes that compute for the run (k-means)
};

// The two loops that make frames: in a window, and headless into memory. Both throw sim::Error.
void run_window(ViewOptions options);
void run_headless(ViewOptions options);

}  // namespace kinescope::app
