// Undo: what a person has changed since the window opened, step by step. A step is what a session would keep of the
// window, and the place that the run was at; so whatever a scene, a feature or a panel keeps in sessions can be undone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/io/session_file.hpp"
#include "app/runs/pace.hpp"
#include "app/runs/session.hpp"
#include "app/view/contributors.hpp"
#include "app/view/files/session_files.hpp"
#include "app/view/notices.hpp"

namespace kinescope::app {

class History {
 public:
  // All must outlive this. `records`: whether there is somebody who can undo something.
  History(bool records, Session& session, SessionFiles& files, Contributors& contributors, Pace& pace,
          Notices& notices);

  // Call before ImGui's events are acted upon. What has changed by itself since the last input, such as a camera that
  // follows the points, belongs to the step before it.
  void before_input();
  // Call once a frame: once the person lets go of mouse and keys, what has changed becomes a step.
  void frame(double seconds);
  // Call when another run has taken over, after the view has what its session says.
  void took_over();
  void failed();  // call when a run could not be made

  void undo();
  void redo();
  // The list of the latest steps; a click goes to one. Draws nothing while there is none.
  void draw(Ui& ui);
  // For GUI tests: the step, how many there are, and once all is at rest the state of the window.
  void report(TestIds& ids);

 private:
  struct State {
    SavedSession saved;
    Place place;
    bool finished = false;  // the run had ended there
  };
  struct Step {
    std::string name;  // "Clusters: 8"
    State state;       // after it
  };
  State now();
  void take_step();
  void go_to(std::size_t step);
  bool only_values_differ(const State& goal) const;
  void show(const State& state);
  bool is_held() const;

  const bool records_;
  Session& session_;
  SessionFiles& files_;
  Contributors& contributors_;
  Pace& pace_;
  Notices& notices_;
  std::vector<Step> steps_;  // the first is how the window began
  std::size_t at_ = 0;       // the step whose state is shown
  bool touched_ = false;     // there was input since the last step
  bool moved_ = false;       // a step was asked for, and is not whole yet
  double rest_ = 0;          // seconds since the last input
  struct Goal {
    std::size_t step, from;  // and the step whose state is shown until then
    long asked;              // Session::asked()
  };
  std::optional<Goal> goal_;  // the step whose run is on its way
};

// What has changed between two states, in a few words: "Colour by: species", "Open cars.csv". "" if nothing has.
std::string name_of_change(const SavedSession& before, const SavedSession& after);

}  // namespace kinescope::app
