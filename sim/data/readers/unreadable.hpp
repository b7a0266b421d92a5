// Kinds of files that people try and that are not read: each is refused by its name, with what to do instead.
#pragma once

#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// Throws Error (input) if the file is of such a kind.
void refuse_unreadable(const InputFile& file);

// Throws Error (input) if the file cannot be text.
void require_text(const InputFile& file);

}  // namespace kinescope::sim
