// How much a reader accepts: hostile files and typing errors end in a one-line error, not in a machine that swaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kinescope::sim {

inline constexpr std::size_t maximum_line_bytes = std::size_t{64} << 20;  // 64 MiB
inline constexpr std::size_t maximum_columns = 1'000'000;
inline constexpr double largest_float = 3.4028234663852886e38;  // what takes part in distances must not be beyond
inline constexpr std::uint64_t maximum_rows = (std::uint64_t{1} << 31) - 1;  // indices of rows are 32-bit integers

// Throws Error (run), "SOURCE: out of memory: 12.5 GiB are needed, 8.0 GiB are free", if `bytes` exceed what the
// machine, the container and the process's own limit still allow.
void require_memory(const std::string& source, double bytes);

// A file that leaves out what is 0, missing or repeated may be far smaller than what it becomes. Throws Error (input)
// for more than 16 million `things` ("edges") made of `bytes` of a file, if they are more than 64 for each byte.
void require_density(const std::string& source, std::uint64_t count, const std::string& things, std::uint64_t bytes);

// Texts that a file may hold once for many rows or names: categories, defaults, names around others. What is beyond the
// first 64 bytes of each may take so many bytes, or 64 for each byte of the file.
class RepeatedTexts {
 public:
  static constexpr std::uint64_t of_rows = 256 << 20, of_names = 16 << 20;
  explicit RepeatedTexts(std::uint64_t always = of_rows) : always_(always) {}

  // Throws Error (input) if `times` more texts of so many bytes are too much.
  void add(const std::string& source, std::uint64_t file_bytes, std::size_t text_bytes, std::size_t times = 1);

 private:
  std::uint64_t always_, long_bytes_ = 0;
};

// Throws Error (input) for a table of no rows, no columns, or too many of either; Error (run) if its numbers do not fit
// into memory.
void require_table(const std::string& source, std::uint64_t rows, std::uint64_t columns);

}  // namespace kinescope::sim
