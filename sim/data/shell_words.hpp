// Options as they are typed in a shell.
#pragma once

#include <string>
#include <vector>

namespace kinescope::sim {

// The word in single quotes, if a shell would not take it as it is; with ends of lines and the like as $'a\012b', which
// Bash, Zsh and Ksh read.
std::string for_shell(const std::string& word);

// "--columns A,'b c'": names that hold commas or quotes are in double quotes.
std::string names_option(const std::string& option, const std::vector<std::string>& names);

// "tab", "blank", "';'".
std::string separator_option(char separator);

}  // namespace kinescope::sim
