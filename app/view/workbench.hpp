// What `view` shows: the open session, its scene, the panels around the picture. Knows no window: the window and the
// headless run give it a framebuffer and the time, a frame at a time.
#pragma once

#include <glm/vec2.hpp>
#include <string>

#include "app/panels/data_panel.hpp"
#include "app/panels/parameter_panel.hpp"
#include "app/panels/reading_panel.hpp"
#include "app/panels/run_panel.hpp"
#include "app/runs/file_watch.hpp"
#include "app/runs/job_queue.hpp"
#include "app/runs/pace.hpp"
#include "app/runs/session.hpp"
#include "app/ui/gui.hpp"
#include "app/ui/layout.hpp"
#include "app/view/commands/commands.hpp"
#include "app/view/commands/keys_help.hpp"
#include "app/view/comparison.hpp"
#include "app/view/contributors.hpp"
#include "app/view/figure/figure.hpp"
#include "app/view/figure/figure_dialog.hpp"
#include "app/view/files/opening.hpp"
#include "app/view/files/saving.hpp"
#include "app/view/files/session_files.hpp"
#include "app/view/files/window_settings.hpp"
#include "app/view/frame_times.hpp"
#include "app/view/history.hpp"
#include "app/view/notices.hpp"
#include "app/view/opengl_messages.hpp"
#include "app/view/palette/palette.hpp"
#include "app/view/past.hpp"
#include "app/view/recording/recordings.hpp"
#include "app/view/right_tabs.hpp"
#include "app/view/shown_panels.hpp"
#include "app/view/timings/timings_tab.hpp"
#include "app/view/view.hpp"
#include "render/gl/image.hpp"
#include "render/gl/window.hpp"

namespace kinescope::app {

struct FrameInput {
  unsigned framebuffer = 0;  // OpenGL's name; 0: the window
  glm::ivec2 size{0, 0};     // pixels
  double seconds = 0;        // since the last frame
  double events_ms = 0;      // spent on events since the last frame
  float scale = 1;           // of the display; the settings may make text and controls larger still
};

// What the loops that make frames want to know.
struct WorkbenchState {
  long frames = 0;         // that showed something
  bool converged = false;  // nothing is left to compute, and the last of it was drawn
  bool arrived = false;    // the iteration that `--at` names was reached and drawn
  bool failed_to_record = false;
  bool computing = false;
  bool moving = false;     // the next frame will differ from this one
  bool unlimited = false;  // the pace has no limit
};

class Workbench {
 public:
  // `options` must outlive this. `scale`: of the display, as FrameInput::scale. `interactive`: in a window (settings
  // are remembered, nothing waits).
  Workbench(ViewOptions& options, render::OpenGl& opengl, float scale, bool interactive);

  // Draws one frame. Throws sim::Error if there is nothing to show yet and what was asked for cannot be opened.
  void frame(const FrameInput& input);
  // Passes ImGui's events through the panels, without a picture (input_queue.hpp).
  void take_input(const FrameInput& input);
  // Draws the same picture once more without advancing the simulation; `whole`: with all of the scene in it.
  void redraw(const FrameInput& input, bool whole = false);
  Opening& opening() { return opening_; }
  WorkbenchState state() const;
  std::string title() const;                          // of the window: the data and the scene
  void keep_place(const render::WindowPlace& place);  // for the next start

  // Keeps what would be lost with the window: the film, the timings and the trace. Uses neither OpenGL nor the
  // simulation, which may be in any state. Tells `why` on standard error, and which file has what was recorded.
  void rescue(const std::string& why);
  // Call after the last frame: writes the recording, timings and trace that were asked for.
  void finish();
  // Call after finish(): writes the report that was asked for. If no interrupt `ended` the frames, one while its
  // figures are computed ends the program with `line`.
  void finish_report(bool ended, const std::string& line);
  // What pictures carry; "" if they are to carry nothing.
  std::string picture_state();
  // The picture as a figure; the result writes it, on any thread.
  std::function<void()> figure(const std::string& path, const FigureOptions& options);
  // The picture as in screenshots, at `scale` pixels per pixel of the design; waits.
  render::Image picture(glm::ivec2 size, float scale);

 private:
  FigureSource figure_source(render::Background background);
  void save_figure();
  void show_palette();
  Commands commands();
  void poll_session();
  void advance_run(double seconds);
  FrameParts compose(const FrameInput& input);
  void draw_scene(const FrameInput& input, const PanelPlaces& layout);
  PanelPlaces begin_panels(const FrameInput& input);
  void run_panels(const PanelPlaces& layout);
  void draw_panels(const PanelPlaces& layout);
  void draw_bottom(const PanelPlaces& layout);
  void draw_corner(const RunPanelState& view);
  void draw_left(const PanelPlaces& layout);
  void draw_right(const PanelPlaces& layout);
  void draw_view_options();
  void act_on_input();

  ViewOptions& options_;
  const bool interactive_;
  WindowSettings settings_;
  Gui gui_;
  Ui ui_;
  JobQueue jobs_;
  FrameTimes times_;
  OpenGlMessages opengl_messages_;
  Notices notices_;
  Saving saving_;  // declared before the session, whose runs write results
  Contributors contributors_;
  Session session_;
  Past past_;              // declared after the session, whose buffers it reads
  Comparison comparison_;  // declared after the scene, the session and past, which it compares with others
  WatchedRun run_;
  Pace pace_;
  SessionFiles session_files_;
  History history_;
  Opening opening_;
  FileWatch file_watch_;
  TimingsTab timings_tab_;
  Recordings recordings_;
  DataPanel data_panel_;
  ReadingPanel reading_panel_;
  ParameterPanel parameter_panel_;
  const Commands commands_;
  KeysHelp keys_help_;
  FigureDialog figure_dialog_;
  Palette palette_;
  RunActions actions_;
  ShownPanels panels_;
  Box picture_box_;  // from the last layout, in pixels
  RightTabs right_tabs_;
  double wanted_scale_ = 0;     // while its slider is being dragged; 0: it is not
  double waits_ = 0;            // seconds for which another run has been on its way
  std::size_t corner_tab_ = 0;  // tab of the lower right corner: frame times, the plots
  bool drawn_to_end_ = false, drawn_to_moment_ = false;
};

}  // namespace kinescope::app
