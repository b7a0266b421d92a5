// Loads the functions of an OpenGL context, and keeps its renderer's name and the driver's error messages.
// HeadlessContext and Window each make one; nothing else needs to.
#pragma once

#include <glad/gl.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope::render {

struct OpenGlInfo {
  std::string renderer;  // "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string vendor;
  std::string version;    // "4.5 (Core Profile) Mesa 22.3.6"
  bool software = false;  // drawn by the CPU: timer queries mean nothing there
};

bool current_is_software();  // whether the current context is drawn by the CPU

class OpenGl {
 public:
  // Loads the functions of the current context and turns its debug output on. With `debug`, a message arrives during
  // the OpenGL call that caused it. Throws sim::Error (run) below OpenGL 4.5.
  explicit OpenGl(GLADloadfunc load, bool debug = false);
  OpenGl(const OpenGl&) = delete;
  OpenGl& operator=(const OpenGl&) = delete;

  const OpenGlInfo& info() const { return info_; }
  bool is_software() const { return info_.software; }
  bool has_extension(std::string_view name) const;  // such as "GL_ARB_gpu_shader_int64"

  // KHR_debug's errors and messages of high severity since the last call, in order; tests demand that there are none.
  std::vector<std::string> take_messages();

 private:
  static void GLAD_API_PTR receive(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                   const GLchar* message, const void* self);

  OpenGlInfo info_;
  std::mutex mutex_;  // a driver may call from its own thread
  std::vector<std::string> messages_;
};

}  // namespace kinescope::render
