// Our own Glimmer as an option of `algorithm`.
#include "kinescope/glimmer/layout_method.hpp"

namespace kinescope::sim::glimmer {

extern const LayoutMethod glimmer_method = {
    .name = "glimmer",
    .parameters = "start decimation landmarks device_memory step_strength stop_threshold",
    .takes_gaps = true,
    .pace = 10};  // it takes 60 to 170 iterations on most data; one of the layouts by forces takes many hundreds

}  // namespace kinescope::sim::glimmer
