// Measures how different two pictures of one scene look. Blocks of pixels are compared, so that an edge that is shifted
// within a pixel hardly counts.
#pragma once

#include <cstddef>
#include <string>

namespace kinescope::tests {

struct Difference {
  double mean = 0;   // mean difference over the channels of all blocks, 0 … 1
  double share = 0;  // part of the blocks whose mean colour differs by more than a twelfth in a channel
};

// Compares two PNG files by blocks of `block` × `block` pixels. Returns 1 and 1 if the sizes of the pictures differ.
// Throws sim::Error if one cannot be read.
Difference difference(const std::string& path, const std::string& other, std::size_t block);

// Writes a small picture of three regions, as an uncompressed TGA.
void write_test_picture(const std::string& path);

}  // namespace kinescope::tests
