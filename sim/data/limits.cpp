#include "sim/data/limits.hpp"

#include <cstdio>
#include <unistd.h>

#include "sim/core/error.hpp"

namespace kinescope::sim {

void require_memory(const std::string& source, double bytes) {
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (machine <= 0 || bytes <= machine) return;
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  char text[128];
  std::snprintf(text, sizeof text, ": needs %.1f GiB of memory; this machine has %.1f GiB", bytes / gibibyte,
                machine / gibibyte);
  throw run_error(source + text);
}

}  // namespace kinescope::sim
