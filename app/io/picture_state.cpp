#include "app/io/picture_state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <zlib.h>

#include "app/io/session_data.hpp"
#include "kinescope/data/made.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr std::uint32_t most_bytes = 16 << 20;  // of a state
// Keyword, its end; not compressed; no language; no translated keyword (Portable Network Graphics, 11.3.3.4).
constexpr std::string_view keyword("kinescope\0\0\0\0\0", 14);

std::string big_endian(std::uint32_t number) {
  return {char(number >> 24), char(number >> 16), char(number >> 8), char(number)};
}

std::uint32_t number_at(const std::string& bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes) number = number << 8 | std::uint8_t(byte);
  return number;
}

std::uint32_t checksum_of_chunk(const std::string& chunk) {
  return std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), uInt(chunk.size())));
}

bool names_file(const std::string& text) {
  std::error_code error;
  return text.starts_with('/') || text.starts_with('~') ||
         (text.find('/') != std::string::npos && std::filesystem::exists(file_of(text), error));
}

void hide_paths(Texts& texts) {
  for (auto& [name, text] : texts)
    if (names_file(text)) text = name_within(text);
}

SavedSession without_paths(SavedSession session) {
  session.beside.clear();
  const bool is_file = !sim::is_made(session.data.source) && session.data.source != sim::standard_input;
  if (is_file) session.data.source = name_within(session.data.source);
  session.data.metadata = name_within(session.data.metadata);
  hide_paths(session.parameters);
  hide_paths(session.view);
  if (session.course) {
    hide_paths(session.course->begin);
    for (SavedCourse::Event& event : session.course->events) hide_paths(event.values);
  }
  return session;
}

// What lies between two texts; "" if there is no such place.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return "";
  text.remove_prefix(from + begin.size());
  return text.substr(0, text.find(end));
}

std::string with_characters(std::string text) {
  const std::pair<std::string_view, std::string_view> entities[] = {
      {"&quot;", "\""}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}};
  for (const auto& [entity, character] : entities)
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; at += character.size())
      text.replace(at, entity.size(), character);
  return text;
}

// A PDF's text in parentheses, after the first of them: a backslash stands before parentheses and backslashes.
std::string literal(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size() && text[i] != ')'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    result += text[i];
  }
  return result;
}

std::optional<std::string> state_of_vectors(const std::string& path) {
  constexpr std::uintmax_t most = 256 << 20;
  std::error_code error;
  if (std::filesystem::file_size(path, error) > most || error) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string head(5, '\0');
  if (!file.read(head.data(), std::streamsize(head.size())) || (head != "<svg " && head != "%PDF-"))
    return std::nullopt;
  const std::string text = head + std::string(std::istreambuf_iterator<char>(file), {});
  constexpr std::string_view keywords = "/Keywords (";
  std::string state = head == "<svg "
                          ? with_characters(std::string(between(text, R"(<metadata id="kinescope">)", "</metadata>")))
                          : literal(between(text, keywords, "endobj"));
  if (state.empty() || state.size() > most_bytes) return std::nullopt;
  return state;
}

}  // namespace

std::string state_keywords(const std::string& state) {
  return state.empty() ? "" : nlohmann::json::parse(state).dump(-1, ' ', true);
}

std::string portable_text(SavedSession session) {
  note_data("", session);
  return session_text(without_paths(std::move(session)), false);
}

SavedSession portable_session(const std::string& name, const std::string& state) {
  return without_paths(session_of(name, state));
}

std::string description_of(const SavedSession& session) {
  std::string text = session.simulation;
  if (!session.data.source.empty()) text += " of " + name_within(session.data.source);
  if (session.course) text += ", " + sim::count_of(std::size_t(session.course->iteration), "iteration");
  return text;
}

std::string with_state(const std::string& png, const std::string& state) {
  constexpr std::size_t header = 8 + 4 + 4 + 13 + 4;  // the signature and IHDR, which comes first
  if (state.empty() || png.size() < header || !png.starts_with(signature)) return png;
  const std::string chunk = "iTXt" + std::string(keyword) + state;
  const std::uint32_t sum = checksum_of_chunk(chunk);
  return png.substr(0, header) + big_endian(std::uint32_t(chunk.size() - 4)) + chunk + big_endian(sum) +
         png.substr(header);
}

std::optional<std::string> state_of_picture(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](std::size_t bytes) {
    std::string found(bytes, '\0');
    return file.read(found.data(), std::streamsize(bytes)) ? found : "";
  };
  if (read(signature.size()) != signature) return state_of_vectors(path);
  while (file) {
    const std::uint32_t size = number_at(read(4));
    const std::string type = read(4);
    if (type.empty() || type == "IEND") break;
    if (type != "iTXt" || size < keyword.size() || size > most_bytes) {
      file.seekg(std::streamoff(size) + 4, std::ios::cur);
      continue;
    }
    const std::string text = read(size);
    const bool is_whole = checksum_of_chunk(type + text) == number_at(read(4));
    if (is_whole && text.starts_with(keyword) && text.size() > keyword.size()) return text.substr(keyword.size());
  }
  return std::nullopt;
}

}  // namespace kinescope::app
