// Writes results as files, each completely or not at all (OutputFile).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/simulation.hpp"

namespace kinescope::sim {

// Whether `path` names a stream that a process has open, /proc/…/fd/1: the file behind it is not that process's to
// replace.
bool is_open_stream(const std::string& path);
// The file that writing to `path` makes or replaces, whether it exists or not: a symbolic link stays. The names of open
// streams, to which /dev/stdout leads, are not followed.
std::string written_file(const std::string& path);

// Writes the bytes unchanged.
void write_bytes(const std::string& path, std::string_view bytes);
// CSV with enough digits to read the same number back, as float32 if the column is one (shortest round trip); a missing
// value is an empty cell; text is quoted where needed.
void write_csv(const std::string& path, const Table& table);
// NumPy format 1.0, little-endian float32, or float64 if float32 would lose digits; shape (rows, numeric columns), C
// order; text columns are left out.
void write_npy(const std::string& path, const Table& table);
// Writes an array of any shape in this format: `values` are in C order.
void write_npy(const std::string& path, const std::vector<std::size_t>& shape, std::span<const float> values);
// The file's ending decides which of table_writers() writes it; any other is an input error that names them all.
void write_table(const std::string& path, const Table& table);
// Writes one of the outputs of the simulation's kind, completely or not at all; waits for the device. Throws Error.
void write_output(Simulation& simulation, const std::string& output, const std::string& path);

}  // namespace kinescope::sim
