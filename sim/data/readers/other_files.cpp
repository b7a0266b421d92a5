#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/readers/file_formats.hpp"
#include "sim/data/readers/input_file.hpp"
#include "sim/data/readers/inside.hpp"

namespace kinescope::sim {
namespace {

// `seen`: the names that have been looked into. Which files are read with one depends on its name, even if it is a
// link.
void add_other_files(const std::string& source, std::set<std::string>& seen, std::vector<std::string>& found) try {
  const Inside place = split_inside(source);
  std::error_code error;
  if (place.file == standard_input || !std::filesystem::is_regular_file(place.file, error)) return;
  InputFile file(place.file, nullptr, place.member);
  for (const FileFormat* each : file_formats()) {
    if (!each->other_files) continue;
    for (const std::string& name : each->other_files(file)) {
      const std::string other = std::filesystem::canonical(name, error).string();
      if (other.empty() || !seen.insert(name).second) continue;
      if (std::ranges::find(found, other) == found.end()) found.push_back(other);
      add_other_files(name, seen, found);
    }
  }
} catch (const Error&) {  // of reading it, which will be told
}

}  // namespace

std::vector<std::string> other_files(const std::string& source) {
  std::set<std::string> seen;
  std::vector<std::string> found;
  add_other_files(source, seen, found);
  return found;
}

}  // namespace kinescope::sim
