// Guards the program against libraries that crash on damaged files, where no check finds the damage beforehand.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kinescope::sim {

// Calls `read` in a child process first, and returns what it told there: what is read only there can damage only the
// child's memory. Throws Error (input) if the child crashes, "damaged: LIBRARY crashes on it", or takes two minutes,
// "damaged: reading it does not end"; Error (run) if no process can be started or what it tells does not fit into
// memory. Exceptions of `read` are lost: the parent process will meet the same ones. `read` must not use threads.
std::string rehearse(const std::string& path, const char* library,
                     const std::function<void(const std::function<void(std::string_view)>& tell)>& read);

}  // namespace kinescope::sim
