#include "sim/k_means/distributed/held_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>
#include <zlib.h>

#include "kinescope/in_parallel.hpp"
#include "sim/data/limits.hpp"
#include "sim/k_means/distributed/protocol.hpp"

namespace kinescope::sim::k_means {
namespace {

// The most blocks: few enough that the note `rows` stays small, and many enough that a worker reads little besides its
// own rows.
constexpr std::int64_t most_blocks = 4096;

}  // namespace

std::int64_t Checksums::rows_in(std::int64_t index) const {
  return std::min(block, points - index * block);
}

std::uint32_t Checksums::whole() const {
  uLong sum = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::int64_t values = rows_in(static_cast<std::int64_t>(b)) * dimensions;
    sum = crc32_combine(sum, blocks[b], static_cast<z_off_t>(values * std::int64_t{sizeof(float)}));
  }
  return static_cast<std::uint32_t>(sum);
}

bool Checksums::hold(std::int64_t index, const float* values) const {
  const auto count = static_cast<std::size_t>(rows_in(index) * dimensions);
  return checksum_of(std::span(values, count)) == blocks[static_cast<std::size_t>(index)];
}

std::string Checksums::text() const {
  const std::int64_t sizes[] = {points, dimensions, block};
  std::string text(reinterpret_cast<const char*>(sizes), sizeof sizes);
  return text.append(reinterpret_cast<const char*>(blocks.data()), blocks.size() * sizeof(std::uint32_t));
}

Checksums Checksums::from_text(const std::string& text) {
  std::int64_t sizes[3] = {};
  if (text.size() < sizeof sizes) throw Lost("no checksums");
  std::memcpy(sizes, text.data(), sizeof sizes);
  Checksums sums{sizes[0], sizes[1], sizes[2], {}};
  const std::size_t bytes = text.size() - sizeof sizes;
  if (sums.points < 1 || sums.points > static_cast<std::int64_t>(maximum_rows) || sums.dimensions < 1 ||
      sums.dimensions > static_cast<std::int64_t>(maximum_columns) || sums.block < panel || sums.block % panel != 0 ||
      bytes != static_cast<std::size_t>((sums.points - 1) / sums.block + 1) * sizeof(std::uint32_t))
    throw Lost("no checksums");
  sums.blocks.resize(bytes / sizeof(std::uint32_t));
  std::memcpy(sums.blocks.data(), text.data() + sizeof sizes, bytes);
  return sums;
}

Checksums checksums_of(const Dataset& data) {
  Checksums sums{static_cast<std::int64_t>(data.points), static_cast<std::int64_t>(data.dimensions), panel, {}};
  sums.block = ((sums.points - 1) / (panel * most_blocks) + 1) * panel;
  sums.blocks.resize(static_cast<std::size_t>((sums.points - 1) / sums.block + 1));
  in_parallel(sums.blocks.size(), 1, [&](std::size_t b) {
    const auto index = static_cast<std::int64_t>(b);
    const float* values = data.values().data() + index * sums.block * sums.dimensions;
    sums.blocks[b] = checksum_of(std::span(values, static_cast<std::size_t>(sums.rows_in(index) * sums.dimensions)));
  });
  return sums;
}

std::optional<HeldRows::Part> HeldRows::deal(Rows rows, std::int64_t points, std::int64_t dimensions) {
  if (!file_) {  // data of another shape may consist of the same numbers, and so have the same checksum
    if (static_cast<std::int64_t>(data_->points) != points ||
        static_cast<std::int64_t>(data_->dimensions) != dimensions)
      return std::nullopt;
    return Part{data_, rows};
  }
  if (checksums_.points != points || checksums_.dimensions != dimensions) return std::nullopt;
  const std::int64_t d = checksums_.dimensions, block = checksums_.block;
  const std::int64_t first_block = rows.first / block,
                     end_block = rows.count > 0 ? (rows.first + rows.count - 1) / block + 1 : first_block;
  const std::int64_t first = first_block * block, end = std::min(end_block * block, checksums_.points);
  const Rows within = {rows.first - first, rows.count};
  if (data_ && first == first_ && end - first == static_cast<std::int64_t>(data_->points)) return Part{data_, within};
  auto held = std::make_shared<Dataset>();
  held->dimensions = static_cast<std::size_t>(d);
  held->points = static_cast<std::size_t>(std::max<std::int64_t>(0, end - first));
  require_memory(file_->path(), static_cast<double>(held->points * held->dimensions * sizeof(float)));
  held->rows().values.own().resize(held->points * held->dimensions);
  float* const numbers = held->rows().values.own().data();
  const std::int64_t before = first_, before_end = data_ ? first_ + static_cast<std::int64_t>(data_->points) : first_;
  std::atomic<bool> same = true;
  in_parallel(static_cast<std::size_t>(end_block - first_block), 1, [&](std::size_t b) {
    const std::int64_t index = first_block + static_cast<std::int64_t>(b), row = index * block;
    float* to = numbers + (row - first) * d;
    if (row >= before && row + checksums_.rows_in(index) <= before_end) {
      std::copy_n(data_->values().data() + (row - before) * d, checksums_.rows_in(index) * d, to);
    } else if (same) {
      file_->read(static_cast<std::size_t>(row), static_cast<std::size_t>(checksums_.rows_in(index)), to);
      if (!checksums_.hold(index, to)) same = false;
    }
  });
  if (!same) return std::nullopt;
  data_ = std::move(held);
  first_ = first;
  return Part{data_, within};
}

}  // namespace kinescope::sim::k_means
