#include "render/gl/shader.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <glm/gtc/type_ptr.hpp>
#include <sstream>

#include "kinescope/error.hpp"
#include "render/gl/embedded_shaders.hpp"

namespace kinescope::render {

namespace {

// The folder from which shaders are read in development; empty if the embedded ones are used.
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

GLenum stage_of(const std::string& path) {
  if (path.ends_with("_vertex.glsl")) return GL_VERTEX_SHADER;
  if (path.ends_with("_fragment.glsl")) return GL_FRAGMENT_SHADER;
  if (path.ends_with("_compute.glsl")) return GL_COMPUTE_SHADER;
  throw sim::run_error("shaders/" + path + ": its name must end in _vertex.glsl, _fragment.glsl or _compute.glsl");
}

// The line numbers given to the compiler contain the file's index, because Mesa's messages do not keep the source
// string's number of a #line directive.
constexpr std::size_t lines_a_file = 100'000;
std::string line_directive(std::size_t file, int line) {
  return "#line " + std::to_string((file + 1) * lines_a_file + std::size_t(line)) + "\n";
}

// Appends the file's text with its includes; `files` collects the paths, and #line directives hold their indices.
void append(const std::string& path, const ShaderSource& load, std::vector<std::string>& files, std::string& out) {
  const std::size_t number = files.size();
  files.push_back(path);
  std::istringstream in(load(path));
  out += line_directive(number, 1);
  int line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    if (line.starts_with("#version")) {
      out += "\n";  // the version line is already above the definitions
    } else if (line.starts_with("#include")) {
      const std::size_t open = line.find('"'), close = line.rfind('"');
      if (open == std::string::npos || close <= open)
        throw sim::run_error("shaders/" + path + ":" + std::to_string(line_number) +
                             ": expected #include \"path.glsl\"");
      const std::string included = line.substr(open + 1, close - open - 1);
      if (std::find(files.begin(), files.end(), included) == files.end()) append(included, load, files, out);
      out += line_directive(number, line_number + 1);
    } else {
      out += line + "\n";
    }
  }
}

// Turns "0:100012(5): error: text" (Mesa), "0(100012) : error C1: text" (NVIDIA) and "ERROR: 0:100012: text" into
// "shaders/FILE:12: text".
std::string first_complaint(const std::string& log, const std::vector<std::string>& files) {
  constexpr const char* forms[] = {"%*u:%zu(%*u) : %n", "%*u(%zu) : %n", "ERROR: %*u:%zu : %n"};
  std::istringstream in(log);
  std::string first;
  for (std::string line; std::getline(in, line);) {
    if (first.empty()) first = line;
    if (line.find("warning") != std::string::npos) continue;
    for (const char* form : forms) {
      std::size_t number = 0;
      int text = 0;  // where the message text begins; 0 if the line has another form
      if (std::sscanf(line.c_str(), form, &number, &text) != 1 || text == 0) continue;
      const std::size_t file = number / lines_a_file - 1;
      return "shaders/" + (file < files.size() ? files[file] : "?") + ":" + std::to_string(number % lines_a_file) +
             ": " + line.substr(static_cast<std::size_t>(text));
    }
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

// Splits GLSL into words and single punctuation characters; skips comments and preprocessor lines.
std::vector<std::string_view> tokens_of(std::string_view glsl) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::vector<std::string_view> tokens;
  for (std::size_t i = 0, end; i < glsl.size(); i = std::min(end, glsl.size())) {
    end = i + 1;
    if (glsl[i] == '#' || glsl.substr(i, 2) == "//") {
      end = glsl.find('\n', i);
    } else if (glsl.substr(i, 2) == "/*") {
      end = glsl.find("*/", i + 2);
      if (end != glsl.npos) end += 2;
    } else if (!std::isspace(static_cast<unsigned char>(glsl[i]))) {
      while (in_word(glsl[i]) && end < glsl.size() && in_word(glsl[end])) ++end;
      tokens.push_back(glsl.substr(i, end - i));
    }
  }
  return tokens;
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

// In a declaration, a name is the last word before a comma, an equals sign or the semicolon, outside brackets.
std::vector<std::string> declared_uniforms(std::string_view glsl) {
  std::vector<std::string> names;
  const std::vector<std::string_view> tokens = tokens_of(glsl);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != "uniform") continue;
    std::string_view word;
    bool in_struct = false, in_value = false;
    int depth = 0;
    for (++i; i < tokens.size(); ++i) {
      const std::string_view token = tokens[i];
      if (token == "{" && depth == 0 && !in_struct) break;  // a uniform block
      if (token == "(" || token == "[" || token == "{") {
        ++depth;
      } else if (token == ")" || token == "]" || token == "}") {
        --depth;
      } else if (depth > 0) {
        continue;
      } else if (token == "=" || token == "," || token == ";") {
        if (!word.empty()) names.emplace_back(word);
        word = {};
        in_value = token == "=";
        if (token == ";") break;
      } else if (!in_value) {
        in_struct |= token == "struct";
        word = token;
      }
    }
  }
  return names;
}

void Shader::build(const ShaderSource& load) {
  std::string head = "#version 450\n";
  for (const std::string& definition : definitions_) head += "#define " + definition + "\n";
  Handle<DeleteProgram> program(glCreateProgram());
  std::vector<Handle<DeleteShader>> stages;
  // Names of an earlier build are kept: whoever edits a shader may remove a uniform that the program still sets.
  auto locations = locations_;
  for (const std::string& path : paths_) {
    std::vector<std::string> files;
    std::string text = head;
    append(path, load, files, text);
    for (const std::string& name : declared_uniforms(text)) locations[name];
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
    throw sim::run_error(first_complaint(log_of(program.name(), glGetProgramiv, glGetProgramInfoLog), paths_));
  for (const auto& stage : stages) glDetachShader(program.name(), stage.name());
  for (auto& [name, place] : locations) place = glGetUniformLocation(program.name(), name.c_str());
  program_ = std::move(program);
  locations_ = std::move(locations);
}

Shader::Shader(std::vector<std::string> paths, std::vector<std::string> definitions)
    : paths_(std::move(paths)), definitions_(std::move(definitions)) {
  build(shader_text);
  if (!development_folder().empty()) stamp_ = stamp_of_folder();
}

Shader Shader::from_text(const std::vector<std::pair<std::string, std::string>>& sources) {
  Shader shader;
  for (const auto& source : sources) shader.paths_.push_back(source.first);
  shader.build([&](const std::string& path) {
    for (const auto& source : sources)
      if (source.first == path) return source.second;
    return shader_text(path);
  });
  return shader;
}

void Shader::reload_if_changed() {
  using Seconds = std::chrono::duration<double>;
  const double now = Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (stamp_ == 0 || now - looked_ < 0.5) return;
  looked_ = now;
  const std::uint64_t stamp = stamp_of_folder();
  if (stamp == stamp_) return;
  stamp_ = stamp;
  try {
    build(shader_text);
  } catch (const sim::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());  // only in development, while somebody is editing
  }
}

void Shader::use() {
  if (!development_folder().empty()) reload_if_changed();
  glUseProgram(program_.name());
}

GLint Shader::location(const char* name) {
  const auto known = locations_.find(name);
  if (known != locations_.end()) return known->second;
  // The name may be an element or a member of a declared uniform.
  const std::string_view whole(name), declared = whole.substr(0, whole.find_first_of("[."));
  if (declared == whole || !locations_.contains(declared))
    throw sim::run_error("shaders/" + paths_.back() + ": no uniform is called '" + name + "'");
  return locations_[name] = glGetUniformLocation(program_.name(), name);
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
void Shader::set(const char* name, std::span<const glm::vec2> values) {
  glProgramUniform2fv(program_.name(), location(name), GLsizei(values.size()), &values.data()->x);
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
  const std::size_t row = std::min<std::size_t>(groups, 32768);  // OpenGL guarantees 65,535 groups per dimension
  glDispatchCompute(GLuint(row), GLuint((groups + row - 1) / row), 1);
}

void dispatch_over(glm::ivec2 size, int layers) {
  glDispatchCompute(GLuint(size.x + 7) / 8, GLuint(size.y + 7) / 8, GLuint(layers));
}

void compute_image(Shader& shader, const Texture& image, GLenum format, GLbitfield barrier) {
  image.bind_image(0, format);
  shader.use();
  dispatch_over(image.size());
  glMemoryBarrier(barrier);
}

}  // namespace kinescope::render
