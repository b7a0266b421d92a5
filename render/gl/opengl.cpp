#include "render/gl/opengl.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kinescope/error.hpp"

namespace kinescope::render {

namespace {

std::string text(GLenum name) {
  const auto* value = reinterpret_cast<const char*>(glGetString(name));
  return value ? value : "";
}

bool names_software(const std::string& renderer) {
  constexpr std::array names{"llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader"};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return renderer.find(name) != std::string::npos; });
}

}  // namespace

OpenGl::OpenGl(GLADloadfunc load, bool debug) {
  const int version = gladLoadGL(load);
  if (version < GLAD_MAKE_VERSION(4, 5)) {
    const std::string found =
        version == 0 ? "none"
                     : std::to_string(GLAD_VERSION_MAJOR(version)) + "." + std::to_string(GLAD_VERSION_MINOR(version));
    throw sim::run_error("OpenGL 4.5 is required, but this machine offers " + found);
  }
  info_ = {text(GL_RENDERER), text(GL_VENDOR), text(GL_VERSION), false};
  info_.software = names_software(info_.renderer);
  glEnable(GL_DEBUG_OUTPUT);
  if (debug) glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(&OpenGl::receive, this);
}

bool OpenGl::has_extension(std::string_view name) const {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i)
    if (name == reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, GLuint(i)))) return true;
  return false;
}

void GLAD_API_PTR OpenGl::receive(GLenum, GLenum type, GLuint, GLenum severity, GLsizei length, const GLchar* message,
                                  const void* self) {
  if (type != GL_DEBUG_TYPE_ERROR && severity != GL_DEBUG_SEVERITY_HIGH) return;
  auto& gl = *const_cast<OpenGl*>(static_cast<const OpenGl*>(self));
  constexpr std::size_t most_kept = 100;  // an error in every frame must not fill the memory
  const std::lock_guard lock(gl.mutex_);
  if (gl.messages_.size() < most_kept)
    gl.messages_.push_back(length >= 0 ? std::string(message, std::size_t(length)) : std::string(message));
}

bool current_is_software() {
  return names_software(text(GL_RENDERER));
}

std::vector<std::string> OpenGl::take_messages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

}  // namespace kinescope::render
