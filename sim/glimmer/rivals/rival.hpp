// The layouts that Glimmer is compared with. They are computed on the host in double precision, one iteration at a
// time.
//
//   pivot-mds  U. Brandes, C. Pich, "Eigensolver methods for progressive multidimensional scaling of large data", 2007
//   landmark   V. de Silva, J. Tenenbaum, "Sparse multidimensional scaling using landmark points", 2004
//   classic    W. Torgerson, "Multidimensional scaling: I. Theory and method", 1952
//   smacof     J. de Leeuw, "Applications of convex analysis to multidimensional scaling", 1977
//   nonmetric  J. Kruskal, "Nonmetric multidimensional scaling: a numerical method", 1964
//
// (chalmers uses Glimmer's forces: force_layout.hpp.) docs/adding-a-layout.md adds one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/report.hpp"

namespace kinescope::sim::glimmer {

class Rival {
 public:
  virtual ~Rival() = default;

  // Makes one iteration on all threads. The result has the same bytes for any number of threads.
  virtual void step() = 0;

  struct Seen {
    double figure = 0;
    double fraction = 0;     // estimate of the part done, 0 … 1
    bool converged = false;  // the algorithm has ended
  };
  const Seen& seen() const { return seen_; }
  // [points × L] in the input's order and in the data's (normalized) units.
  const std::vector<double>& layout() const { return layout_; }
  // Adds what only this algorithm reports.
  virtual void add_to(Report&) const {}
  // Says what the figure is: "stress, all pairs", "stress, sampled" or "stress-1".
  const char* figure_name() const { return figure_name_; }

 protected:
  Seen seen_;
  std::vector<double> layout_;
  const char* figure_name_ = "";  // a constant
};

// The reference to which the rivals' layouts are turned, [points × output_dimensions] in the input's order. It is the
// layout in the file that the run starts from. Without one, it is the landmark layout for distances, and the data on
// their principal axes for rows. O(N · H).
std::vector<float> reference_layout(const Dataset& data, GlimmerParameters& parameters);

// LayoutMethod::make of a class that is constructed of these.
template <class Own>
std::unique_ptr<Rival> rival_of(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  return std::make_unique<Own>(data, parameters, seed);
}

// Makes the rival that the parameters name, at its start. Throws Error (input) if the algorithm or the start is not
// possible with these data.
std::unique_ptr<Rival> make_rival(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);

}  // namespace kinescope::sim::glimmer
