// What reading an IDX file opens besides it.
#pragma once

#include <optional>
#include <string>

namespace kinescope::sim {

// The labels beside the pictures `path`: a file of the same name with "labels" and "idx1" instead of "images" and
// "idx3", if there is one. Throws Error (input) if it is not a regular file.
std::optional<std::string> idx_labels_beside(const std::string& path);

}  // namespace kinescope::sim
