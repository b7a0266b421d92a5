#include "sim/data/limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

namespace {

// The number after `name` in a small system file; `otherwise` if there is none.
double number_in(const char* path, std::string_view name, double unit, double otherwise = INFINITY) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    double value = 0;
    if (line.starts_with(name) && std::sscanf(line.c_str() + name.size(), "%lf", &value) == 1) return value * unit;
  }
  return otherwise;
}

// The memory that this process may still take: the least of what the machine has available (MemAvailable), what its
// container may still take, and what the process's own limit leaves.
double available_memory() {
  double available = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (!(available > 0)) available = INFINITY;
  available = std::min(available, number_in("/proc/meminfo", "MemAvailable:", 1024));
  available = std::min(available, number_in("/sys/fs/cgroup/memory.max", "", 1) -
                                      number_in("/sys/fs/cgroup/memory.stat", "anon ", 1, 0));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    available =
        std::min(available, static_cast<double>(limit.rlim_cur) - number_in("/proc/self/status", "VmSize:", 1024, 0));
  return available;
}

}  // namespace

void require_memory(const std::string& source, double bytes) {
  constexpr double always_there = 64 << 20;  // not worth asking the system
  if (bytes <= always_there) return;
  const double available = available_memory();
  if (!std::isfinite(available) || bytes <= available) return;
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  char text[128];
  std::snprintf(text, sizeof text, ": out of memory: %.1f GiB are needed, %.1f GiB are free", bytes / gibibyte,
                std::max(0.0, available) / gibibyte);
  throw run_error(source + text);
}

void require_density(const std::string& source, std::uint64_t count, const std::string& things, std::uint64_t bytes) {
  constexpr std::uint64_t always = 16'000'000, each_byte = 64;
  if (count <= std::max(always, each_byte * bytes)) return;
  throw file_error(source, bytes_text(bytes) + " would become " + with_commas(count) + " " + things +
                               ", of which a file may give 16 million, or 64 for each of its bytes");
}

void RepeatedTexts::add(const std::string& source, std::uint64_t file_bytes, std::size_t text_bytes,
                        std::size_t times) {
  constexpr std::uint64_t usual = 64, each_byte = 64;
  if (text_bytes <= usual) return;
  long_bytes_ += (text_bytes - usual) * times;
  if (long_bytes_ <= std::max(always_, each_byte * file_bytes)) return;
  throw file_error(source, bytes_text(file_bytes) + " would become " + bytes_text(long_bytes_) +
                               " of long texts, which many rows or names repeat");
}

void require_table(const std::string& source, std::uint64_t rows, std::uint64_t columns) {
  if (rows == 0 || columns == 0) throw file_error(source, rows == 0 ? "no rows" : "no columns");
  if (columns > maximum_columns) throw file_error(source, "more than " + std::to_string(maximum_columns) + " columns");
  if (rows > maximum_rows) throw file_error(source, "more than " + std::to_string(maximum_rows) + " rows");
  require_memory(source, static_cast<double>(rows) * static_cast<double>(columns) * sizeof(float));
}

}  // namespace kinescope::sim
