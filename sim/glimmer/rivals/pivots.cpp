#include "sim/glimmer/rivals/pivots.hpp"

#include <algorithm>
#include <limits>

#include "kinescope/random.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_first_pivot = 402;

}  // namespace

Pivots::Pivots(const InputDistances& distances, std::uint64_t seed)
    : distances_(distances),
      nearest_(distances.points(), std::numeric_limits<double>::infinity()),
      next_(uniform_below(Random(seed, stream_first_pivot).words(0)[0],
                          static_cast<std::uint32_t>(distances.points()))) {}

bool Pivots::add() {
  if (!(nearest_[next_] > 0)) return false;
  std::vector<float> row(distances_.points());
  whole_row(distances_, next_, row);
  std::vector<double> squares(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    squares[i] = double(row[i]) * double(row[i]);
    nearest_[i] = std::min(nearest_[i], squares[i]);
  }
  pivots_.push_back(next_);
  squares_.push_back(std::move(squares));
  next_ = static_cast<std::size_t>(std::max_element(nearest_.begin(), nearest_.end()) - nearest_.begin());
  return true;
}

}  // namespace kinescope::sim::glimmer
