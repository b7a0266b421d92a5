// Tables of texts. Their hash has a key that is drawn once for the process, so that nobody can make a file whose names
// all have the same hash. The order of their entries therefore differs from run to run: nothing may depend on it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace kinescope::sim {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const;
};
template <class Value>
using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;
template <class Value>
using ByTextView = std::unordered_map<std::string_view, Value, TextHash, std::equal_to<>>;  // the texts stay elsewhere
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;
using TextViewSet = std::unordered_set<std::string_view, TextHash, std::equal_to<>>;

}  // namespace kinescope::sim
