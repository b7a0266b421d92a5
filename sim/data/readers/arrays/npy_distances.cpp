// Distances in a NumPy `.npy` file that stay there.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "kinescope/distance_feeder.hpp"
#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"
#include "sim/data/distance_matrix.hpp"
#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::uint32_t stream_signs = 301;  // the purpose of random numbers

// Reads rows of a square array when they are requested.
class DistancesInFile final : public DistanceFeeder {
 public:
  DistancesInFile(const std::string& path, const NpyLayout& layout)
      : file_(path), layout_(layout), decode_(npy_decoder(layout)) {}

  std::size_t points() const override { return layout_.rows; }
  std::string description() const override { return count_of(layout_.rows, "row") + " of distances in the file"; }

  void row(std::size_t from, std::span<float> distances) const override { read(from * points(), distances); }

  // Reads the whole file once, and returns how many pairs have no distance. For a square matrix A and a vector s of
  // random signs, A s = Aᵀ s if A is symmetric, and hardly ever otherwise.
  std::uint64_t check(LoadProgress* progress) const;

 private:
  void read(std::size_t first, std::span<float> to) const {
    thread_local std::vector<char> bytes;
    bytes.resize(to.size() * layout_.value_bytes);
    file_.read_at(layout_.begin + first * layout_.value_bytes, bytes);
    for (std::size_t j = 0; j < to.size(); ++j)
      to[j] = static_cast<float>(decode_(bytes.data() + j * layout_.value_bytes, layout_.swapped));
  }
  Error refused(const std::string& why) const { return file_error(file_.path(), "metric=matrix: " + why); }
  // The mirrored pair in row i that differs most.
  std::string different_pair(std::size_t i) const;

  FileBytes file_;
  NpyLayout layout_;
  NpyDecode decode_;
};

std::uint64_t DistancesInFile::check(LoadProgress* progress) const {
  const std::size_t n = points(), block = std::clamp<std::size_t>((4 << 20) / n, 1, n);
  std::vector<double> sign(n), by_row(n), by_column(n), gaps_by_row(n), gaps_by_column(n);
  for (std::size_t i = 0; i < n; ++i) sign[i] = Random(0, stream_signs).words(i)[0] % 2 == 0 ? 1 : -1;
  std::vector<float> rows(block * n), largest(block);
  std::vector<std::uint64_t> gaps(n);
  std::vector<std::string> complaints(block);
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first);
    in_parallel(count, 1, [&](std::size_t k) {
      const std::size_t i = first + k;
      const std::span<float> values(rows.data() + k * n, n);
      row(i, values);
      for (std::size_t j = 0; j < n; ++j) {
        const float value = values[j];
        if (std::isnan(value) && i != j) {
          ++gaps[i];
          gaps_by_row[i] += sign[j];
          continue;
        }
        complaints[k] = distance_flaw(i, j, value);
        if (!complaints[k].empty()) return;
        largest[k] = std::max(largest[k], value);
        by_row[i] += sign[j] * value;
      }
    });
    for (const std::string& each : complaints)
      if (!each.empty()) throw refused(each);
    in_parallel_ranges(n, 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = 0; k < count; ++k)
        if (gaps[first + k] == 0) {
          for (std::size_t j = begin; j < end; ++j) by_column[j] += sign[first + k] * rows[k * n + j];
        } else {
          for (std::size_t j = begin; j < end; ++j) {
            const float value = rows[k * n + j];
            std::isnan(value) ? gaps_by_column[j] += sign[first + k] : by_column[j] += sign[first + k] * value;
          }
        }
    });
    tell_progress(progress, first + count, n);
  }
  // Sums may differ by as much as the rounding of a row's values to float32 may add up to.
  const double most = *std::max_element(largest.begin(), largest.end()),
               allowed = 1e-5 * most * (1 + 0.01 * std::sqrt(static_cast<double>(n)));
  for (std::size_t i = 0; i < n; ++i)
    if (std::abs(by_row[i] - by_column[i]) > allowed || gaps_by_row[i] != gaps_by_column[i])
      throw refused(different_pair(i));
  return std::accumulate(gaps.begin(), gaps.end(), std::uint64_t{0}) / 2;
}

std::string DistancesInFile::different_pair(std::size_t i) const {
  std::vector<float> values(points());
  row(i, values);
  std::size_t worst = 0;
  float difference = -1, mirrored = 0;
  for (std::size_t j = 0; j < points(); ++j) {
    read(j * points() + i, {&mirrored, 1});
    if (std::isnan(values[j]) != std::isnan(mirrored)) return mirror_flaw(i, j);
    if (std::abs(values[j] - mirrored) > difference) difference = std::abs(values[j] - mirrored), worst = j;
  }
  return mirror_flaw(i, worst);
}

}  // namespace

Table read_npy_distances(InputFile& file, LoadProgress* progress) {
  const NpyLayout layout = read_npy_layout(file, true);
  if (layout.rows != layout.columns)
    throw file_error(file.path(), "metric=matrix: the table must have as many columns as rows, found " +
                                      std::to_string(layout.rows) + " rows and " + std::to_string(layout.columns) +
                                      " columns");
  if (const std::uint64_t end = layout.begin + layout.bytes(); file.plain_size() > end)
    throw too_long(file.path(), layout.stated(), end, file.plain_size());
  const auto distances = std::make_shared<const DistancesInFile>(file.path(), layout);
  Table table;
  table.pairs_left_out = distances->check(progress);
  table.source = file.path();
  table.format = "NumPy array";
  table.rows = layout.rows;
  table.distances = distances;
  return table;
}

}  // namespace kinescope::sim
