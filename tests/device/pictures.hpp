// How unlike two pictures of one scene are, as an eye sees it that does not mind where a single pixel's edge falls.
#pragma once

#include <string>

namespace kinescope::tests {

struct Difference {
  double mean = 0;   // of the channels of all blocks, 0 … 1
  double share = 0;  // of blocks of 4 × 4 pixels whose mean colour differs by more than a twelfth in a channel
};

// Two PNG files. Of different sizes: 1 and 1. Throws sim::Error if one cannot be read.
Difference difference(const std::string& path, const std::string& other);

// A small picture of three regions, as an uncompressed TGA.
void write_test_picture(const std::string& path);

}  // namespace kinescope::tests
