#include "kinescope/data/write.hpp"

#include <filesystem>

#include "kinescope/data/output_file.hpp"
#include "kinescope/data/table_writer.hpp"
#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

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

void write_bytes(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  for (std::size_t at = 0; at < bytes.size(); at += 1 << 16) file.append(bytes.substr(at, 1 << 16));
  file.keep();
}

const TableWriter* find_table_writer(std::string_view path) {
  for (const TableWriter* each : table_writers())
    if (ends_with_ignoring_case(path, each->ending)) return each;
  return nullptr;
}

std::vector<std::string> table_endings(const Endings& own) {
  std::vector<std::string> endings = own.first;
  for (const TableWriter* each : table_writers())
    if (each->holds_texts || !own.need_texts) endings.emplace_back(each->ending);
  endings.insert(endings.end(), own.last.begin(), own.last.end());
  return endings;
}

void write_with(const TableWriter& writer, const std::string& path, const Table& table) {
  OutputFile file(path);
  writer.append(file, table);
  file.keep();
}

void write_table(const std::string& path, const Table& table) {
  if (const TableWriter* const writer = find_table_writer(path)) return write_with(*writer, path, table);
  std::string endings;
  for (const std::string& each : table_endings()) endings += (endings.empty() ? "" : " or ") + each;
  throw file_error(path, "expected a name that ends in " + endings);
}

void write_output(Simulation& simulation, const std::string& output, const std::string& path) {
  if (!simulation.write(output, path)) write_table(path, simulation.table(output));
}

}  // namespace kinescope::sim
