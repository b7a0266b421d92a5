// Controls for a simulation's parameters, built from the parameters' own descriptions.
#pragma once

#include <map>
#include <string>

#include "app/runs/session.hpp"
#include "app/scenes/scene.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

// The label of a parameter of this name: "Minimum level" for minimum_level; names of one or two letters stay: "dx".
std::string label_of(std::string name);

class ParameterPanel {
 public:
  // Draws the parameters whose control is not elsewhere: those that restart the run first, then the live ones,
  // and behind a button the rarely changed ones. A parameter that has no effect now is shown dimmed, and its tooltip
  // says why.
  void draw(Ui& ui, Session& session);
  // Draws one parameter. A live one applies at once; one that restarts the run does so when the mouse is released.
  void draw_parameter(Ui& ui, Session& session, sim::Parameter& parameter);
  // Sets a parameter as if the user had done so here; an unknown name is ignored.
  void set(Session& session, const std::string& name, const std::string& value);
  // Gives the parameter's control the keyboard, and scrolls it into view.
  void reveal(Ui& ui, Session& session, const std::string& name);
  // Call when another simulation, made with the parameters `made`, has taken over.
  void took_over(sim::ParameterSet& made);

 private:
  bool draw_few(Ui& ui, const std::string& id, const std::string& label, const std::string& help,
                sim::Integer& integer);
  void draw_text(Ui& ui, Session& session, const std::string& id, const std::string& label, const std::string& help,
                 sim::Text& text);
  void changed(Session& session, sim::Parameter& parameter, bool finished);

  std::map<std::string, std::string> applied_;  // the values, as text, that the simulation already has
  std::map<std::string, std::string> typed_;    // contents of the text fields
  bool more_ = false;
};

}  // namespace kinescope::app
