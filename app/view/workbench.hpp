// What `view` shows: the open session, its scene, the panels around the picture. Knows no window: the window and the
// headless run give it a framebuffer and the time, a frame at a time.
#pragma once

#include <chrono>
#include <functional>
#include <glm/vec2.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/features/feature.hpp"
#include "app/io/session_file.hpp"
#include "app/io/settings.hpp"
#include "app/io/timings.hpp"
#include "app/io/trace_file.hpp"
#include "app/panels/data_panel.hpp"
#include "app/panels/file_dialog.hpp"
#include "app/panels/parameter_panel.hpp"
#include "app/panels/reading_panel.hpp"
#include "app/panels/run_panel.hpp"
#include "app/panels/timeline_panel.hpp"
#include "app/runs/session.hpp"
#include "app/runs/worker.hpp"
#include "app/scenes/scene.hpp"
#include "app/ui/gui.hpp"
#include "app/ui/layout.hpp"
#include "app/view/comparison.hpp"
#include "app/view/past.hpp"
#include "app/view/recording/recording.hpp"
#include "app/view/view.hpp"
#include "render/gl/image.hpp"
#include "render/gl/timer.hpp"

namespace kinescope::app {

struct FrameInput {
  unsigned framebuffer = 0;  // OpenGL's name; 0: the window
  glm::ivec2 size{0, 0};     // pixels
  double seconds = 0;        // since the last frame
  double events_ms = 0;      // spent on events since the last frame
};

class Workbench {
 public:
  // `options` must outlive this. `interactive`: in a window (settings are remembered, nothing waits).
  Workbench(ViewOptions& options, render::OpenGl& opengl, float scale, bool interactive);

  // Draws one frame. Throws sim::Error if there is nothing to show yet and what was asked for cannot be opened.
  void frame(const FrameInput& input);

  // Passes ImGui's events through the panels, without a picture (input_queue.hpp).
  void take_input(glm::ivec2 size);

  // Draws the same picture once more without advancing the simulation.
  void redraw(const FrameInput& input) { compose(input); }

  void open_file(const std::string& path);  // opens data or a session
  // A file that is dropped on the window: a table of samples is joined to the open data if it has the names of their
  // rows (sim/data/join.hpp); other files are opened.
  void drop_file(const std::string& path);
  void set_panels_shown(bool shown) { panels_shown_ = shown; }
  void set_scale(float scale) { gui_.set_scale(scale); }

  long frames() const { return frames_; }  // frames that showed something
  // Nothing is left to compute, and the last of it was drawn.
  bool converged() const { return drawn_to_end_ && !session_.loading() && comparison_.done(); }
  bool arrived() const { return drawn_to_moment_; }  // the iteration that `--at` names was reached and drawn
  bool failed_to_record() const { return recording_error_.has_value(); }
  bool moving() const;  // the next frame will differ from this one
  bool computing() const;
  double pace() const { return pace_; }

  // Keeps what would be lost with the window: the film, the timings and the trace. Uses neither OpenGL nor the
  // simulation, which may be in any state. Tells `why` on standard error, and which file has what was recorded.
  void rescue(const std::string& why);
  // Call after the last frame: writes the recording, timings and trace that were asked for.
  void finish();
  // Call after finish(): writes the report that was asked for. If no interrupt `ended` the frames, one while its
  // figures are computed ends the program with `line`.
  void finish_report(bool ended, const std::string& line);
  // The picture as in screenshots, at `scale` pixels per pixel of the design; waits.
  render::Image picture(glm::ivec2 size, float scale);
  void frame_all_at_once() { scene_->frame_all(true); }

