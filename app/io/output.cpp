#include "app/io/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinescope/data/output_file.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/input_file.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"

namespace kinescope::app {
namespace {

// The length of the valid UTF-8 sequence at the text's beginning, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // some terminals obey U+0080 … U+009F as well
  return length == 2 && first == 0xC2 && byte(1) < 0xA0 ? 0 : length;
}

std::string identity(const struct stat& status) {
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

// Identifies a file whatever it is called: by device and inode, or, if it does not exist yet, by its folder and its
// name. Empty if it cannot exist.
std::string identity(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return identity(status);
  std::filesystem::path file(sim::written_file(path));
  if (!file.has_filename()) file = file.parent_path();  // "folder/"
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (stat(folder.c_str(), &status) != 0) return "";
  return identity(status) + "/" + file.filename().string();
}

// The same for a standard stream that the shell has redirected to a file; empty for others.
std::string identity(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? identity(status) : "";
}

// Why an existing file that may be written cannot be replaced by a new one; "" if it can.
std::string why_not_replaced(const std::string& path) {
  struct statx found {};
  if (statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &found) != 0) return "";
  if ((found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) return "it is a mount point; mount its folder instead";
  if ((found.stx_attributes & (STATX_ATTR_APPEND | STATX_ATTR_IMMUTABLE)) != 0)
    return "it is append-only or immutable (lsattr)";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  struct stat around {};
  const bool sticky = stat(folder.empty() ? "." : folder.c_str(), &around) == 0 && (around.st_mode & S_ISVTX) != 0;
  const uid_t user = geteuid();
  if (sticky && user != 0 && found.stx_uid != user && around.st_uid != user)
    return "it belongs to somebody else, in a folder where only owners replace files";
  return "";
}

// Whether one is a folder, and the other a file in it that does not exist yet.
bool is_within(const std::string& one, const std::string& other) {
  return one.starts_with(other + "/") || other.starts_with(one + "/");
}

}  // namespace

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (line.size() + std::max<std::size_t>(length, 1) > longest) return line + "…";
    const char c = text.front();
    if (c == '\n' || c == '\r' || c == '\t')
      line += ' ';
    else if (length == 0 || (length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)))
      line += '?';
    else
      line += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return line;
}

void check_output(const std::string& option, const std::string& path, const std::vector<std::string>& endings) {
  if (path.empty()) return;
  if (path == standard_output && endings.empty()) return;
  namespace fs = std::filesystem;
  const fs::path file(path);
  const std::string ending = file.extension().string();
  if (!endings.empty() && std::ranges::find(endings, ending) == endings.end())
    throw sim::file_error(path, fmt::format("{} writes a file that ends in {}", option, fmt::join(endings, " or ")));
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::none) throw sim::file_error(path, "cannot be written: " + error.message());
  if (sim::is_open_stream(sim::written_file(path)))
    throw sim::file_error(path, "is an open stream; - stands for standard output");
  if (fs::is_directory(status)) throw sim::file_error(path, "is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) throw sim::file_error(path, "is not a regular file");
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0)
    throw sim::file_error(path, std::string("cannot be written: ") + std::strerror(errno));
  const fs::path written = fs::path(sim::written_file(path)).parent_path(), folder = written.empty() ? "." : written;
  if (const std::string obstacle = why_not_replaced(sim::written_file(path)); !obstacle.empty())
    throw sim::file_error(path, "cannot be replaced: " + obstacle);
  if (!fs::exists(folder, error) && !error) throw sim::file_error(path, folder.string() + " does not exist");
  sim::hold_output(path);
}

void check_apart(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  struct Known {
    std::string identity;
    const NamedFile& file;
    bool is_input;
  };
  std::vector<Known> known;
  for (const NamedFile& input : inputs) {
    if (input.path.empty()) continue;
    known.push_back(
        {input.path == sim::standard_input ? identity(STDIN_FILENO) : identity(sim::split_inside(input.path).file),
         input, true});
    for (const std::string& other : sim::other_files(input.path)) known.push_back({identity(other), input, true});
  }
  for (const NamedFile& output : outputs) {
    const std::string place = output.path == standard_output ? identity(STDOUT_FILENO) : identity(output.path);
    if (output.path.empty() || place.empty()) continue;
    for (const Known& other : known) {
      if (other.identity == place && other.is_input)
        throw sim::file_error(output.path, output.option + " would overwrite what " + other.file.option + " reads");
      if (other.identity == place)
        throw sim::file_error(output.path, other.file.option + " and " + output.option + " name the same file");
      if (!other.identity.empty() && !other.is_input && is_within(other.identity, place))
        throw sim::file_error(output.path, other.file.option + " and " + output.option + " name the same folder");
    }
    known.push_back({place, output, false});
  }
}

void FinalWrites::operator()(const std::function<void()>& write) {
  try {
    write();
  } catch (const sim::Error& error) {
    failures_ += (failures_.empty() ? "" : "; ") + std::string(error.what());
  }
}

std::string FinalWrites::after(const std::string& line) const {
  return line + (failures_.empty() ? "" : "; ") + failures_;
}

void FinalWrites::finish() const {
  if (!failures_.empty()) throw sim::run_error(failures_);
}

std::string aligned(const Rows& rows, const std::vector<std::size_t>& right) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - characters(row[i]), ' ');
      const bool to_right = std::find(right.begin(), right.end(), i) != right.end();
      line += (i ? "  " : "") + (to_right ? space + row[i] : row[i] + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

std::string upper_first(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace kinescope::app
