#include "sim/data/writers/write.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/text.hpp"
#include "sim/data/writers/output_file.hpp"

namespace kinescope::sim {
namespace {

// Creates an empty file with a new name in the folder of `target`, with its ending, because some writers go by the
// ending.
std::string create_beside(const std::string& target, const std::string& shown_path, mode_t mode) {
  static std::atomic<unsigned> counter{0};
  const std::size_t slash = target.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "" : target.substr(0, slash + 1);
  const std::string name = target.substr(folder.size());
  const std::size_t dot = name.find_last_of('.');
  const std::string ending = dot == std::string::npos || name.size() - dot > 16 ? "" : name.substr(dot);
  for (;;) {
    std::string temporary =
        folder + ".kinescope-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ending;
    const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0) {
      close(descriptor);
      return temporary;
    }
    if (errno == ENOENT || errno == ENOTDIR) throw file_error(shown_path, "its folder does not exist");
    if (errno != EEXIST) throw cannot_write(shown_path, errno);
  }
}

// The temporary names for drop_staged_files(). A program writes few files at a time; those beyond have no place.
std::array<std::atomic<const char*>, 16> staged_names;
static_assert(std::atomic<const char*>::is_always_lock_free);

std::size_t put_name(const char* name) {
  for (std::size_t place = 0; place < staged_names.size(); ++place)
    if (const char* free = nullptr; staged_names[place].compare_exchange_strong(free, name)) return place;
  return staged_names.size();
}

void take_name(std::size_t place) {
  if (place < staged_names.size()) staged_names[place] = nullptr;
}

// Flushes to the disk: even if the machine stops, a name never leads to less than the whole file.
void flush_to_disk(const std::string& path, int flags, const std::string& shown_path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (descriptor < 0) throw cannot_write(shown_path, errno);
  const int code = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  // Some file systems cannot flush, and say so.
  if (code != 0 && code != EINVAL && code != ENOTSUP && code != EROFS) throw cannot_write(shown_path, code);
}

void append_text(OutputFile& file, std::string_view text) {
  const bool plain = text.find_first_of(",;\t\"\r\n") == std::string_view::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' ' && text.front() != '#'));
  if (plain) return file.append(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  file.append(quoted + '"');
}

template <class Number, class Bits>
void append_binary(OutputFile& file, Number value) {
  const auto bits = std::bit_cast<Bits>(value);
  char bytes[sizeof bits];
  for (std::size_t i = 0; i < sizeof bits; ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
  file.append({bytes, sizeof bits});
}
void append_float(OutputFile& file, float value) {
  append_binary<float, std::uint32_t>(file, value);
}

std::string npy_header(const std::vector<std::size_t>& shape, const char* type = "<f4") {
  std::string sizes;
  for (const std::size_t size : shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  if (shape.size() == 1) sizes += ",";
  std::string dictionary = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  constexpr std::size_t fixed_bytes = 10, alignment = 64;
  while ((fixed_bytes + dictionary.size() + 1) % alignment != 0) dictionary += ' ';
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace

bool is_open_stream(const std::string& path) {
  std::error_code error;
  const std::string folder = std::filesystem::canonical(std::filesystem::path(path).parent_path(), error).string();
  return !error && folder.starts_with("/proc/") && folder.ends_with("/fd");
}

std::string written_file(const std::string& path) {
  std::filesystem::path file(path);
  std::error_code error;
  for (int links = 0; links < 40 && !is_open_stream(file.string()) &&
                      std::filesystem::is_symlink(std::filesystem::symlink_status(file, error));
       ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(file, error);
    if (error) break;
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  return file.string();
}

StagedFile::StagedFile(const std::string& path) : path_(path) {
  if (path.empty()) throw input_error("the name of the file to write is empty");
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw file_error(path, "is a directory");
  if (exists && access(path.c_str(), W_OK) != 0) throw cannot_write(path, errno);
  if (path.back() == '/') throw file_error(path, "is the name of a folder");
  target_ = written_file(path);
  temporary_ = create_beside(target_, path, exists ? status.st_mode & 0777 : 0666);
  place_ = put_name(temporary_.c_str());
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  take_name(place_);
}

void StagedFile::keep() {
  flush_to_disk(temporary_, O_NOFOLLOW, path_);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) throw cannot_write(path_, errno);
  take_name(std::exchange(place_, staged_names.size()));
  temporary_.clear();
  const std::size_t slash = target_.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : target_.substr(0, slash + 1);
  if (access(folder.c_str(), R_OK) == 0) flush_to_disk(folder, O_DIRECTORY, path_);  // flushes the new name too
}

void drop_staged_files() {
  for (const std::atomic<const char*>& name : staged_names)
    if (const char* const temporary = name) unlink(temporary);
}

void write_then_rename(const std::string& path, const std::function<void(const std::string& temporary)>& write) {
  struct stat status {};
  // A device or a pipe must stay what it is, and has no half-written state.
  const bool stays = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  if (stays && access(path.c_str(), W_OK) != 0) throw cannot_write(path, errno);
  if (stays) return write(path);
  StagedFile staged(path);
  write(staged.temporary());
  staged.keep();
}

void write_bytes(const std::string& path, std::string_view bytes) {
  write_then_rename(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    for (std::size_t at = 0; at < bytes.size(); at += 1 << 16) file.append(bytes.substr(at, 1 << 16));
    file.close();
  });
}

void write_csv(const std::string& path, const Table& table) {
  write_then_rename(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) file.append(",");
      append_text(file, table.columns[i].name);
    }
    file.append("\n");
    for (std::size_t row = 0; row < table.rows; ++row) {
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column& column = table.columns[i];
        const bool missing = column.is_text ? column.texts[row].empty() : std::isnan(column.numbers[row]);
        if (i > 0) file.append(",");
        if (missing && table.columns.size() == 1) file.append("\"\"");  // a blank line would be skipped when it is read
        if (missing) continue;
        column.texts.empty() ? file.append(number_text(column.numbers, row)) : append_text(file, column.texts[row]);
      }
      file.append("\n");
    }
    file.close();
  });
}

void write_npy(const std::string& path, const Table& table) {
  std::vector<const Column*> columns;
  for (const Column& column : table.columns)
    if (!column.is_text) columns.push_back(&column);
  write_then_rename(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    const bool single =
        std::all_of(columns.begin(), columns.end(), [](auto* each) { return each->numbers.fit_float(); });
    file.append(npy_header({table.rows, columns.size()}, single ? "<f4" : "<f8"));
    for (std::size_t row = 0; row < table.rows; ++row)
      for (const Column* column : columns)
        single ? append_float(file, static_cast<float>(column->numbers[row]))
               : append_binary<double, std::uint64_t>(file, column->numbers[row]);
    file.close();
  });
}

void write_npy(const std::string& path, const std::vector<std::size_t>& shape, std::span<const float> values) {
  write_then_rename(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    file.append(npy_header(shape));
    for (const float value : values) append_float(file, value);
    file.close();
  });
}

void write_table(const std::string& path, const Table& table) {
  if (ends_with_ignoring_case(path, ".csv")) return write_csv(path, table);
  if (ends_with_ignoring_case(path, ".npy")) return write_npy(path, table);
  throw file_error(path, "expected a name that ends in .csv or .npy");
}

void write_output(Simulation& simulation, const std::string& output, const std::string& path) {
  if (!simulation.write(output, path)) write_table(path, simulation.table(output));
}

}  // namespace kinescope::sim
