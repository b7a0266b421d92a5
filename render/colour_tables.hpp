// Published colour maps as tables of 0xRRGGBB.
#pragma once

#include <array>
#include <cstdint>

namespace kinescope::render {

extern const std::array<std::uint32_t, 256> viridis_table;
extern const std::array<std::uint32_t, 256> cividis_table;

}  // namespace kinescope::render
