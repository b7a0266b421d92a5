#include "render/gl/shader.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <glm/gtc/type_ptr.hpp>
#include <regex>
#include <sstream>

#include "render/gl/embedded_shaders.hpp"
#include "sim/core/error.hpp"

namespace kinescope::render {

namespace {

// The folder that shaders are read from in development; empty where the embedded ones are used.
const std::filesystem::path& development_folder() {
  static const std::filesystem::path folder = [] {
    if (const char* value = std::getenv("KINESCOPE_SHADER_DIRECTORY"); value && *value)
      return std::filesystem::path(value);
#ifdef KINESCOPE_DEVELOPMENT_SHADERS
    return std::filesystem::path(KINESCOPE_DEVELOPMENT_SHADERS);
#else
    return std::filesystem::path();
#endif
  }();
  return folder;
}

using Load = std::function<std::string(const std::string& path)>;

GLenum stage_of(const std::string& path) {
  if (path.ends_with("_vertex.glsl")) return GL_VERTEX_SHADER;
  if (path.ends_with("_fragment.glsl")) return GL_FRAGMENT_SHADER;
  if (path.ends_with("_compute.glsl")) return GL_COMPUTE_SHADER;
  throw sim::run_error("shaders/" + path + ": its name must end in _vertex, _fragment or _compute.glsl");
}

// A line's number as the compiler is told it: with the file's place in it, since Mesa forgets the number of the source
// string.
constexpr std::size_t lines_a_file = 100'000;
std::string line_directive(std::size_t file, int line) {
  return "#line " + std::to_string((file + 1) * lines_a_file + std::size_t(line)) + "\n";
}

// Appends the file's text with its includes; `files` gathers the paths, whose places are in the #line directives.
void append(const std::string& path, const Load& load, std::vector<std::string>& files, std::string& out) {
  const std::size_t number = files.size();
  files.push_back(path);
  std::istringstream in(load(path));
  out += line_directive(number, 1);
  int line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    if (line.starts_with("#version")) {
      out += "\n";  // stands above the definitions already
    } else if (line.starts_with("#include")) {
      const std::size_t open = line.find('"'), close = line.rfind('"');
      if (open == std::string::npos || close <= open)
        throw sim::run_error("shaders/" + path + ":" + std::to_string(line_number) +
                             ": #include needs \"a/path.glsl\"");
      const std::string included = line.substr(open + 1, close - open - 1);
      if (std::find(files.begin(), files.end(), included) == files.end()) append(included, load, files, out);
      out += line_directive(number, line_number + 1);
    } else {
      out += line + "\n";
    }
  }
}

// "0:100012(5): error: text" (Mesa), "0(100012) : error C1: text" (NVIDIA), "ERROR: 0:100012: text" become
// "shaders/FILE:12: text".
std::string first_complaint(const std::string& log, const std::vector<std::string>& files) {
  static const std::regex mesa(R"(^(?:ERROR: )?(\d+):(\d+)(?:\(\d+\))?\s*:\s*(.*)$)");
  static const std::regex nvidia(R"(^(\d+)\((\d+)\)\s*:\s*(.*)$)");
  std::istringstream in(log);
  std::string first;
  for (std::string line; std::getline(in, line);) {
    if (first.empty()) first = line;
    std::smatch match;
    if (line.find("warning") != std::string::npos) continue;
    if (!std::regex_match(line, match, mesa) && !std::regex_match(line, match, nvidia)) continue;
    const std::size_t number = std::stoul(match[2]), file = number / lines_a_file - 1;
    return "shaders/" + (file < files.size() ? files[file] : "?") + ":" + std::to_string(number % lines_a_file) + ": " +
           match[3].str();
  }
  return "shaders/" + files.front() + ": " + first;
}

struct DeleteShader {
  void operator()(GLuint name) const { glDeleteShader(name); }
};

std::string log_of(GLuint name, decltype(glGetShaderiv) get, decltype(glGetShaderInfoLog) read) {
  GLint length = 0;
  get(name, GL_INFO_LOG_LENGTH, &length);
  std::string log(std::size_t(std::max(length, 1)), '\0');
  read(name, length, nullptr, log.data());
  return log.c_str();
}

Handle<DeleteProgram> build(const std::vector<std::string>& paths, const std::vector<std::string>& definitions,
                            const Load& load) {
  std::string head = "#version 450\n";
  for (const std::string& definition : definitions) head += "#define " + definition + "\n";
  Handle<DeleteProgram> program(glCreateProgram());
  std::vector<Handle<DeleteShader>> stages;
  for (const std::string& path : paths) {
    std::vector<std::string> files;
    std::string text = head;
    append(path, load, files, text);
    const GLuint stage = stages.emplace_back(glCreateShader(stage_of(path))).name();
    const char* characters = text.c_str();
    glShaderSource(stage, 1, &characters, nullptr);
    glCompileShader(stage);
    GLint compiled = 0;
    glGetShaderiv(stage, GL_COMPILE_STATUS, &compiled);
    if (!compiled) throw sim::run_error(first_complaint(log_of(stage, glGetShaderiv, glGetShaderInfoLog), files));
    glAttachShader(program.name(), stage);
  }
  glLinkProgram(program.name());
  GLint linked = 0;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
  if (!linked)
    throw sim::run_error(first_complaint(log_of(program.name(), glGetProgramiv, glGetProgramInfoLog), paths));
  for (const auto& stage : stages) glDetachShader(program.name(), stage.name());
  return program;
}

std::uint64_t stamp_of_folder() {
  std::uint64_t stamp = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(development_folder(), error))
    if (entry.is_regular_file(error))
      stamp += std::uint64_t(entry.last_write_time(error).time_since_epoch().count()) * 31 + 1;
  return stamp;
}

}  // namespace

