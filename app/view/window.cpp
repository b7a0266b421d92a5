#include "render/gl/window.hpp"

#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <chrono>
#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <utility>
#include <vector>

#include "app/io/output.hpp"
#include "app/io/settings.hpp"
#include "app/io/timings.hpp"
#include "app/runs/interrupt.hpp"
#include "app/view/input_queue.hpp"
#include "app/view/recording/screenshot.hpp"
#include "app/view/workbench.hpp"

// GLFW comes after glad, which render/gl/window.hpp includes.
#include <GLFW/glfw3.h>

namespace kinescope::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double frame_seconds = 1.0 / 60;
constexpr double idle_seconds = 0.25;  // between frames when nothing moves; events are still handled at once

// ImGui's GLFW backend without its events: those go through a queue of our own.
class GlfwBackend {
 public:
  explicit GlfwBackend(render::Window& window) : window_(window.handle()) {
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    current_ = this;
    double x = 0, y = 0;
    glfwGetCursorPos(window_, &x, &y);
    queue_.push_cursor(float(x), float(y));
    glfwSetCursorPosCallback(
        window_, [](GLFWwindow*, double to_x, double to_y) { current_->queue_.push_cursor(float(to_x), float(to_y)); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow*, int entered) {
      if (!entered) current_->queue_.push_leave();
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow*, int button, int action, int) {
      current_->queue_.push_button(button, action == GLFW_PRESS);
    });
    glfwSetScrollCallback(
        window_, [](GLFWwindow*, double across, double up) { current_->queue_.push_wheel(float(across), float(up)); });
    glfwSetKeyCallback(window_, on_key);
    glfwSetCharCallback(window_, [](GLFWwindow*, unsigned character) { current_->queue_.push_text(character); });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow*, int focused) { ImGui::GetIO().AddFocusEvent(focused != 0); });
  }
  ~GlfwBackend() {
    ImGui_ImplGlfw_Shutdown();
    current_ = nullptr;
  }
  GlfwBackend(const GlfwBackend&) = delete;
  GlfwBackend& operator=(const GlfwBackend&) = delete;

  // Gives ImGui the events since the last frame. Events that do not fit into one pass of the panels go through further
  // passes without a picture; `pass` makes one such pass. Events that are left after `longest_passes_seconds` wait for
  // the next frame.
  template <class Pass>
  void begin_frame(Pass&& pass) {
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    const auto begin = Clock::now();
    const float elapsed = std::exchange(io.DeltaTime, pass_seconds);
    while (queue_.feed(io)) {
      set_modifiers(io);
      if (seconds_since(begin) > longest_passes_seconds) break;
      pass();
    }
    set_modifiers(io);
    io.DeltaTime = elapsed;
  }
  bool waiting() const { return !queue_.empty(); }

 private:
  static constexpr float pass_seconds = 1e-3f;
  static constexpr double longest_passes_seconds = 0.2;

  static bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }
  static void on_key(GLFWwindow*, int key, int, int action, int) {
    if (action != GLFW_REPEAT) current_->queue_.push_key(key, action == GLFW_PRESS, is_modifier(key));
  }
  static void set_modifiers(ImGuiIO& io) {
    const auto down = [&](int left, int right) { return io.KeysDown[left] || io.KeysDown[right]; };
    io.KeyCtrl = down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    io.KeyShift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    io.KeyAlt = down(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
    io.KeySuper = down(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER);
  }

  // GLFW's callbacks are plain functions, and render::Window uses GLFW's user pointer for itself. So the callbacks find
  // the only backend through this pointer.
  inline static GlfwBackend* current_ = nullptr;
  GLFWwindow* window_;
  InputQueue queue_;
};

// How many seconds the next frame can wait. If OpenGL draws in software while the run computes at an unlimited pace,
// drawing and computing share the processors. Drawing then gets at most a quarter of the time, and at most ten pictures
// a second.
double pause_seconds(const WorkbenchState& state, bool software, double frame_took) {
  if (!state.moving) return idle_seconds;
  const double rest = frame_seconds - frame_took;
  if (software && state.unlimited && state.computing) return std::max(0.1, 3 * frame_took);
  return rest;
}

void save_last_frame(const ViewOptions& options, Workbench& workbench, FrameInput last) {
  if (!options.figure.empty() && workbench.state().frames > 0)
    workbench.figure(options.figure, options.figure_options)();
  if (options.screenshot.empty() || workbench.state().frames == 0) return;
  if (options.with_panels) {
    const render::Framebuffer framebuffer(last.size);
    last.framebuffer = framebuffer.name();
    last.seconds = 0;
    workbench.redraw(last);
    write_png(options.screenshot, framebuffer.read(), workbench.picture_state());
  } else {
    write_png(options.screenshot, workbench.picture(last.size, float(options.scale.value_or(1))),
              workbench.picture_state());
  }
}

