// The picture that the experiments and the tests segment.
#pragma once

#include <cstddef>
#include <memory>

#include "kinescope/dataset.hpp"

namespace kinescope::bench {

// A picture of smooth colours with noise, always the same for a size; columns x, y, r, g, b.
std::shared_ptr<const sim::Dataset> made_picture(std::size_t width, std::size_t height);

}  // namespace kinescope::bench
