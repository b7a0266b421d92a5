// A session as a file, NAME.kinescope.json: which simulation, which data, which parameters, and how the view looked.
// People can read it, and it also serves as a preset of its parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "kinescope/data/load.hpp"

namespace kinescope::app {

using Texts = std::map<std::string, std::string>;

struct SavedSession {
  std::string simulation;
  sim::DataRequest data;  // files by their absolute path
  Texts parameters;
  std::uint64_t seed = 1;
  double pace = 20;  // iterations a second; infinity: no limit
  Texts view;        // what scenes and features keep (app/scenes/kept_state.hpp)
};

inline constexpr const char* session_ending = ".kinescope.json";
bool is_session_file(const std::string& path);

// Throws sim::Error (input), one line with the file's name. What the file leaves out has its default.
SavedSession load_session(const std::string& path);
void save_session(const std::string& path, const SavedSession& session);
// The same from and to the text of the file; errors name `path`.
SavedSession session_of(const std::string& path, const std::string& text);
std::string session_text(const SavedSession& session);

// How the text of each begins.
inline constexpr std::string_view session_beginning = "{\n  \"simulation\"";

// Where the window keeps its last session; "" if it cannot be kept.
std::string last_session_path();

}  // namespace kinescope::app
