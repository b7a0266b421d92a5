// Which format a file has, which part of it a name means, and which files are read with it.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/unreadable.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

extern const FileFormat csv_format;

namespace {

// Where the colon after one of these endings is; npos if there is none.
std::size_t colon_after(std::string_view source, bool archive) {
  const auto has_parts = [](std::string_view name) {
    return std::ranges::any_of(
        file_formats(), [&](const FileFormat* each) { return each->has_parts && has_ending(name, each->endings); });
  };
  for (std::size_t colon = source.find(':'); colon != std::string::npos; colon = source.find(':', colon + 1)) {
    const std::string_view before = source.substr(0, colon), plain = without_packing(before);
    if (archive ? ends_with_ignoring_case(before, ".zip") : has_parts(plain)) return colon;
  }
  return std::string_view::npos;
}

// Where the last colon after the name of a file that exists is; npos if there is none.
std::size_t colon_after_a_file(const std::string& source) {
  std::error_code none;
  for (std::size_t colon = source.rfind(':'); colon != std::string::npos && colon > 0;
       colon = source.rfind(':', colon - 1))
    if (std::filesystem::is_regular_file(source.substr(0, colon), none)) return colon;
  return std::string::npos;
}

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

bool has_ending(std::string_view path, std::string_view endings) {
  path = without_packing(path);
  while (!endings.empty()) {
    const std::string_view ending = endings.substr(0, endings.find(' '));
    if (ends_with_ignoring_case(path, ending)) return true;
    endings.remove_prefix(std::min(ending.size() + 1, endings.size()));
  }
  return false;
}

const FileFormat& recognize(InputFile& file) {
  const FileFormat* best = &csv_format;
  Fit fit = Fit::no;
  for (const FileFormat* each : file_formats())
    if (const Fit found = each->fit(file); found > fit) best = each, fit = found;
  if (fit >= Fit::likely) return *best;
  refuse_unreadable(file);
  for (const FileFormat* each : file_formats())
    if (!each->otherwise.empty() && has_ending(file.path(), each->endings))
      throw file_error(file.path(), std::string(each->otherwise));
  require_text(file);
  return *best;
}

bool holds_graph(const std::string& source) try {
  const Inside place = split_inside(source);
  std::error_code error;
  if (place.file != standard_input && !std::filesystem::is_regular_file(place.file, error)) return false;
  InputFile file(place.file, nullptr, place.member);
  return recognize(file).is_graph;
} catch (const Error&) {
  return false;
}

std::vector<std::string> other_files(const std::string& source) {
  std::set<std::string> seen;
  std::vector<std::string> found;
  add_other_files(source, seen, found);
  return found;
}

Inside split_inside(const std::string& source) {
  Inside place{source, ""};
  std::error_code none;
  if (std::filesystem::exists(source, none)) return place;
  std::size_t colon = colon_after(source, true);
  if (colon != std::string::npos && !std::filesystem::is_regular_file(source.substr(0, colon), none))
    if (const std::size_t other = colon_after_a_file(source); other != std::string::npos)
      return {source.substr(0, other), source.substr(other + 1)};
  const bool archived = colon != std::string::npos;
  if (archived) {
    place.file = source.substr(0, colon);
    place.member = source.substr(colon + 1);
  }
  std::string& whole = archived ? place.member : place.file;
  colon = colon_after(whole, false);
  if (colon == std::string::npos && !archived) colon = colon_after_a_file(whole);
  if (colon == std::string::npos) return place;
  place.name = whole.substr(colon + 1);
  whole.resize(colon);
  return place;
}

}  // namespace kinescope::sim
