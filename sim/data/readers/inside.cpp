#include "sim/data/readers/inside.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unistd.h>

#include "sim/data/readers/file_formats.hpp"
#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
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

}  // namespace

Inside split_inside(const std::string& source) {
  Inside place{source, ""};
  if (access(source.c_str(), F_OK) == 0) return place;
  std::size_t colon = colon_after(source, true);
  std::error_code none;
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
