// Layouts that Glimmer is compared with, computed on the host in double precision, an iteration at a time.
//
//   pivot-mds    U. Brandes, C. Pich, "Eigensolver methods for progressive multidimensional scaling of large data",
//   2007 landmark     V. de Silva, J. Tenenbaum, "Sparse multidimensional scaling using landmark points", 2004 classic
//   W. Torgerson, "Multidimensional scaling: I. Theory and method", 1952 smacof       J. de Leeuw, "Applications of
//   convex analysis to multidimensional scaling", 1977 nonmetric    J. Kruskal, "Nonmetric multidimensional scaling: a
//   numerical method", 1964
// (chalmers is made of Glimmer's forces: force_layout.hpp.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

class Rival {
 public:
  virtual ~Rival() = default;

  // Makes one iteration, on all threads; the same bytes for any number of them.
  virtual void step() = 0;

  struct Seen {
    double figure = 0;
    double fraction = 0;     // estimate of the part done, 0 … 1
    bool converged = false;  // another step would change nothing
  };
  const Seen& seen() const { return seen_; }
  // [points × L] in the input's order, in the data's (normalized) units.
  const std::vector<double>& layout() const { return layout_; }
  // "stress, all pairs", "stress, sampled", "stress-1": what the figure is.
  const std::string& figure_name() const { return figure_name_; }

 protected:
  Seen seen_;
  std::vector<double> layout_;
  std::string figure_name_;
};

// What their layouts are turned to, [points × output_dimensions] in the input's order: the data on their principal axes
// or, of distances, their landmark layout; the layout in a file that the run starts from. O(N · H).
std::vector<float> reference_layout(const Dataset& data, GlimmerParameters& parameters);

// Starts anew each time it is called. Throws Error (input) where the algorithm or the start cannot be had of these
// data.
std::unique_ptr<Rival> make_rival(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);

}  // namespace kinescope::sim::glimmer
