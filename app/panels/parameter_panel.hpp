// Controls for a simulation's parameters, made from what they say of themselves.
#pragma once

#include <map>
#include <string>

#include "app/runs/session.hpp"
#include "app/scenes/scene.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

class ParameterPanel {
 public:
  // Draws the parameters that the scene does not show elsewhere: those that restart the run first, then the live ones,
  // the rarely changed ones behind a button. One without effect for now is shown with the reason.
  void draw(Ui& ui, Session& session, const Scene& scene);
  // Draws one parameter. A live one acts at once; another one restarts the run when the mouse is let go.
  void draw_parameter(Ui& ui, Session& session, const Scene& scene, sim::Parameter& parameter);
  // As if a person had set it here; an unknown name is ignored.
  void set(Session& session, const std::string& name, const std::string& value);
  // Another simulation has taken over, which was made with these parameters.
  void took_over(sim::ParameterSet& made);

 private:
  bool draw_few(Ui& ui, const std::string& id, const std::string& label, const std::string& help,
                sim::Integer& integer);
  void draw_text(Ui& ui, Session& session, const std::string& id, const std::string& label, const std::string& help,
                 sim::Text& text);
  void changed(Session& session, sim::Parameter& parameter, bool finished);

  std::map<std::string, std::string> applied_;  // texts that the simulation has already been given
  std::map<std::string, std::string> typed_;    // contents of the text fields
  bool more_ = false;
};

}  // namespace kinescope::app
