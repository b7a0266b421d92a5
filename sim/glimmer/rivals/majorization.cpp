#include "sim/glimmer/rivals/majorization.hpp"

#include <algorithm>
#include <cmath>

#include "kinescope/executors/lanes.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_pairs = 404;
constexpr std::size_t points_of_task = 32;

double distance(const std::vector<double>& x, std::size_t i, std::size_t j, std::size_t L) {
  double square = 0;
  for (std::size_t l = 0; l < L; ++l) square += (x[i * L + l] - x[j * L + l]) * (x[i * L + l] - x[j * L + l]);
  return std::sqrt(square);
}

// All pairs of points of a layout, in strips of rows that have about equally many pairs. A row of pairs (i, j), j < i,
// is read in groups of four, one in each lane.
template <std::size_t L>
class AllPairs {
 public:
  // `targets` as in all_pairs().
  AllPairs(const std::vector<float>& targets, const std::vector<double>& x)
      : targets_(targets.data()), points_(x.size() / L), apart_(points_ + lanes_) {
    x_.resize(L * apart_);
    for (std::size_t i = 0; i < points_; ++i)
      for (std::size_t l = 0; l < L; ++l) x_[l * apart_ + i] = x[i * L + l];
  }

  // Σ_j (1 − t_ij/d_ij)(x_i − x_j) for each point i, [points × L], and Σ (d − t)². The order of sums: a row by lanes,
  // the lanes, the rows of a strip, the strips.
  std::vector<double> moves(double& stress) const {
    const std::size_t strips = std::clamp<std::size_t>(points_ / 64, 1, 32);
    std::vector<std::vector<double>> parts(strips);
    std::vector<double> errors(strips);
    in_parallel(strips, 1, [&](std::size_t s) {
      const std::size_t begin = first_row(s, strips), end = first_row(s + 1, strips);
      parts[s].resize(L * (end + lanes_));
      for (std::size_t i = begin; i < end; ++i) errors[s] += add_row(i, parts[s].data(), end + lanes_);
    });
    stress = 0;
    for (const double error : errors) stress += error;
    std::vector<double> sum(points_ * L);
    in_parallel(points_, 512, [&](std::size_t i) {
      for (std::size_t s = 0; s < strips; ++s)
        if (const std::size_t end = first_row(s + 1, strips); i < end)
          for (std::size_t l = 0; l < L; ++l) sum[i * L + l] += parts[s][l * (end + lanes_) + i];
    });
    return sum;
  }

 private:
  static constexpr std::size_t lanes_ = 4;

  std::size_t first_row(std::size_t strip, std::size_t strips) const {
    return static_cast<std::size_t>(static_cast<double>(points_) *
                                    std::sqrt(static_cast<double>(strip) / static_cast<double>(strips)));
  }

  // Adds the moves of point i and of the points before it to `to` [L × to_apart]. Returns the row's Σ (d − t)².
  double add_row(std::size_t i, double* to, std::size_t to_apart) const {
    using namespace lanes;
    Double4 own[L], sum[L] = {}, errors = {};
    for (std::size_t l = 0; l < L; ++l) own[l] = broadcast4(x_[l * apart_ + i]);
    const auto add = [&](std::size_t j, const Double4 target) {
      Double4 away[L], square = {};
      for (std::size_t l = 0; l < L; ++l) {
        away[l] = own[l] - load4(x_.data() + l * apart_ + j);
        square += away[l] * away[l];
      }
      const Double4 d = sqrt(square), error = keep(d - target, target == target);
      errors += error * error;
      // Coincident points do not pull each other. A pair without a target has its present distance as the target: that
      // too majorizes the stress of the other pairs.
      const Double4 share = keep(1 - target / d, (target == target) & (d > 0));
      for (std::size_t l = 0; l < L; ++l) {
        const Double4 move = share * away[l];
        sum[l] += move;
        store(to + l * to_apart + j, load4(to + l * to_apart + j) - move);
      }
    };
    const float* row = targets_ + i * (i - 1) / 2;
    std::size_t j = 0;
    for (; j + lanes_ <= i; j += lanes_) add(j, as_double(load<Float4>(row + j)));
    if (j < i) {
      Float4 rest = {NAN, NAN, NAN, NAN};
      for (std::size_t k = j; k < i; ++k) rest[k - j] = row[k];
      add(j, as_double(rest));
    }
    for (std::size_t l = 0; l < L; ++l) to[l * to_apart + i] += lanes::sum(sum[l]);
    return lanes::sum(errors);
  }

