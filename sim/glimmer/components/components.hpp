// The components of data of which not every pair has a distance, each as data of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/graph.hpp"

namespace kinescope::sim::glimmer {

class ComponentData {
 public:
  // Splits a graph or a table of distances by Dataset::components. Reads the layout that the parameter `start` names,
  // if it is a file. O(points + edges). `data` must outlive this. Throws Error (input) as feeder_of and
  // layout_from_file do.
  ComponentData(const Dataset& data, GlimmerParameters& parameters);

  std::size_t count() const { return members_.size(); }
  const std::vector<std::uint32_t>& members(std::size_t component) const { return members_[component]; }  // ascending
  // The component alone, with its distances. O(its points and edges), O(points²) for a table. From any thread.
  std::shared_ptr<const Dataset> data(std::size_t component) const;
  // The distance that is to be kept between components: the median length of an edge, or of the distances to the
  // nearest point.
  double gap() const { return gap_; }
  // [points × output dimensions] in the data's order, if `start` names a file; else empty.
  const std::vector<double>& start() const { return start_; }

 private:
  const Dataset& whole_;
  std::size_t L_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<Graph> graphs_;  // of a graph's components
  std::vector<double> start_;
  double gap_ = 1;
};

// A component's layout, [points × L] in its own order.
struct ComponentLayout {
  std::vector<float> places;
  double figure = 0;
  double error = 0, size = 0;  // Σ (d − δ)² and Σ δ² over its pairs
  bool sampled = false;        // these are of a sample of rows, as the component is large
};

// Lays out a small component at once, by the algorithm that the parameters name if it is one of the rivals, else by
// SMACOF from several starts. The result is turned to its principal axes. O(points²) an iteration.
ComponentLayout lay_out_small(const Dataset& component, GlimmerParameters& parameters, std::uint64_t seed);

// A first rough layout of a large component, as reference_layout makes it.
ComponentLayout first_layout(const Dataset& component, GlimmerParameters& parameters);

}  // namespace kinescope::sim::glimmer
