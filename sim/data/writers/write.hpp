// Writes results as files. Each is written beside its name and then renamed, so that no half-written file is ever seen.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/simulation.hpp"

namespace kinescope::sim {

// Whether `path` names a stream that a process has open, /proc/…/fd/1: the file behind it is not that process's to
// replace.
bool is_open_stream(const std::string& path);
// The file that writing to `path` makes or replaces, whether it exists or not: a symbolic link stays. The names of open
// streams, to which /dev/stdout leads, are not followed.
std::string written_file(const std::string& path);

// A file that gets its name once it is whole.
class StagedFile {
 public:
  // Makes an empty file in the folder of `path`, with a name of its own. Throws Error (input), one line, if `path`
  // cannot be written.
  explicit StagedFile(const std::string& path);
  ~StagedFile();  // removes it if it was not kept
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  // Flushes it to the disk, then renames it to `path`. Throws Error.
  void keep();

 private:
  std::string path_, target_, temporary_;  // temporary_ is "" once it has been renamed
  std::size_t place_;                      // in the list for drop_staged_files()
};

// Removes all files that were not kept yet. A handler of the signal that ends the program may call it.
void drop_staged_files();

// Calls `write` with a temporary path in the same folder, flushes the file to the disk, then renames it to `path`;
// removes it if `write` throws. Throws Error (input), one line, if the folder cannot be written.
void write_then_rename(const std::string& path, const std::function<void(const std::string& temporary)>& write);

// Writes the bytes unchanged.
void write_bytes(const std::string& path, std::string_view bytes);
// CSV with enough digits to read the same number back (shortest round trip); a missing value is an empty cell; text is
// quoted where needed.
void write_csv(const std::string& path, const Table& table);
// NumPy format 1.0, little-endian float32, or float64 if float32 would lose digits; shape (rows, numeric columns), C
// order; text columns are left out.
void write_npy(const std::string& path, const Table& table);
// Writes an array of any shape in this format: `values` are in C order.
void write_npy(const std::string& path, const std::vector<std::size_t>& shape, std::span<const float> values);
// The file's ending decides, .csv or .npy; any other is an input error that names the two.
void write_table(const std::string& path, const Table& table);
// Writes one of the outputs of the simulation's kind, completely or not at all; waits for the device. Throws Error.
void write_output(Simulation& simulation, const std::string& output, const std::string& path);

}  // namespace kinescope::sim
