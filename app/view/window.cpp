#include "render/window.hpp"

#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "app/interrupt.hpp"
#include "app/view/loops.hpp"
#include "app/view/screenshot.hpp"
#include "app/view/workbench.hpp"

// After glad, which render/window.hpp brings.
#include <GLFW/glfw3.h>

namespace kinescope::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double frame_seconds = 1.0 / 60;
constexpr double idle_seconds = 0.25;  // between frames when nothing moves; events come at once all the same

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// ImGui's GLFW backend, which chains to the callbacks that the window has set. ImGui 1.86 sees only what is down when a
// frame begins: a key tapped between two frames would be lost, so a release waits until a frame has seen the press.
class GlfwBackend {
 public:
  explicit GlfwBackend(render::Window& window) : window_(window.handle()) {
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    current_ = this;
    glfwSetKeyCallback(window_, on_key);
  }
  ~GlfwBackend() {
    glfwSetKeyCallback(window_, ImGui_ImplGlfw_KeyCallback);
    ImGui_ImplGlfw_Shutdown();
    current_ = nullptr;
  }
  GlfwBackend(const GlfwBackend&) = delete;
  GlfwBackend& operator=(const GlfwBackend&) = delete;

  // After each frame.
  void frame_seen() {
    for (const Key& key : released_) ImGui_ImplGlfw_KeyCallback(window_, key.key, key.scancode, GLFW_RELEASE, key.mods);
    released_.clear();
    pressed_.clear();
  }

 private:
  struct Key {
    int key, scancode, mods;
  };

  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    std::vector<int>& pressed = current_->pressed_;
    if (action == GLFW_PRESS) pressed.push_back(key);
    if (action == GLFW_RELEASE && std::find(pressed.begin(), pressed.end(), key) != pressed.end())
      current_->released_.push_back({key, scancode, mods});
    else
      ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, mods);
  }

  // GLFW calls plain functions, and its user pointer is the window's: the one backend there is has to be found so.
  inline static GlfwBackend* current_ = nullptr;
  GLFWwindow* window_;
  std::vector<int> pressed_;   // since the last frame
  std::vector<Key> released_;  // too, and not told yet
};

// How long the next frame can wait. At full pace where software draws, drawing and computing share the processors:
// drawing then gets at most a quarter of the time, and no more than ten pictures a second.
double pause_seconds(const Workbench& workbench, bool software, double frame_took) {
  if (!workbench.moving()) return idle_seconds;
  const double rest = frame_seconds - frame_took;
  if (software && std::isinf(workbench.pace()) && workbench.computing()) return std::max(0.1, 3 * frame_took);
  return rest;
}

void save_last_frame(const ViewOptions& options, Workbench& workbench, glm::ivec2 size) {
  if (options.screenshot.empty() || workbench.frames() == 0) return;
  if (options.with_panels) {
    const render::Framebuffer framebuffer(size);
    workbench.redraw({framebuffer.name(), size, 0, 0});
    write_png(options.screenshot, framebuffer.read());
  } else {
    write_png(options.screenshot, workbench.picture(size, 1));
  }
}

}  // namespace

void run_window(ViewOptions& options) {
  render::Window window({.title = "Kinescope", .size = {options.width, options.height}, .debug = options.debug_opengl});
  const bool software = window.is_software();
  Workbench workbench(options, window.opengl(), window.content_scale(), true);
  GlfwBackend backend(window);
  window.on_file_drop([&](const std::vector<std::string>& paths) {
    if (!paths.empty()) workbench.open_file(paths.front());
  });
  window.on_content_scale([&](float scale) { workbench.set_scale(scale); });

  auto last = Clock::now();
  glm::ivec2 size{options.width, options.height};  // of the last frame
  while (!window.should_close() && !interrupted()) {
    const auto begin = Clock::now();
    window.poll();
    const double events_ms = 1e3 * seconds_since(begin);
    const glm::ivec2 now = window.framebuffer_size();
    if (now.x <= 0 || now.y <= 0) {  // minimized
      window.wait(idle_seconds);
      continue;
    }
    size = now;
    ImGui_ImplGlfw_NewFrame();
    // After a rest the camera must not leap: no frame counts for more than a tenth of a second.
    const double elapsed = std::min(seconds_since(std::exchange(last, Clock::now())), 0.1);
    workbench.frame({0, size, elapsed, events_ms});
    backend.frame_seen();
    if (workbench.frames() == 1) catch_interrupt();  // from now on there is something to keep
    window.swap();
    const bool enough = options.frames > 0 && workbench.frames() >= options.frames;
    if (enough || (options.until_done && workbench.converged())) break;
    if (const double pause = pause_seconds(workbench, software, seconds_since(begin)); pause > 1e-4) window.wait(pause);
  }
  save_last_frame(options, workbench, size);
  workbench.finish();
  if (interrupted()) throw Interrupted(fmt::format("interrupted after {} frames", workbench.frames()));
}

}  // namespace kinescope::app