  const float* targets_;
  std::size_t points_, apart_;
  std::vector<double> x_;  // [L × apart_]
};

// x − step(i) · move_i for each point i, centred.
template <class Step>
std::vector<double> stepped(const std::vector<double>& x, const std::vector<double>& move, std::size_t L, Step step) {
  const std::size_t n = x.size() / L;
  std::vector<double> next(x.size()), mean(L);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < L; ++l) {
      next[i * L + l] = x[i * L + l] - step(i) * move[i * L + l];
      mean[l] += next[i * L + l] / static_cast<double>(n);
    }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < L; ++l) next[i * L + l] -= mean[l];
  return next;
}

}  // namespace

PairList PairList::all(std::size_t points) {
  PairList list;
  list.points_ = points;
  return list;
}

PairList PairList::drawn(std::size_t points, std::size_t each, std::uint64_t seed) {
  PairList list;
  list.all_ = false;
  list.points_ = points;
  const Random random(seed, stream_pairs);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t k = 0; k < each; ++k) {
      const RandomWords words = random.words(i, static_cast<std::uint32_t>(k / 4));
      const std::uint32_t j = uniform_below(words[k % 4], static_cast<std::uint32_t>(points));
      if (j != i)
        list.pairs_.emplace_back(std::max(static_cast<std::uint32_t>(i), j),
                                 std::min(static_cast<std::uint32_t>(i), j));
    }
  std::sort(list.pairs_.begin(), list.pairs_.end());
  list.pairs_.erase(std::unique(list.pairs_.begin(), list.pairs_.end()), list.pairs_.end());
  list.first_.assign(points + 1, 0);
  list.begin_.assign(points + 1, 0);
  for (const auto& [i, j] : list.pairs_) ++list.first_[i + 1], ++list.begin_[i + 1], ++list.begin_[j + 1];
  for (std::size_t i = 0; i < points; ++i) list.first_[i + 1] += list.first_[i], list.begin_[i + 1] += list.begin_[i];
  std::vector<std::size_t> next(list.begin_.begin(), list.begin_.end() - 1);
  list.partners_.resize(2 * list.pairs_.size());
  for (std::size_t pair = 0; pair < list.pairs_.size(); ++pair) {
    const auto [i, j] = list.pairs_[pair];
    list.partners_[next[i]++] = {j, static_cast<std::uint32_t>(pair)};
    list.partners_[next[j]++] = {i, static_cast<std::uint32_t>(pair)};
  }
  return list;
}

void layout_distances(const PairList& pairs, const std::vector<double>& x, std::size_t L, std::vector<float>& to) {
  to.resize(pairs.size());
  in_parallel(pairs.points(), points_of_task, [&](std::size_t i) {
    pairs.each(i, i + 1, [&](std::size_t pair, std::size_t a, std::size_t b) {
      to[pair] = static_cast<float>(distance(x, a, b, L));
    });
  });
}

Guttman guttman(const std::vector<float>& targets, const std::vector<double>& x, std::size_t L) {
  Guttman result;
  const std::vector<double> move =
      L == 3 ? AllPairs<3>(targets, x).moves(result.stress) : AllPairs<2>(targets, x).moves(result.stress);
  result.next = stepped(x, move, L, [n = x.size() / L](std::size_t) { return 1 / static_cast<double>(n); });
  return result;
}

std::vector<double> majorize(const PairList& pairs, const std::vector<float>& targets, const std::vector<double>& x,
                             std::size_t L) {
  if (pairs.is_all()) return guttman(targets, x, L).next;
  std::vector<double> move(x.size());
  in_parallel(pairs.points(), points_of_task, [&](std::size_t i) {
    pairs.partners(i, [&](std::size_t pair, std::size_t j) {
      const double d = distance(x, i, j, L);
      if (!(d > 0) || std::isnan(targets[pair])) return;
      const double share = 1 - static_cast<double>(targets[pair]) / d;
      for (std::size_t l = 0; l < L; ++l) move[i * L + l] += share * (x[i * L + l] - x[j * L + l]);
    });
  });
  return stepped(x, move, L, [&](std::size_t i) {
    const std::size_t partners = pairs.partner_count(i);
    return partners > 0 ? 0.5 / static_cast<double>(partners) : 0;
  });
}

}  // namespace kinescope::sim::glimmer
