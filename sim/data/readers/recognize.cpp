#include <algorithm>
#include <filesystem>
#include <string>

#include "sim/core/error.hpp"
#include "sim/data/readers/file_formats.hpp"
#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/unreadable.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

extern const FileFormat csv_format;

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

}  // namespace kinescope::sim
