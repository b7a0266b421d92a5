// "did you mean ...?" for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinescope::sim {

// The name that `word` was most likely meant to be, "" if none is near (more than a third of its letters differ). The
// case of letters does not count.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

// "; did you mean 'NAME'?", or "" if none is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& names);

}  // namespace kinescope::sim
