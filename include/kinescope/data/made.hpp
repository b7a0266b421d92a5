// Made data: "synthetic:NAME[,key=value...]", the same values on every machine.
//
//   grid,n,h,noise,seed         the first n points, row by row, of a ceil(√n)-wide square grid in columns 0 and 1,
//                               spacing 1/ceil(√n); zeros in the other h − 2; Gaussian noise of that standard
//                               deviation in column 2
//   swissroll,n,seed            t = 1.5π(1 + 2u), (t·cos t, 21·u', t·sin t), u and u' uniform
//   simplex,n                   the n unit vectors
//   colours,n                   n points of a regular lattice in the sRGB cube, in CIELAB (D65), each in its own colour
//   gaussians,n,k,clusters,seed point i from Gaussian i mod clusters; for k = 2 and three clusters the three of the
//                               mean-shift paper, else means uniform in [0, 20]^k, standard deviations in [0.2, 1.5]
//   topics,n,h,clusters,seed    centres from N(0, 1)^h; a point is a random centre plus N(0, 0.5²) times a factor that
//                               falls linearly from 1 in the first column to 0.05 in the last
//   documents,n,h,clusters,seed sparse rows of h words: 12 to 35 draws a row, of rank ⌊h·u³⌋ with uniform u; three in
//                               five are counted in the topic's own order of the words, the others in a common order;
//                               a value is the number of times × ln(2 + rank)
//
// Graphs, whose edges are all 1 long:
//
//   grid-graph,n                the first n nodes, row by row, of a ceil(√n)-wide square grid; each is joined to the
//                               next in its row and in its column
//   torus-graph,n               a grid of n nodes whose rows and columns are closed to rings; it has r rows, where r
//                               is the largest divisor of n that is at most √n, and at least 3
//   small-world,n,k,p,seed      D. Watts and S. Strogatz, "Collective dynamics of small-world networks" (1998): a ring
//                               of n nodes, each joined to the k nearest; then the far end of each edge moves with
//                               probability p to a node drawn at random, to which there is no edge yet
//   tree,n,branching            node i > 0 is joined to node ⌊(i − 1)/branching⌋
//   sierpinski,level            level 0 is a triangle; each further level joins three copies of the one before at
//                               corners: 3(3^level + 1)/2 nodes
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

struct MadeData {
  Table table;
  std::string label;  // the column that colours the points; "" if there is none
  // Each point's own colour, sRGB and alpha as in a picture file; or empty.
  std::vector<std::array<std::uint8_t, 4>> colours;
};

inline constexpr std::string_view made_prefix = "synthetic:";  // every source of made data begins with it
bool is_made(std::string_view source);
// True for one of the made graphs.
bool is_made_graph(std::string_view source);

// Throws Error (input) for an unknown name or key, a value out of range, or too many; Error (run) if the
// machine's memory is too small; Cancelled. O(values).
MadeData make_data(const std::string& source, LoadProgress* progress = nullptr);

}  // namespace kinescope::sim
