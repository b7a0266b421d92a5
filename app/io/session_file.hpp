// A session as a file, NAME.kinescope.json: which simulation, which data, which parameters, and how the view looked.
// People can read it, and it also serves as a preset of its parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::app {

using Texts = std::map<std::string, std::string>;

// How a run came to where it is shown: computed anew from here, it has the same state.
struct SavedCourse {
  struct Event {
    long iteration = 0;
    Texts values;  // the parameters that got other values; or
    std::optional<sim::Stimulus> touch;
  };
  long iteration = 0;
  bool ended = false;  // the run had ended there
  Texts begin;         // the parameters that had other values at the beginning than at the end
  std::vector<Event> events;
};

struct SavedSession {
  std::string simulation;
  sim::DataRequest data;  // files by their absolute path
  Texts parameters;
  std::uint64_t seed = 1;
  double pace = 20;      // iterations a second; infinity: no limit
  Texts view;            // what scenes and features keep (app/scenes/kept_state.hpp)
  std::string beside;    // the path of the data from the session's folder (session_data.hpp); "": unknown
  std::string checksum;  // of the data
  std::optional<SavedCourse> course = std::nullopt;  // none: the run begins anew
};

inline constexpr const char* session_ending = ".kinescope.json";
bool is_session_file(const std::string& path);

// Throws sim::Error (input), one line with the file's name; if there are no data, too. What the file leaves out has its
// default.
SavedSession load_session(const std::string& path);
void save_session(const std::string& path, SavedSession session);
// The same from and to the text of the file; errors name `path`.
SavedSession session_of(const std::string& path, const std::string& text);
// `whole`: files are told by their absolute paths.
std::string session_text(const SavedSession& session, bool whole = true);

// How the text of each begins.
inline constexpr std::string_view session_beginning = "{\n  \"simulation\"";

// Where the window keeps its last session; "" if it cannot be kept.
std::string last_session_path();

}  // namespace kinescope::app
