// The layouts by forces as options of `algorithm`.
#include "kinescope/glimmer/layout_method.hpp"

namespace kinescope::sim::glimmer {

extern const LayoutMethod glimmer_2007_method = {
    .name = "glimmer-2007",
    .label = "Glimmer 2007",
    .parameters =
        "start decimation minimum_level near random step damping spring velocity_decay epsilon window second_curve",
    .takes_gaps = true,
    .forces = ForceScheme{.has_levels = true}};
extern const LayoutMethod stochastic_force_method = {
    .name = "stochastic-force",
    .parameters = "start near random step damping spring velocity_decay epsilon window second_curve",
    .takes_gaps = true,
    .forces = ForceScheme{}};

// Both have the sets of points of M. Chalmers, "A linear iteration time layout algorithm for visualising
// high-dimensional data", 1996.
extern const LayoutMethod chalmers_method = {
    .name = "chalmers",
    .parameters = "start step damping spring velocity_decay epsilon window second_curve",
    .takes_gaps = true,
    .forces = ForceScheme{.near = 5, .random = 10}};
extern const LayoutMethod hybrid_method = {
    .name = "hybrid",
    .parameters = "step damping spring velocity_decay epsilon window second_curve",
    .takes_gaps = true,
    .forces = ForceScheme{.has_sample = true, .near = 5, .random = 10}};

}  // namespace kinescope::sim::glimmer
