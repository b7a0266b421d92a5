// The left panel: the choice of the scene, the data, and other data to open.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/io/settings.hpp"
#include "app/panels/parameter_panel.hpp"
#include "app/runs/session.hpp"
#include "app/scenes/scene.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/data/normalize.hpp"

namespace kinescope::app {

// The file name of a path; for made data the part after "synthetic:".
std::string short_name(const std::string& source);

// Data that the program brings or makes.
struct SampleData {
  const char* name;
  std::string source;
  const char* help;
  std::string metric = {};  // that these data need; "": none in particular
};
std::vector<SampleData> sample_data();  // those that the program's simulations can show
void open_sample(Session& session, const SampleData& sample);

class DataPanel {
 public:
  using DrawSections = std::function<void(Section::Panel)>;

  // Call between ImGui's Begin and End. `parameters` draws the parameters that belong to the data.
  // `about` says what the picture shows; `sections` draws what scenes and features add.
  void draw(Ui& ui, Session& session, const Settings& settings, ParameterPanel& parameters, const std::string& about,
            const DrawSections& sections);
  // Offers to continue the last session.
  void offer_session(const std::string& path, const std::string& title) { offered_ = {path, title}; }
  // Returns and forgets what the user wants to open: a path, or made data; "" for nothing.
  std::string take_wanted() { return std::exchange(wanted_, ""); }
  // Whether the user has asked for the file dialog since the last call.
  bool take_wants_dialog() { return std::exchange(wants_dialog_, false); }

 private:
  void draw_loading(Ui& ui, Session& session);
  void draw_data(Ui& ui, Session& session, ParameterPanel& parameters, const DrawSections& sections);
  void draw_findings(Ui& ui, Session& session, ParameterPanel& parameters);
  bool draw_tables(Ui& ui, Session& session);
  void draw_normalize(Ui& ui, Session& session, const sim::NormalizeParameter& normalize, ParameterPanel& parameters);
  void draw_open(Ui& ui);
  void draw_sources(Ui& ui, Session& session, const Settings& settings);

  bool wants_dialog_ = false;
  std::string typed_, wanted_;
  struct {
    std::string path, title;
  } offered_;
};

}  // namespace kinescope::app
