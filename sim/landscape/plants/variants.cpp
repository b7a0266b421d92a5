#include "sim/landscape/plants/variants.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "kinescope/error.hpp"
#include "kinescope/landscape/landscape.hpp"

namespace kinescope::sim::landscape {
namespace {

constexpr float plants_of_a_cell = 2;

// Plants of one kind, sorted into square cells.
class Cells {
 public:
  Cells(const std::vector<float>& instances, const std::vector<std::size_t>& rows)
      : instances_(instances), rows_(rows) {
    across_ = std::max(1, int(std::sqrt(float(rows.size()) / plants_of_a_cell)));
    side_ = terrain_side / float(across_);
    first_.assign(std::size_t(across_) * std::size_t(across_) + 1, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) ++first_[cell_of(i) + 1];
    for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
    sorted_.resize(rows.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < rows.size(); ++i) sorted_[next[cell_of(i)]++] = i;
  }

  // The nearest other plants, as indices into `rows`; fewer than differing_neighbours if there are no more.
  std::vector<std::size_t> nearest(std::size_t i) const {
    std::array<std::pair<double, std::size_t>, differing_neighbours> best;
    std::size_t found = 0;
    const int column = place(x(i)), row = place(y(i));
    for (int reach = 0; reach <= across_; ++reach) {
      // All plants that are nearer than this have been seen.
      const double seen = double(reach - 1) * double(side_);
      if (found == best.size() && reach > 0 && best.back().first < seen * seen) break;
      for (int v = row - reach; v <= row + reach; ++v)
        for (int u = column - reach; u <= column + reach; ++u) {
          if (u < 0 || v < 0 || u >= across_ || v >= across_) continue;
          if (std::max(std::abs(u - column), std::abs(v - row)) != reach) continue;
          const std::size_t cell = std::size_t(v) * std::size_t(across_) + std::size_t(u);
          for (std::size_t k = first_[cell]; k < first_[cell + 1]; ++k) {
            const std::size_t other = sorted_[k];
            if (other == i) continue;
            const double dx = double(x(other)) - double(x(i)), dy = double(y(other)) - double(y(i));
            const std::pair<double, std::size_t> candidate{dx * dx + dy * dy, other};
            if (found < best.size())
              best[found++] = candidate;
            else if (candidate < best.back())
              best.back() = candidate;
            else
              continue;
            std::sort(best.begin(), best.begin() + std::ptrdiff_t(found));
          }
        }
    }
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < found; ++k) others.push_back(best[k].second);
    return others;
  }

 private:
  float x(std::size_t i) const { return instances_[8 * rows_[i]]; }
  float y(std::size_t i) const { return instances_[8 * rows_[i] + 1]; }
  int place(float metres) const { return std::clamp(int(metres / side_), 0, across_ - 1); }
  std::size_t cell_of(std::size_t i) const {
    return std::size_t(place(y(i))) * std::size_t(across_) + std::size_t(place(x(i)));
  }

  const std::vector<float>& instances_;
  const std::vector<std::size_t>& rows_;
  int across_ = 1;
  float side_ = terrain_side;
  std::vector<std::size_t> first_, sorted_;
};

using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours neighbours_of(const std::vector<float>& instances, const std::vector<std::size_t>& rows) {
  const Cells cells(instances, rows);
  Neighbours neighbours(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::size_t other : cells.nearest(i)) {
      neighbours[i].push_back(other);
      neighbours[other].push_back(i);
    }
  for (std::vector<std::size_t>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

// Orders the plants smallest last (Matula and Beck 1983): the plant with the fewest neighbours comes last, and the
// others are ordered before it in the same way. Each plant then has few neighbours before it.
std::vector<std::size_t> smallest_last(const Neighbours& neighbours) {
  std::vector<std::vector<std::size_t>> with;  // [number of neighbours left]; may hold entries that are out of date
  std::vector<std::size_t> left(neighbours.size());
  const auto note = [&](std::size_t i) {
    if (with.size() <= left[i]) with.resize(left[i] + 1);
    with[left[i]].push_back(i);
  };
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    left[i] = neighbours[i].size();
    note(i);
  }
  std::vector<bool> taken(neighbours.size());
  std::vector<std::size_t> order;
  for (std::size_t fewest = 0; order.size() < neighbours.size();) {
    if (with[fewest].empty()) {
      ++fewest;
      continue;
    }
    const std::size_t i = with[fewest].back();
    with[fewest].pop_back();
    if (taken[i] || left[i] != fewest) continue;
    taken[i] = true;
    order.push_back(i);
    for (const std::size_t other : neighbours[i])
      if (!taken[other]) {
        --left[other];
        note(other);
        fewest = std::min(fewest, left[other]);
      }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

void vary_neighbours(std::vector<float>& instances, int variants) {
  std::map<int, std::vector<std::size_t>> kinds;
  for (std::size_t row = 0; 8 * row < instances.size(); ++row)
    if (instances[8 * row + 4] > 0) kinds[int(instances[8 * row + 5]) / variants].push_back(row);
  for (const auto& [kind, rows] : kinds) {
    const Neighbours neighbours = neighbours_of(instances, rows);
    std::vector<int> chosen(rows.size(), -1);
    for (const std::size_t i : smallest_last(neighbours)) {
      float& mesh = instances[8 * rows[i] + 5];
      int variant = int(mesh) % variants;
      const auto taken = [&] {
        return std::any_of(neighbours[i].begin(), neighbours[i].end(),
                           [&](std::size_t other) { return chosen[other] == variant; });
      };
      for (int tried = 1; tried < variants && taken(); ++tried) variant = (variant + 1) % variants;
      chosen[i] = variant;
      mesh = float(kind * variants + variant);
    }
  }
}

}  // namespace kinescope::sim::landscape
