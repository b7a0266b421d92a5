#include "render/gl/window.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <utility>

// GLFW comes after glad, which replaces the system's OpenGL header.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "kinescope/error.hpp"

namespace kinescope::render {

namespace {

Window& window_of(GLFWwindow* handle) {
  return *static_cast<Window*>(glfwGetWindowUserPointer(handle));
}

std::string last_glfw_error() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description ? description : "unknown reason";
}

std::function<void(const std::string&)>& lost_callback() {
  static std::function<void(const std::string&)> callback;
  return callback;
}

[[noreturn]] void lose(const char* why) {
  if (const auto callback = std::exchange(lost_callback(), nullptr)) callback(why);
  std::_Exit(1);
}

// The part of Xlib's XErrorEvent that is needed.
struct XError {
  int type;
  void* display;
  unsigned long resource, serial;
  unsigned char code;
};
unsigned long x_window = 0;

// Requests about windows of other programs may fail because these have closed them: nothing is lost then. Codes from
// 128 are those of extensions such as GLX, which number the window anew.
int take_x_error(void*, void* event) {
  const auto& error = *static_cast<const XError*>(event);
  constexpr int first_of_extensions = 128;
  if (error.resource == x_window || error.code >= first_of_extensions) lose("the window was destroyed from outside");
  return 0;
}

// By default Xlib writes lines of its own and calls exit(), which runs no destructor of what is open. A handler cannot
// return into a window that is gone: Xlib, GLFW and the OpenGL driver know none. Under Wayland there is no Xlib, and
// GLFW asks for the window to be closed.
void catch_loss(GLFWwindow* window) {
  void* const xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (!xlib) return;
  using ConnectionHandler = int (*)(void* display);
  using ErrorHandler = int (*)(void* display, void* event);
  if (void* const set = dlsym(xlib, "XSetIOErrorHandler"))
    reinterpret_cast<ConnectionHandler (*)(ConnectionHandler)>(set)(
        [](void*) -> int { lose("the connection to the display is lost"); });
  void* const id = dlsym(RTLD_DEFAULT, "glfwGetX11Window");
  x_window = id ? reinterpret_cast<unsigned long (*)(GLFWwindow*)>(id)(window) : 0;
  if (void* const set = dlsym(xlib, "XSetErrorHandler"); set && x_window != 0)
    reinterpret_cast<ErrorHandler (*)(ErrorHandler)>(set)(take_x_error);
}

// Whether enough of a window's upper edge is on a monitor that one can take hold of it.
bool can_be_reached(const WindowPlace& place) {
  constexpr int enough = 64;
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    glm::ivec2 at, size;
    glfwGetMonitorWorkarea(monitors[i], &at.x, &at.y, &size.x, &size.y);
    if (place.at.x + place.size.x >= at.x + enough && place.at.x <= at.x + size.x - enough && place.at.y >= at.y &&
        place.at.y <= at.y + size.y - enough)
      return true;
  }
  return false;
}

void put(GLFWwindow* window, const WindowPlace& place) {
  glfwSetWindowSize(window, place.size.x, place.size.y);
  glfwSetWindowPos(window, place.at.x, place.at.y);
  if (place.maximized) glfwMaximizeWindow(window);
}

}  // namespace

std::string why_no_display() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  if (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) return "";
  return "no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
}

Window::Window(const WindowOptions& options) {
  constexpr const char* way_out = " (`kinescope view --headless --screenshot FILE.png` needs no window)";
  if (const std::string why = why_no_display(); !why.empty()) throw sim::run_error(why + way_out);
  if (!glfwInit()) throw sim::run_error("no window can be opened: " + last_glfw_error() + way_out);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  const bool placed = options.place && can_be_reached(*options.place);
  glfwWindowHint(GLFW_VISIBLE, options.visible && !placed ? GLFW_TRUE : GLFW_FALSE);
  handle_ = glfwCreateWindow(options.size.x, options.size.y, options.title.c_str(), nullptr, nullptr);
  if (!handle_) {
    const std::string why = last_glfw_error();
    glfwTerminate();
    throw sim::run_error("no window with OpenGL 4.5: " + why + way_out);
  }
  glfwSetWindowSizeLimits(handle_, 480, 360, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(handle_);
  try {
    opengl_ = std::make_unique<OpenGl>(glfwGetProcAddress, options.debug);
  } catch (...) {
    glfwDestroyWindow(handle_);
    glfwTerminate();
    throw;
  }
  catch_loss(handle_);
  if (placed) put(handle_, *options.place);
  if (placed && options.visible) glfwShowWindow(handle_);
  set_vsync(options.vsync);
  glfwSetWindowUserPointer(handle_, this);
  glfwSetDropCallback(handle_, [](GLFWwindow* handle, int count, const char** paths) {
    Window& window = window_of(handle);
    if (window.file_drop_) window.file_drop_(std::vector<std::string>(paths, paths + count));
  });
  glfwSetWindowContentScaleCallback(handle_, [](GLFWwindow* handle, float x, float y) {
    Window& window = window_of(handle);
    if (window.content_scale_changed_) window.content_scale_changed_(std::max(x, y));
  });
}

Window::~Window() {
  lost_callback() = nullptr;
  glfwDestroyWindow(handle_);
  glfwTerminate();
}

bool Window::should_close() const {
  return glfwWindowShouldClose(handle_);
}
void Window::close() {
  glfwSetWindowShouldClose(handle_, GLFW_TRUE);
}
void Window::poll() {
  glfwPollEvents();
}
void Window::wait(double seconds) {
  glfwWaitEventsTimeout(std::max(seconds, 1e-3));
}
void Window::hide() {
  glfwHideWindow(handle_);
}
void Window::swap() {
  glfwSwapBuffers(handle_);
}
void Window::set_vsync(bool on) {
  glfwSwapInterval(on ? 1 : 0);
}
void Window::set_title(const std::string& title) {
  glfwSetWindowTitle(handle_, title.c_str());
}

WindowPlace Window::place() const {
  WindowPlace place{size(), {0, 0}, glfwGetWindowAttrib(handle_, GLFW_MAXIMIZED) == GLFW_TRUE};
  glfwGetWindowPos(handle_, &place.at.x, &place.at.y);
  return place;
}

glm::ivec2 Window::size() const {
  glm::ivec2 size{0, 0};
  glfwGetWindowSize(handle_, &size.x, &size.y);
  return size;
}

glm::ivec2 Window::framebuffer_size() const {
  glm::ivec2 size{0, 0};
  glfwGetFramebufferSize(handle_, &size.x, &size.y);
  return size;
}

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(handle_, &x, &y);
  return std::max(x, y);
}

void Window::on_file_drop(std::function<void(const std::vector<std::string>&)> callback) {
  file_drop_ = std::move(callback);
}

void Window::on_lost(std::function<void(const std::string&)> callback) {
  lost_callback() = std::move(callback);
}

void Window::on_content_scale(std::function<void(float)> callback) {
  content_scale_changed_ = std::move(callback);
}

}  // namespace kinescope::render
