// Further runs of the open data and seed, each with another algorithm or another value of a parameter, beside the first
// in one picture.
//
// All are on one clock: each has computed for about as many seconds as the first. While the first runs, its pace moves
// the clock; once it has ended, the clock advances in real time, but no faster than the slowest run can follow. With
// fixed iterations a frame, so that frame n always shows the same, and where the runs differ in the values of
// parameters and not in the algorithm, the clock counts iterations instead.
//
// The window joins it to the features, for the choice of what is compared and what a session keeps of it.
//
//   each frame:  frame -> update_scenes -> measure -> draw -> interact -> drawn
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/features/feature.hpp"
#include "app/panels/comparison_panel.hpp"
#include "app/runs/session.hpp"
#include "app/runs/watched_run.hpp"
#include "app/scenes/scene.hpp"
#include "app/view/past.hpp"

namespace kinescope::app {

class Comparison : public Feature {
 public:
  // The first run, with which the others are compared; all of it must outlive the comparison.
  struct First {
    Session& session;
    Scene& scene;
    Past& past;
    const WatchedRun& run;
  };

  // `interactive`: there is a window that can show errors. `chosen`: what is compared with the first run
  // (set_compared); if there is anything, sessions do not change it.
  Comparison(bool interactive, std::vector<std::string> chosen);

  bool active() const { return !companions_.empty(); }
  std::size_t pictures() const { return companions_.size() + 1; }
  // Another run has taken the place of the first: the others start again together with it.
  void begin_run(const BegunRun& run) override;
  void restart();
  // Advances the other runs. Throws a run's error, unless there is a window that can show it.
  void frame(const First& first, const SceneSetup& setup, double seconds);
  void update_scenes(Scene& first, const FrameTime& time, glm::ivec2 picture_size);
  // Collects in shown() what the scenes have measured. Call it after the first scene's own measure().
  void measure(const First& first);
  void draw(Scene& first, const render::Canvas& canvas, render::Background background);
  void draw_overlay(Scene& first, const PictureArea& area);
  // As Scene::fit_to, for all pictures.
  void fit_to(Scene& first, const PictureArea* area);
  void interact(Scene& first, Ui& ui, const PictureArea& area);
  void drawn();

  bool moving() const override;
  bool computing() const;
  bool done() const;  // nothing is left to compute, and the last of it was drawn
  double take_command_ms();
  // What this frame shows of each run, the first run at the front.
  const std::vector<ComparedRun>& shown() const { return shown_; }
  // Stops the other runs, and returns a report of each.
  std::vector<sim::Report> finish();
  void keep_state(KeptState& state) override;

 private:
  // Pairs (iteration, seconds of computing until then) of a run, ascending.
  using Clock = std::vector<std::pair<long, double>>;
  // One of the runs that are compared with the first run.
  struct Companion {
    Companion(std::string name, const Session& first, const SessionOptions& options, bool keeps)
        : other(std::move(name)),
          session(first.kind(), first.kind().make_parameters(), options),
          past(keeps, options.runner.steps > 0) {}

    const std::string other;  // than in the first run: an algorithm, or NAME=VALUE
    Session session;
    std::unique_ptr<Scene> scene;  // null before its first picture
    Past past;
    WatchedRun run;
    Clock clock;
    std::string failure;
    bool drawn_to_end = false;
  };

  void draw_choice(Ui& ui);
  std::string name_of_first(sim::ParameterSet& made) const;
  void begin(const First& first);
  void advance(Companion& companion, const First& first, double seconds);
  void keep_time(const First& first, double seconds);
  void look_back(Companion& companion, const First& first);
  double reading(const sim::Progress& progress) const;
  double iteration_takes(const First& first) const;
  double goes_on_for(const First& first) const;
  std::vector<PictureArea> areas(const PictureArea& area) const;
  void draw_titles(const PictureArea& area) const;

  const bool interactive_, settled_;  // settled: sessions do not change the choice
  std::vector<std::string> chosen_;
  const sim::SimulationKind* kind_ = nullptr;                 // of the first run
  sim::ParameterSet* made_ = nullptr;                         // of the first run; null before it
  std::vector<std::unique_ptr<Companion>> companions_, old_;  // old ones stop by themselves and are then destroyed
  Clock first_clock_;
  Scene* leader_ = nullptr;  // the scene whose picture the mouse last acted in; null: the first run's
  double clock_ = 0;         // seconds of computing
  bool stale_ = true;        // the other runs begin anew in the next frame
  bool counts_iterations_ = false;
  ComparisonChoice choice_;
  std::vector<ComparedRun> shown_;  // in this frame
};

}  // namespace kinescope::app
