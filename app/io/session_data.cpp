#include "app/io/session_data.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <vector>

#include "kinescope/data/made.hpp"
#include "sim/core/sip_hash.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"

namespace kinescope::app {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& source) {
  return !source.empty() && !sim::is_made(source) && source != sim::standard_input;
}

}  // namespace

std::string file_of(const std::string& source) {
  std::error_code error;
  for (std::size_t end = source.find(':'); end != std::string::npos && !fs::exists(source, error);
       end = source.find(':', end + 1))
    if (fs::is_regular_file(source.substr(0, end), error)) return source.substr(0, end);
  return source;
}

std::string name_within(const std::string& source) {
  const std::string file = file_of(source);
  return file.substr(file.find_last_of("/\\") + 1) + source.substr(file.size());
}

std::string checksum_of(const std::string& path) {
  constexpr std::uintmax_t part = 16 << 20;
  std::error_code error;
  const std::string name = file_of(path);
  if (!fs::is_regular_file(name, error)) return "";
  const std::uintmax_t size = fs::file_size(name, error);
  std::ifstream file(name, std::ios::binary);
  if (error || !file) return "";
  std::string bytes(std::min(size, 2 * part), '\0');
  const auto first = std::streamsize(std::min<std::uintmax_t>(size, part)),
             last = std::streamsize(bytes.size()) - first;
  file.read(bytes.data(), first);
  if (last > 0) file.seekg(-last, std::ios::end).read(bytes.data() + first, last);
  return file ? fmt::format("{}-{:016x}", size, sim::sip_hash(0, 0, bytes)) : "";
}

void note_data(const std::string& path, SavedSession& session) {
  if (!is_file(session.data.source)) return;
  std::error_code error;
  const fs::path folder = fs::absolute(fs::path(path).parent_path(), error).lexically_normal();
  const fs::path data = fs::absolute(session.data.source, error).lexically_normal();
  session.beside = data.lexically_relative(folder).generic_string();
  session.checksum = checksum_of(session.data.source);
}

bool find_data(const std::string& path, SavedSession& session, const std::vector<std::string>& others) {
  const auto find = [&](std::string& source, const std::string& beside, const std::string& checksum) {
    if (!is_file(source)) return true;
    const fs::path folder = fs::path(path).parent_path();
    std::vector<std::string> places = {(folder / beside).lexically_normal().string(),
                                       (folder / name_within(source)).string(), source};
    if (beside.empty()) places.erase(places.begin());
    std::error_code error;
    std::erase_if(places, [&](const std::string& place) { return !fs::exists(file_of(place), error); });
    const std::size_t near = places.size();
    places.insert(places.end(), others.begin(), others.end());
    const auto right = std::ranges::find_if(
        places, [&](const std::string& place) { return !checksum.empty() && checksum_of(place) == checksum; });
    if (right == places.end() && near == 0) return false;
    // Without a checksum the data are where they were, if they still are.
    source = right != places.end() ? *right : checksum.empty() ? places[near - 1] : places.front();
    return true;
  };
  find(session.data.metadata, "", "");
  for (auto& [name, text] : session.parameters) {  // files, such as the start of k-means
    std::error_code error;
    const std::string beside = (fs::path(path).parent_path() / name_within(text)).string();
    if (text.find('.') != std::string::npos && !fs::exists(file_of(text), error) && fs::is_regular_file(beside, error))
      text = beside;
  }
  return find(session.data.source, session.beside, session.checksum);
}

bool has_changed(const SavedSession& session) {
  return !session.checksum.empty() && checksum_of(session.data.source) != session.checksum;
}

}  // namespace kinescope::app
