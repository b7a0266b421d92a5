#include "sim/glimmer/rivals/all_pairs.hpp"

#include <algorithm>
#include <string>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/limits.hpp"

namespace kinescope::sim::glimmer {

void whole_row(const InputDistances& distances, std::size_t from, std::span<float> to) {
  if (!distances.by_rows()) return distances.row(from, to);
  constexpr std::size_t block = 2048;
  in_parallel((to.size() + block - 1) / block, 1, [&](std::size_t b) {
    distances.part(from, b * block, to.subspan(b * block, std::min(block, to.size() - b * block)));
  });
}

std::vector<float> all_pairs(const InputDistances& distances, const Dataset& data, const char* algorithm) {
  const std::size_t n = distances.points();
  if (n > all_pairs_limit)
    throw input_error(data.name + ": " + algorithm + " needs the distances of all pairs: at most " +
                      std::to_string(all_pairs_limit) + " points; pivot-mds and landmark have no such limit")
        .with({.parameter = "algorithm", .value = "pivot-mds"});
  const std::size_t pairs = n * (n - 1) / 2;
  require_memory(data.name, static_cast<double>(pairs) * sizeof(float));
  std::vector<float> all(pairs);
  in_parallel(n, 8, [&](std::size_t i) {
    std::vector<float> row(distances.by_rows() ? i : n);
    distances.by_rows() ? distances.part(i, 0, row) : distances.row(i, row);
    std::copy_n(row.begin(), i, all.begin() + static_cast<std::ptrdiff_t>(i * (i - 1) / 2));
  });
  return all;
}

}  // namespace kinescope::sim::glimmer
