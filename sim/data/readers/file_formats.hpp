// All kinds of files that can be read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/data/readers/file_format.hpp"

namespace kinescope::sim {

// Made when the program is built, from the files NAME_format.cpp; in the order of their names.
std::span<const FileFormat* const> file_formats();

// The format that the file fits best; a table of text if none. Throws Error (input) if the file is of a kind that is
// known but not read, with what to do instead, and if its name promises something that it is not.
const FileFormat& recognize(InputFile& file);

// The files that are read with the file of `source`, such as labels beside pictures, and those that are read with them;
// none if it is no regular file, or cannot be read.
std::vector<std::string> other_files(const std::string& source);

// Whether the regular file, or standard input, holds nothing but a graph; false if there is none, or if it cannot be
// read.
bool holds_graph(const std::string& source);

}  // namespace kinescope::sim
