// A session as a file, NAME.kinescope.json: which simulation, of which data, with which parameters, and what the view
// looked like. Readable, and a preset of its parameters too.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/data/load.hpp"

namespace kinescope::app {

using Texts = std::map<std::string, std::string>;

struct SavedSession {
  std::string simulation;
  sim::DataRequest data;  // files by their whole path
  Texts parameters;
  std::uint64_t seed = 1;
  double pace = 20;  // iterations a second; infinity: as fast as it goes
  Texts view;        // Scene::view_state
};

inline constexpr const char* session_ending = ".kinescope.json";
bool is_session_file(const std::string& path);

// Throw sim::Error (input), one line with the file's name. What a file leaves out is as by default.
SavedSession load_session(const std::string& path);
void save_session(const std::string& path, const SavedSession& session);

// Where the last session of a window is kept; "" where nothing can be.
std::string last_session_path();

}  // namespace kinescope::app