std::string shader_text(const std::string& path) {
  if (!development_folder().empty()) {
    std::ifstream file(development_folder() / path, std::ios::binary);
    if (file) return {std::istreambuf_iterator<char>(file), {}};
  }
  for (const EmbeddedShader& shader : embedded_shaders())
    if (shader.path == path) return std::string(shader.text);
  throw sim::run_error("shaders/" + path + ": there is no such shader");
}

Shader::Shader(std::vector<std::string> paths, std::vector<std::string> definitions)
    : program_(build(paths, definitions, shader_text)), paths_(std::move(paths)), definitions_(std::move(definitions)) {
  if (!development_folder().empty()) stamp_ = stamp_of_folder();
}

Shader Shader::from_text(const std::vector<std::pair<std::string, std::string>>& sources) {
  Shader shader;
  std::vector<std::string> paths;
  for (const auto& source : sources) paths.push_back(source.first);
  shader.program_ = build(paths, {}, [&](const std::string& path) {
    for (const auto& source : sources)
      if (source.first == path) return source.second;
    return shader_text(path);
  });
  return shader;
}

void Shader::reload_if_changed() {
  const auto now = std::chrono::steady_clock::now();
  if (paths_.empty() || now - looked_ < std::chrono::milliseconds(500)) return;
  looked_ = now;
  const std::uint64_t stamp = stamp_of_folder();
  if (stamp == stamp_) return;
  stamp_ = stamp;
  try {
    program_ = build(paths_, definitions_, shader_text);
    locations_.clear();
  } catch (const sim::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());  // only in development, where someone is editing
  }
}

void Shader::use() {
  if (!development_folder().empty()) reload_if_changed();
  glUseProgram(program_.name());
}

GLint Shader::location(const char* name) {
  const auto [entry, is_new] = locations_.try_emplace(name, -1);
  if (is_new) entry->second = glGetUniformLocation(program_.name(), name);
  return entry->second;
}

void Shader::set(const char* name, int value) {
  glProgramUniform1i(program_.name(), location(name), value);
}
void Shader::set(const char* name, std::uint32_t value) {
  glProgramUniform1ui(program_.name(), location(name), value);
}
void Shader::set(const char* name, float value) {
  glProgramUniform1f(program_.name(), location(name), value);
}
void Shader::set(const char* name, glm::ivec2 value) {
  glProgramUniform2i(program_.name(), location(name), value.x, value.y);
}
void Shader::set(const char* name, glm::vec2 value) {
  glProgramUniform2f(program_.name(), location(name), value.x, value.y);
}
void Shader::set(const char* name, glm::vec3 value) {
  glProgramUniform3f(program_.name(), location(name), value.x, value.y, value.z);
}
void Shader::set(const char* name, glm::vec4 value) {
  glProgramUniform4f(program_.name(), location(name), value.x, value.y, value.z, value.w);
}
void Shader::set(const char* name, const glm::mat4& value) {
  glProgramUniformMatrix4fv(program_.name(), location(name), 1, GL_FALSE, glm::value_ptr(value));
}

void Shader::dispatch(std::size_t n, unsigned group) {
  if (n == 0) return;
  const std::size_t groups = (n + group - 1) / group;
  const std::size_t row = std::min<std::size_t>(groups, 32768);  // OpenGL promises 65,535 groups a dimension
  glDispatchCompute(GLuint(row), GLuint((groups + row - 1) / row), 1);
}

}  // namespace kinescope::render
