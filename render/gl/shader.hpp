// Shader programs from the files in shaders/, which are embedded in the binary. In development they are read from disk
// and recompiled when they change: if the environment variable KINESCOPE_SHADER_DIRECTORY names the folder, or if the
// build was configured with KINESCOPE_DEVELOPMENT. A line `#include "folder/name.glsl"` is replaced by that file (path
// relative to shaders/).
#pragma once

#include <cstdint>
#include <functional>
#include <glad/gl.h>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/gl/objects.hpp"

namespace kinescope::render {

// Before deleting a program that is in use, makes no program current. Otherwise OpenGL would keep it until another one
// is used. Code that saves and restores the current program, as the panels do, would then restore a deleted one.
struct DeleteProgram {
  void operator()(GLuint name) const {
    GLint used = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &used);
    if (static_cast<GLuint>(used) == name) glUseProgram(0);
    glDeleteProgram(name);
  }
};

// Finds the text of a shader file by its path relative to shaders/. Throws sim::Error (run) if there is none.
std::string shader_text(const std::string& path);

using ShaderSource = std::function<std::string(const std::string& path)>;

// The names of all uniforms that GLSL declares outside blocks, in every branch of its `#if`s.
std::vector<std::string> declared_uniforms(std::string_view glsl);

// The end of a file's name tells the stage: `_vertex.glsl`, `_fragment.glsl`, `_compute.glsl`.
class Shader {
 public:
  Shader() = default;
  // `definitions` are lines like "POINTS 1"; each becomes a #define. Throws sim::Error (run) with the first complaint
  // of compiling or linking: "shaders/points/nearest_compute.glsl:12: error: ...".
  explicit Shader(std::vector<std::string> paths, std::vector<std::string> definitions = {});
  // Builds a shader from text in memory, for tests. Each pair is a path, whose end tells the stage, and its text.
  static Shader from_text(const std::vector<std::pair<std::string, std::string>>& sources);

  explicit operator bool() const { return bool(program_); }
  // Makes the program current. In development, first recompiles it if a file has changed; if that fails, prints the
  // error and keeps the old program.
  void use();

  // Sets uniforms by name. One that is declared but removed by the compiler is ignored; for one that no source declares
  // it throws sim::Error (run): "shaders/points/nearest_compute.glsl: no uniform is called 'radus'".
  void set(const char* name, bool value) { set(name, int(value)); }
  void set(const char* name, int value);
  void set(const char* name, std::uint32_t value);
  void set(const char* name, float value);
  void set(const char* name, glm::ivec2 value);
  void set(const char* name, glm::vec2 value);
  void set(const char* name, std::span<const glm::vec2> values);  // an array
  void set(const char* name, glm::vec3 value);
  void set(const char* name, glm::vec4 value);
  void set(const char* name, const glm::mat4& value);

  // Runs a compute shader with at least `n` threads, in work groups of `group` threads (the size that the shader
  // declares). If there are too many groups for one row, they are laid out in several rows. The shader gets the index
  // of its thread from `thread_index()` in common/index.glsl.
  void dispatch(std::size_t n, unsigned group = 128);

 private:
  void build(const ShaderSource& load);
  GLint location(const char* name);
  void reload_if_changed();

  Handle<DeleteProgram> program_;
  std::vector<std::string> paths_, definitions_;
  std::map<std::string, GLint, std::less<>> locations_;  // all declared names; -1: removed by the compiler
  std::uint64_t stamp_ = 0;  // a hash of the files' modification times; 0: files are not watched
  double looked_ = 0;        // when the files were last checked, in seconds
};

// Runs the program in use over all pixels of an image, in groups of 8 × 8.
void dispatch_over(glm::ivec2 size, int layers = 1);
// Runs the shader over all pixels of `image`, bound for writing as image 0, then issues `barrier` so that later
// commands see the result.
void compute_image(Shader& shader, const Texture& image, GLenum format,
                   GLbitfield barrier = GL_TEXTURE_FETCH_BARRIER_BIT);

}  // namespace kinescope::render
