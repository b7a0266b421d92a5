// The vectors from which our own Glimmer computes δ: the rows themselves, or their first principal coordinates.
//
// With p the first k coordinates of the centred rows x,  δ̂² = |x_i|² + |x_j|² − 2 p_i·p_j  leaves out only the inner
// products of the residuals, which in many dimensions are small beside |x|². For the cosine metric δ̂ = 1 − p_i·p_j,
// without centring.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/array.hpp"
#include "sim/core/dataset.hpp"
#include "sim/core/executors/cpu.hpp"
#include "sim/glimmer/coordinates/held_out.hpp"
#include "sim/glimmer/multilevel/glimmer_formulas.hpp"

namespace kinescope::sim::glimmer {

template <Executor E>
struct Coordinates {
  Array<std::int32_t, E> permutation;  // [points] slot → the input's index; each level is a prefix of the slots
  RowFormula formula = RowFormula::differences;
  std::int64_t width = 0;  // columns of `rows`; on CUDA a multiple of four
  Array<float, E> rows;    // [points × width] by slot, row-major; for distances [sources × width]
  // On CUDA, if there are fewer sources than points: the rows of distances, in the host's pinned memory.
  std::shared_ptr<float> host_rows;
  // The number of slots from which the distances to all points are known (the first ones), and how many of them are
  // landmarks (distance_rows.hpp). 0 with rows of numbers.
  std::int64_t sources = 0, landmarks = 0;
  Array<float, E> norms;           // [points] |x|² of the whole row, if `rows` are coordinates; else empty
  float scale = 1;                 // δ in the layout's units = scale · distance of rows; makes its root mean square 1
  float unit = 1;                  // one layout unit, in the data's (normalized) units
  Array<float, E> reference;       // [points × L] by slot: the first principal coordinates, in the layout's units
  float reference_scale = 1;       // the scale that minimizes the reference's stress
  Array<HeldOutPair, E> held_out;  // [levels × held_out_each] among the points of each level; empty where δ̂ = δ
  std::int64_t held_out_each = 0;
  Tail tail;
};

// `levels` are the numbers of points of the levels. k is the least number of coordinates (a multiple of 8, at most 128)
// for which Σ(δ − δ̂)²/Σδ², over pairs of points that did not determine the axes, is a small part of the stress of the
// principal coordinates. Dense rows are kept instead if k would be half the number of columns, for Manhattan distances,
// for at most 16 columns, and if there is only one level. O(N · H · k). On CUDA the device does the work and holds all
// rows meanwhile; if they would take more than half of its free memory, the CPU does it.
template <Executor E>
Coordinates<E> make_coordinates(E& executor, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                                const std::vector<std::int64_t>& levels);
template <>  // of Cuda: coordinates_cuda.cuh
Coordinates<Cpu> make_coordinates(Cpu&, const Dataset&, GlimmerParameters&, std::uint64_t,
                                  const std::vector<std::int64_t>&);

}  // namespace kinescope::sim::glimmer
