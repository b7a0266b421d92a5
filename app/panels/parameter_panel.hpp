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
  // All parameters that have an effect, and those that have none for now with the reason, but those that the scene
  // shows elsewhere; those that restart the run first, those that few people change behind a button.
  void draw(Ui& ui, Session& session, const Scene& scene);
  // One of them. A live one acts at once; the others begin anew when the mouse is let go.
  void draw_parameter(Ui& ui, Session& session, const Scene& scene, sim::Parameter& parameter);
  // As if a person had set it here; a name that there is not is passed over.
  void set(Session& session, const std::string& name, const std::string& value);

 private:
  bool draw_few(Ui& ui, const std::string& id, const std::string& label, const std::string& help,
                sim::Integer& integer);
  void draw_text(Ui& ui, Session& session, const std::string& id, const std::string& label, const std::string& help,
                 sim::Text& text);
  void changed(Session& session, sim::Parameter& parameter, bool finished);

  std::map<std::string, std::string> applied_;  // texts that simulations were given
  std::map<std::string, std::string> typed_;    // what stands in the text fields
  bool more_ = false;
};

}  // namespace kinescope::app