 private:
  void poll_session();
  void advance_run(double seconds);
  SceneSetup scene_setup();
  // Calls f(contributions) for the scene and each feature.
  template <class F>
  void each_contribution(F&& f) const {
    f(scene_->adds());
    for (const auto& feature : features_) f(feature->adds());
  }
  std::vector<const Tab*> offered(std::vector<Tab> Contributions::*tabs) const;
  std::vector<CurveMark> marks() const;
  std::size_t points() const;
  void show_kind(const sim::SimulationKind& kind);
  void draw_scene(const FrameInput& input, const Layout& layout);
  void draw_panels(const Layout& layout);
  void draw_bottom(const Layout& layout);
  void draw_corner(const RunPanelState& view);
  void draw_timeline_strip(const Layout& layout);
  void draw_left(const Layout& layout);
  void draw_right(const Layout& layout);
  Comparison::First first() { return {session_, *scene_, past_, run_}; }
  void draw_comparison();
  void compare_as(const SavedSession& session);
  void draw_sections(Section::Place place);
  void draw_view_options();
  void draw_splitters(const Layout& layout);
  void draw_banner(const Box& box);
  void draw_keys();
  void draw_waiting(const Layout& layout);
  bool close_something() const;
  void keyboard();
  Layout begin_panels(glm::ivec2 size);
  Panels panels_now() const { return !panels_shown_ ? Panels::none : sides_shown_ ? Panels::all : Panels::bottom; }
  void toggle_panels();
  void run_panels(const Layout& layout);
  void act_on_input();
  void fulfil(Requests requests);
  void act(const RunActions& actions);
  void open_session(const std::string& path);
  void ask_for_file();
  void reload();
  void watch_file();
  void offer_last_session();
  Texts kept_view();
  SavedSession saved_session();
  std::string save_folder() const;
  void save_session_file();
  void save_result();
  std::string why_no_result() const;
  void restart();
  void look_back(const RunActions& actions);
  void save_picture(float times);
  void save_table(sim::Table table);
  void save_in_background(const std::string& path, std::function<void()> write);
  void tell_saved(const std::string& path, const std::string& error);
  void start_recording(const std::string& path);
  void end_recording();
  void record(const FrameInput& input);
  void fail_to_record(const sim::Error& error);
  glm::ivec2 picture_size() const;
  void say(const std::string& notice);
  void complain(const sim::Error& error);
  void dismiss();
  void apply(const sim::Remedy& remedy);
  void report_states();
  void remember_settings();
  void tell_opengl();
  struct Composed {
    double total_ms = 0, draw_ms = 0, panels_ms = 0;
  };
  Composed compose(const FrameInput& input);
  void account(const FrameInput& input, const Composed& composed);

  ViewOptions& options_;
  const bool interactive_;
  render::OpenGl& opengl_;
  Settings settings_;
  Gui gui_;
  Ui ui_;
  Worker worker_;
  TraceFile trace_file_;
  const sim::SimulationKind* scene_kind_;
  std::unique_ptr<Scene> scene_;
  std::vector<std::unique_ptr<Feature>> features_;
  int look_ = 0;  // the look of scene_, as SceneKind numbers them
  Session session_;
  Past past_;              // declared after the session, whose buffers it reads
  Comparison comparison_;  // declared after scene, session and past, which it compares with others
  DataPanel data_panel_;
  ReadingPanel reading_panel_;
  ParameterPanel parameter_panel_;
  FileDialog file_dialog_;
  WatchedRun run_;
  render::GpuTimer gpu_timer_;
  Timings timings_;
  std::optional<TimingsFile> timings_file_;
  std::unique_ptr<Recording> recording_;
  std::weak_ptr<Recorder> finishing_;          // of a recording that has ended; gone once its file is written
  std::optional<sim::Error> recording_error_;  // of --record; finish() throws it
  PassTimes pass_times_;                       // of the scene's picture, for the report
  RunActions actions_;
  std::optional<SavedSession> opening_;         // the session whose data are being loaded
  double pace_, default_pace_, budget_ms_ = 8;  // paces: iterations a second
  bool panels_shown_ = true, sides_shown_ = true, narrow_ = false, keys_shown_ = false, drawn_to_end_ = false,
       drawn_to_moment_ = false, sharing_logged_ = false, saving_ = false, comparing_ = false;
  long frames_ = 0;
  long iteration_ = 0;  // the simulation's iteration in the last frame
  Box picture_box_;     // from the last layout, in pixels
  glm::ivec2 window_size_{0, 0};
  std::string banner_, notice_;
  std::vector<sim::Remedy> remedies_;  // what the banner's buttons would do
  bool offers_reload_ = false;         // the banner's button reloads the data

  // Watching the data file for changes.
  Worker watcher_;
  std::chrono::steady_clock::time_point looked_{};
  std::optional<FileStamp> seen_, told_;  // at the last look; when a person last opened it or was told of it
  Settings saved_;
  std::size_t tab_ = 0;                // tab of the right panel: parameters, view, the scene's own, selection
  float tab_width_ = 0;                // the width that the scene's own tab requests while it is shown
  std::size_t corner_tab_ = 0;         // tab of the lower right corner: frame times, the scene's plot
  std::map<std::string, long> calls_;  // of each tab, as last seen
  double notice_seconds_ = 0;
  long drops_ = 0;                         // files dropped so far
  std::set<std::string> opengl_messages_;  // messages that have been passed on
};

}  // namespace kinescope::app
