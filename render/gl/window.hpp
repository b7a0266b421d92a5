// A window with an OpenGL 4.5 core context, through GLFW. This class uses GLFW's user pointer; an ImGui backend that is
// installed after construction chains to the callbacks set here.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/gl/opengl.hpp"

struct GLFWwindow;

namespace kinescope::render {

// Where a window is.
struct WindowPlace {
  glm::ivec2 size{0, 0}, at{0, 0};  // of what is inside its frame, in the display's own units
  bool maximized = false;
  friend bool operator==(const WindowPlace&, const WindowPlace&) = default;
};

struct WindowOptions {
  std::string title = "Kinescope";
  glm::ivec2 size{1280, 720};             // logical pixels; the window manager may choose another size
  std::optional<WindowPlace> place = {};  // instead of the size, if a monitor shows it
  bool visible = true;
  bool vsync = true;
  bool debug = false;  // a debug context: every error is reported, at some cost
};

// At most one may exist at a time. It must be made on the main thread, where its context is then current.
class Window {
 public:
  // Throws sim::Error (run), one line, if there is no display, or no OpenGL 4.5 core on it.
  explicit Window(const WindowOptions& options = {});
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() { return handle_; }
  OpenGl& opengl() { return *opengl_; }
  const OpenGlInfo& info() const { return opengl_->info(); }
  bool is_software() const { return opengl_->is_software(); }

  bool should_close() const;
  void close();               // should_close() becomes true
  void hide();                // nothing of it is seen any more
  void poll();                // handles pending events without waiting
  void wait(double seconds);  // sleeps until an event arrives or the time has passed
  void swap();                // shows what was drawn
  void set_vsync(bool on);
  void set_title(const std::string& title);

  WindowPlace place() const;
  glm::ivec2 size() const;              // logical pixels, like cursor positions
  glm::ivec2 framebuffer_size() const;  // pixels; (0, 0) while minimized
  float content_scale() const;          // scale of text and widgets; 2 on many HiDPI displays

  // Called from poll() and wait() with the paths of files dropped on the window.
  void on_file_drop(std::function<void(const std::vector<std::string>& paths)> callback);
  // Called, from any function that draws or handles events, if the connection to the X server is gone or another
  // program has destroyed the window, with a sentence that says so. The program ends with status 1 after it. It must
  // not use OpenGL, nor a Window.
  void on_lost(std::function<void(const std::string& why)> callback);
  // Called when the window moves to a monitor with another scale.
  void on_content_scale(std::function<void(float scale)> callback);

 private:
  GLFWwindow* handle_ = nullptr;
  std::unique_ptr<OpenGl> opengl_;
  std::function<void(const std::vector<std::string>&)> file_drop_;
  std::function<void(float)> content_scale_changed_;
};

// Why there is no display to open a window on; "" if DISPLAY or WAYLAND_DISPLAY is set. Opens nothing.
std::string why_no_display();

}  // namespace kinescope::render
