// k-means' parameters, as users set them.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "kinescope/data/normalize.hpp"
#include "kinescope/data/pictures.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace k_means {

// Reads "A:B" with 1 ≤ A ≤ B ≤ 65536; nothing for any other text.
inline std::optional<std::pair<int, int>> parse_sweep(std::string_view text) {
  const char* const end = text.data() + text.size();
  int first = 0, last = 0;
  const auto [colon, error] = std::from_chars(text.data(), end, first);
  if (error != std::errc() || colon == end || *colon != ':') return std::nullopt;
  const auto [stop, second] = std::from_chars(colon + 1, end, last);
  if (second != std::errc() || stop != end || first < 1 || last < first || last > 65536) return std::nullopt;
  return std::pair(first, last);
}

inline bool is_sweep(std::string_view text) {
  return text.empty() || text == "off" || parse_sweep(text);
}

inline bool is_file(std::string_view start) {
  return start.ends_with(".csv") || start.ends_with(".csv.gz");
}
inline bool is_start(std::string_view text) {
  return text == "plus-plus" || text == "random" || is_file(text);
}

}  // namespace k_means

enum class StopRule { tolerance, paper, iterations };
enum class OnLoss { redeal, drop };
enum class ClusterModel { k_means, mixture };
enum class Covariance { full, diagonal };

struct KMeansParameters : ParameterSet {
  NormalizeParameter normalize;  // ignored for a picture's colours alone, which are comparable
  FeaturesParameter features;
  Integer clusters{{"clusters", "", "number of clusters (K)", Change::live}, 8, {1, 65536}, Scale::logarithmic};
  Choice<ClusterModel> model{{"model", "",
                              "k-means, or a mixture of Gaussians that begins as the clusters of k-means and is fitted "
                              "by EM"},
                             {"k-means", "mixture"},
                             ClusterModel::k_means};
  Choice<Covariance> covariance{{"covariance", "", "shape of the Gaussians: any, or along the columns (mixture)"},
                                {"full", "diagonal"},
                                Covariance::full};
  Text start{{"start", "", "initial centroids: random points that lie far apart, random points, or the rows of a file"},
             "plus-plus",
             "plus-plus|random|FILE.csv",
             "plus-plus, random or the name of a .csv file",
             k_means::is_start};
  Integer iterations{
      {"iterations", "iterations", "most iterations of each run, and for each number of clusters", Change::live},
      100,
      {1, 1000000},
      Scale::logarithmic};
  Real tolerance{{"tolerance", "",
                  "converged if the sum of the centroids' squared movements is at most this × the columns' mean "
                  "variance, or no label changes; mixture: if the mean ln p of a point rises by less",
                  Change::live},
                 1e-4,
                 {0.0, 1.0}};
  Choice<StopRule> stop{{"stop", "",
                         "what ends a run: tolerance, the paper's rule (the movement is at most 0.001 of the previous "
                         "iteration's), or iterations alone",
                         Change::live},
                        {"tolerance", "paper", "iterations"},
                        StopRule::tolerance};
  Integer restarts{{"restarts", "", "number of runs from different starts; the one with the least inertia is kept"},
                   1,
                   {1, 1000},
                   Scale::logarithmic};
  Integer device_memory{{"device_memory", "MB",
                         "most memory that the points may take on the device; if they need more, they are sent in "
                         "parts. 0: half of the free memory (CPU: all)"},
                        0,
                        {0, 1000000}};
  Choice<OnLoss> on_loss{{"on_loss", "",
                          "rows of a lost worker: the others share them (redeal), or they are left out until a worker "
                          "joins (drop, as in the paper)"},
                         {"redeal", "drop"},
                         OnLoss::redeal};
  Text sweep{{"sweep", "clusters", "tries every number of clusters from A to B and keeps the one with the lowest BIC"},
             "off",
             "A:B|off",
             "A:B, two whole numbers from 1 to 65536 in ascending order, or off",
             k_means::is_sweep};

  void visit(const std::function<void(Parameter&)>& f) override {
    f(normalize), f(features), f(clusters), f(model), f(covariance), f(start), f(restarts), f(iterations), f(tolerance),
        f(stop), f(sweep), f(device_memory), f(on_loss);
  }
  bool applies(const Parameter& parameter) const override {
    if (&parameter == &on_loss) return false;  // has an effect only in a run with workers: not shown
    const bool mixture = model.value() == ClusterModel::mixture;
    if (&parameter == &covariance) return mixture;
    if (&parameter == &sweep) return !mixture;
    return &parameter != &restarts ||
           !k_means::is_file(start.value());  // a file has only one start, so there is only one run
  }
  Role role(const Parameter& parameter, const Dataset* data) const override {
    if (&parameter == &features) return FeaturesParameter::role(data);
    const bool colours_alone = data && is_image(*data) && features.value() == Features::rgb;
    return &parameter == &normalize && colours_alone ? Role::elsewhere : parameter.role();
  }
  // The slider of the clusters ends at 64, because people cannot distinguish more. That of the tolerance ends at a
  // hundredth, because a greater tolerance ends nearly any run at once. The command line accepts more of both.
  Hint hint(const Parameter& parameter, const Snapshot& now) const override {
    if (&parameter == &device_memory && device_memory.value() == 0)
      return {.text = now.backend == Backend::cpu ? "all" : "half the free memory"};
    if (&parameter == &tolerance) return {0, 0.01};
    if (&parameter != &clusters) return {};
    if (k_means::parse_sweep(sweep.value()))
      return {.text = "by the sweep",
              .idle = "the sweep tries every K in " + sweep.value() + "; to set K yourself, type off in Sweep"};
    return {1, std::clamp(double(now.progress.points), 2.0, 64.0)};
  }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, KMeansParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, KMeansParameters& parameters);

}  // namespace kinescope::sim
