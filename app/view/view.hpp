// The command `view`: a scene in a window, or headless into memory.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/io/session_file.hpp"
#include "sim/core/simulation.hpp"
#include "sim/data/load.hpp"

namespace kinescope::app {

struct ViewOptions {
  const sim::SimulationKind* kind = nullptr;
  sim::DataRequest data;
  std::optional<SavedSession> session;            // whose pace and view to take
  std::unique_ptr<sim::ParameterSet> parameters;  // of the kind's type, --preset and --set already in it
  sim::Backend backend = sim::Backend::cpu;       // already resolved from auto
  int device = 0;
  int threads = 0;
  std::uint64_t seed = 1;
  bool headless = false;
  long frames = 0;          // stop after so many frames; 0: no limit (headless: 240 unless until_done)
  bool until_done = false;  // stop when the simulation has converged
  long steps = 0;           // iterations a frame; 0: by the pace of time (headless: 1)
  int width = 1280, height = 720;
  std::string screenshot;  // PNG of the last frame; "" for none
  bool with_panels = false;
  std::string record;         // FILE.mp4 or DIR/ of every frame; "" for none
  std::string report;         // JSON
  std::string timings;        // CSV, one row a frame
  std::string trace;          // Chrome trace events
  bool test_ids = false;      // print the rectangle of each widget, for GUI tests
  std::optional<bool> light;  // the theme; none: the one remembered, dark at first
  bool staged = false;        // on CUDA: what is drawn is copied through the host although it could be shared
  bool debug_opengl = false;  // a debug context, and a message of OpenGL ends the run
};

// Returns the exit status; throws sim::Error.
int run_view(ViewOptions options);

}  // namespace kinescope::app
