// Steps that lower Σ (d_ij − t_ij)² over pairs of points, for targets t (SMACOF; J. de Leeuw 1977). Over all pairs, a
// step is Guttman's transform of a centred layout, x_i ← x_i − 1/N Σ_j (1 − t_ij/d_ij)(x_i − x_j). Over some pairs, 1/N
// becomes 1/(2 · partners of i). The sum never rises there either, because twice the diagonal of the pairs' Laplacian
// bounds the Laplacian.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace kinescope::sim::glimmer {

class PairList {
 public:
  static PairList all(std::size_t points);
  // Draws `each` partners for each point and drops repeated pairs. The pairs (i, j), i > j, are sorted.
  static PairList drawn(std::size_t points, std::size_t each, std::uint64_t seed);

  std::size_t size() const { return all_ ? points_ * (points_ - 1) / 2 : pairs_.size(); }
  std::size_t points() const { return points_; }
  bool is_all() const { return all_; }
  // Calls f(pair, i, j) for each pair with i in [begin, end) and j < i.
  template <class F>
  void each(std::size_t begin, std::size_t end, F f) const;
  // Calls f(pair, j) for each partner j of i, if pairs were drawn.
  template <class F>
  void partners(std::size_t i, F f) const;
  std::size_t partner_count(std::size_t i) const { return begin_[i + 1] - begin_[i]; }

 private:
  bool all_ = true;
  std::size_t points_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // (i, j), i > j, ascending
  std::vector<std::size_t> first_;                              // [points + 1] where the pairs of i begin in pairs_
  std::vector<std::size_t> begin_;  // [points + 1] where the partners of i begin in partners_
  std::vector<std::pair<std::uint32_t, std::uint32_t>> partners_;  // (j, pair)
};

template <class F>
void PairList::each(std::size_t begin, std::size_t end, F f) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (all_)
      for (std::size_t j = 0; j < i; ++j) f(i * (i - 1) / 2 + j, i, j);
    else
      for (std::size_t p = first_[i]; p < first_[i + 1]; ++p) f(p, i, std::size_t{pairs_[p].second});
  }
}

template <class F>
void PairList::partners(std::size_t i, F f) const {
  for (std::size_t p = begin_[i]; p < begin_[i + 1]; ++p)
    f(std::size_t{partners_[p].second}, std::size_t{partners_[p].first});
}

// Writes the distances of the listed pairs in a layout [points × L]. O(pairs), on all threads.
void layout_distances(const PairList& pairs, const std::vector<double>& x, std::size_t L, std::vector<float>& to);

struct Guttman {
  double stress = 0;         // Σ (d − t)² of the layout itself
  std::vector<double> next;  // the layout after a step
};
// A step over all pairs, and the stress before it, from one pass. `targets` of the pairs as in all_pairs(); NaN: none.
// L is 2 or 3. O(points²), on all threads.
Guttman guttman(const std::vector<float>& targets, const std::vector<double>& x, std::size_t L);

// The layout after one step, as above, from x; it is centred. O(pairs), on all threads.
std::vector<double> majorize(const PairList& pairs, const std::vector<float>& targets, const std::vector<double>& x,
                             std::size_t L);

}  // namespace kinescope::sim::glimmer
