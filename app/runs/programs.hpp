// Other programs that this one may use.
#pragma once

#include <string>

namespace kinescope::app {

// Whether $PATH leads to a program of this name.
bool is_installed(const std::string& program);

}  // namespace kinescope::app
