#include "sim/data/readers/packing/packings.hpp"

#include <algorithm>
#include <array>

#include "sim/data/text.hpp"

namespace kinescope::sim {

const Packing* packing_of(std::string_view head) {
  static constexpr std::array all = {&gzip_packing,  &zstd_packing,  &xz_packing,
                                     &bzip2_packing, &utf16_packing, &carriage_returns};
  const auto found = std::ranges::find_if(all, [&](const Packing* each) { return each->fits(head); });
  return found == all.end() ? nullptr : *found;
}

std::string_view without_packing(std::string_view name) {
  static constexpr std::array<std::string_view, 6> endings = {".gz", ".zst", ".zstd", ".xz", ".bz2", ".zip"};
  constexpr std::size_t most = 2;  // layers
  for (std::size_t layer = 0; layer < most; ++layer)
    for (const std::string_view ending : endings)
      if (ends_with_ignoring_case(name, ending)) name.remove_suffix(ending.size());
  return name;
}

}  // namespace kinescope::sim
