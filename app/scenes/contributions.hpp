// What a scene or a feature adds to the window: each a function with where it belongs. The window draws and calls what
// is there, and knows neither scenes nor features by name.
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scenes/row_choice.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/snapshot.hpp"
#include "kinescope/table.hpp"

namespace kinescope::app {

using Explanations = std::vector<std::pair<std::string, std::string>>;  // name, meaning

// Controls in a panel.
struct Section {
  enum class Panel {
    data,        // what colours the points
    below_data,  // after all that the data panel says of the data
    parameters,  // above the parameters: a choice that sets several of them at once
    view,        // size, opacity, …
  } panel;
  std::function<void(Ui&)> draw;
};

// A tab of the right panel, or of the lower right corner, beside the frame times. `draw` fills the rest of the window.
struct Tab {
  std::string title;
  std::function<void(Ui&)> draw;
  std::function<bool()> offered = nullptr;  // null: always
  std::function<long()> calls = nullptr;    // grows whenever the tab is to be shown; null: never
  float width = 0;                          // design pixels that the right panel then has, if there is room
};

// Something that happened during the run, to be marked on the curve.
struct CurveMark {
  long iteration = 0;
  std::string text;  // "Worker 2 was lost"
  bool warns = false;
};

struct Contributions {
  std::string about;     // a sentence or two: what the picture shows, and what one can do with it
  Explanations figures;  // their meanings, by name
  Explanations phases;   // of the run, by sim::Progress::phase
  std::vector<Section> sections;
  std::vector<Tab> tabs, plots;
  // Begins a search, which Ctrl-F asks for; false: there is nothing to search.
  std::function<bool()> find = nullptr;
  // Closes something that Escape closes; false: there is nothing.
  std::function<bool()> close = nullptr;
  std::function<std::vector<CurveMark>()> marks = nullptr;
  // A second figure that is measured outside of the simulation, on the scale of the first: writes it into the curve and
  // into the progress, and returns its name; "": there is none.
  std::function<std::string(std::vector<sim::HistoryPoint>& curve, sim::Progress&)> measure = nullptr;
  // How long the parts of the picture took in the latest measured frame: names and milliseconds of OpenGL's time.
  std::function<std::vector<std::pair<std::string, double>>()> pass_ms = nullptr;
};

// What scenes and features ask of the window; it carries it out once a frame.
struct Requests {
  std::vector<sim::Remedy> wishes;       // values for parameters
  std::function<sim::Table()> table;     // makes a table to be saved, in the background; null: none
  std::optional<sim::DataRequest> open;  // data to be opened
  std::vector<std::any> inputs;          // for the run (sim::Simulation::receive), which leave its course as it is
  RowRequest rows;                       // for the scene
};

}  // namespace kinescope::app
