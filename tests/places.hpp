// Where tests find files: beside the executable, wherever it stands. A build and a bundle look alike from there: the
// project's (or the bundle's) folder is the one above the executable's.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kinescope::tests {

inline std::filesystem::path executable_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

// A file of the project by its path from the top; the environment variable KINESCOPE_PROJECT may name the top.
inline std::string project_file(const std::string& path) {
  const char* named = std::getenv("KINESCOPE_PROJECT");
  return ((named ? std::filesystem::path(named) : executable_folder().parent_path()) / path).string();
}

// The folder of real data (KINESCOPE_DATA, or ../shared/data beside the project), "" where it is absent.
inline std::string data_folder() {
  const char* named = std::getenv("KINESCOPE_DATA");
  const std::string folder = named ? named : project_file("../shared/data");
  return std::filesystem::is_directory(folder) ? folder : "";
}

// A file of the real data, "" where it is absent.
inline std::string data_file(const std::string& name) {
  const std::string folder = data_folder();
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  return !folder.empty() && std::filesystem::exists(path) ? path.string() : "";
}

// The program (KINESCOPE_PROGRAM, or the one that was built or bundled with the tests).
inline std::string program_path() {
  if (const char* named = std::getenv("KINESCOPE_PROGRAM")) return named;
  const std::filesystem::path built = executable_folder() / "kinescope";
  return (std::filesystem::exists(built) ? built : executable_folder().parent_path() / "bin/kinescope").string();
}

}  // namespace kinescope::tests
