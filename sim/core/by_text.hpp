// Tables of texts. Their hash has a key that is drawn once for the process, so that nobody can make a file whose names
// all have the same hash. The order of their entries therefore differs from run to run: nothing may depend on it.
// A new entry moves the others: neither references nor iterators outlast it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <utility>

namespace kinescope::sim {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const;
};

// Open addressing (tsl::robin_map): one miss of the cache for a look, where std::unordered_map has three. Hashes are
// kept.
template <class Text, class Value>
using TextMap = tsl::robin_map<Text, Value, TextHash, std::equal_to<>, std::allocator<std::pair<Text, Value>>, true>;
template <class Text>
using TextSetOf = tsl::robin_set<Text, TextHash, std::equal_to<>, std::allocator<Text>, true>;

template <class Value>
using ByText = TextMap<std::string, Value>;
template <class Value>
using ByTextView = TextMap<std::string_view, Value>;  // the texts stay elsewhere
using TextSet = TextSetOf<std::string>;
using TextViewSet = TextSetOf<std::string_view>;

}  // namespace kinescope::sim
