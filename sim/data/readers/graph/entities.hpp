#pragma once

#include <string>
#include <string_view>

namespace kinescope::sim {

// Replaces "&#228;", "&#xE4;" and the five entities of XML (&quot; and so on) by their characters; other text stays.
std::string without_entities(std::string_view text);

}  // namespace kinescope::sim
