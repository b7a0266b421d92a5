#include "sim/data/readers/graph/entities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// The character of "quot" or "#228"; 0 if there is none.
std::uint32_t character_of(std::string_view entity) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> names = {
      {{"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}}};
  for (const auto& [name, character] : names)
    if (entity == name) return static_cast<std::uint32_t>(character);
  if (!entity.starts_with('#')) return 0;
  entity.remove_prefix(1);
  const bool hexadecimal = entity.starts_with('x') || entity.starts_with('X');
  if (hexadecimal) entity.remove_prefix(1);
  std::uint32_t code = 0;
  const char* const end = entity.data() + entity.size();
  const auto [stop, status] = std::from_chars(entity.data(), end, code, hexadecimal ? 16 : 10);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return status == std::errc() && stop == end && code <= 0x10FFFF && !surrogate ? code : 0;
}

}  // namespace

std::string without_entities(std::string_view text) {
  constexpr std::size_t longest = 10;
  std::string result;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find('&'), text.size());
    result += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, longest).find(';');
    const std::uint32_t code = end == std::string_view::npos ? 0 : character_of(text.substr(1, end - 1));
    if (code > 0)
      append_utf8(result, code);
    else
      result += '&';
    text.remove_prefix(code > 0 ? end + 1 : 1);
  }
  return result;
}

}  // namespace kinescope::sim
