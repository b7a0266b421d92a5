// Pictures as data: what a simulation computes with of their pixels, and the pictures and palettes that it finds.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

enum class Features { rgb, xyrgb };

// Whether the points are a picture's pixels, with all of the columns x, y, r, g, b.
bool is_image(const Dataset& data);

// The parameter; it has the same name in every simulation.
struct FeaturesParameter : Choice<Features> {
  FeaturesParameter()
      : Choice(
            {"features", "", "columns used of a picture: colours, or places and colours", Change::restart, Role::data},
            {{"rgb", "RGB"}, {"xyrgb", "x, y and RGB"}}, Features::rgb) {}
  // Other data have no such columns.
  static Role role(const Dataset* data) { return data && is_image(*data) ? Role::data : Role::elsewhere; }
};

// A picture's pixels with the columns r, g, b alone, without labels and table; `data` itself if there is no picture or
// places are asked for. O(points).
std::shared_ptr<const Dataset> with_features(const std::shared_ptr<const Dataset>& data, Features features);

// The endings of a simulation that finds groups of points: of its --out the segmented picture comes first, if the data
// are a picture; its --palette has no ending otherwise.
std::vector<std::string> endings_for_pictures(std::vector<std::string> all, const std::string& output, bool image);

// The output of that name.
OutputKind palette_output();

// r, g, b of a group of pixels, each 0 … 255; it may have a fraction.
using GroupColour = std::array<double, 3>;

// Rounded to whole numbers of 0 … 255.
std::array<std::uint8_t, 3> in_bytes(const GroupColour& colour);
// Red in the lowest byte, 255 in the highest.
std::uint32_t in_word(const std::array<std::uint8_t, 3>& colour);

// A row for each group: cluster, size, r, g, b, rounded to what a sample of the picture can be, and `colour` as
// #rrggbb.
Table palette_table(const std::string& source, const Picture& picture, const std::vector<std::int64_t>& sizes,
                    const std::vector<GroupColour>& colours);

// Writes the picture with each pixel in the colour of its group, as a PNG of the picture's bits and opacities; pixels
// of opacity 0 are black. group_of(i) is the group of point i. Throws Error.
void write_segmented(const std::string& path, const Picture& picture, const std::vector<GroupColour>& colours,
                     const std::function<std::size_t(std::size_t)>& group_of);

}  // namespace kinescope::sim