// Where the last window was; none if that is not known.
std::optional<render::WindowPlace> last_place() {
  const Settings before = load_settings(settings_path());
  if (before.window_width <= 0 || before.window_height <= 0) return std::nullopt;
  return render::WindowPlace{
      {before.window_width, before.window_height}, {before.window_x, before.window_y}, before.maximized};
}

// The window's title, and where the window is, which is kept once it has stayed there for a moment.
class Frame {
 public:
  Frame(render::Window& window, Workbench& workbench, bool keeps_place)
      : window_(window), workbench_(workbench), keeps_place_(keeps_place) {}
  void update() {
    if (const std::string title = workbench_.title(); title != title_) window_.set_title(title_ = title);
    if (!keeps_place_) return;
    const render::WindowPlace now = window_.place();
    if (std::exchange(place_, now) != now) since_ = Clock::now();
    if (seconds_since(since_) > still_seconds) workbench_.keep_place(now);
  }

 private:
  static constexpr double still_seconds = 0.5;  // it is not being dragged

  render::Window& window_;
  Workbench& workbench_;
  const bool keeps_place_;
  std::string title_;
  render::WindowPlace place_;
  Clock::time_point since_;
};

}  // namespace

void run_window(ViewOptions options) {
  render::Window window({.title = "Kinescope",
                         .size = {options.width, options.height},
                         .place = options.size_given ? std::nullopt : last_place(),
                         .debug = options.debug_opengl});
  const bool software = window.is_software();
  catch_interrupt();
  std::optional<HearsInterrupt> opening = ends_at_interrupt(interrupted_opening);  // until there is something to save
  Workbench workbench(options, window.opengl(), window.content_scale(), true);
  GlfwBackend backend(window);
  window.on_lost([&](const std::string& why) {
    workbench.rescue(why);
    prepare_abrupt_end();
  });
  window.on_file_drop([&](const std::vector<std::string>& paths) {
    if (!paths.empty()) workbench.opening().drop(paths.front());
  });
  // Of the previous frame, and how long the one before took.
  FrameInput input{0, {options.width, options.height}, 0, 0, window.content_scale()};
  window.on_content_scale([&](float scale) { input.scale = scale; });

  Frame frame(window, workbench, !options.size_given);

  auto last = Clock::now();
  while (!window.should_close() && !interrupted()) {
    const auto begin = Clock::now();
    window.poll();
    input.events_ms = 1e3 * seconds_since(begin);
    const glm::ivec2 now = window.framebuffer_size();
    if (now.x <= 0 || now.y <= 0) {  // minimized
      window.wait(idle_seconds);
      continue;
    }
    input.size = now;
    // After a pause the camera must not leap: no frame counts for more than a tenth of a second.
    input.seconds = std::min(seconds_since(std::exchange(last, Clock::now())), 0.1);
    backend.begin_frame([&] { workbench.take_input(input); });
    workbench.frame(input);
    frame.update();
    const WorkbenchState state = workbench.state();
    if (state.frames > 0) opening.reset();
    window.swap();
    const bool enough = options.frames > 0 && state.frames >= options.frames;
    if (enough || (options.until_done && (state.converged || state.arrived))) break;
    if (backend.waiting()) continue;
    if (const double pause = pause_seconds(workbench.state(), software, seconds_since(begin)); pause > 1e-4)
      window.wait(pause);
  }
  if (workbench.state().frames == 0 && interrupted()) throw Interrupted(interrupted_opening);
  const bool ended = interrupted();
  std::optional<HearsInterrupt> hears = answers_interrupt("what has been recorded is written first");
  FinalWrites final_writes;
  final_writes([&] { save_last_frame(options, workbench, input); });
  final_writes([&] { workbench.finish(); });
  hears.reset();
  const std::string line = fmt::format("interrupted after {} frames", workbench.state().frames);
  final_writes([&] { workbench.finish_report(ended, final_writes.after(line)); });
  window.on_lost([](const std::string&) { prepare_abrupt_end(); });  // nothing is left to rescue
  window.hide();  // the work in the background may need a moment to stop
  if (interrupted()) throw Interrupted(final_writes.after(line));
  final_writes.finish();
}

}  // namespace kinescope::app
