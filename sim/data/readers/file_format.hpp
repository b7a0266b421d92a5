// A kind of file that can be read. Each is one source file below readers/, NAME_format.cpp, that defines
// `extern const FileFormat NAME_format`; the build finds it by its name (docs/adding-a-format.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// How well a file fits a format.
enum class Fit {
  no,
  possible,  // its name says so, and nothing else can be known
  likely,    // its first lines or its header look so
  certain    // it begins with the format's signature
};
constexpr Fit fit_if(bool fits, Fit fit) {
  return fits ? fit : Fit::no;
}

// What a format reads.
struct SourceFile {
  const Inside& place;  // the file and the part of it that is wanted
  InputFile& file;      // opened, unpacked, at its beginning
  const DataRequest& request;
  LoadProgress* progress = nullptr;

  const std::string& path() const { return place.file; }
};

struct FileFormat {
  std::string_view name;     // in lists of what can be read: "PLY point clouds"
  std::string_view endings;  // of its files' names, in lower case and separated by blanks: ".ply"; "" if any will do
  // Looks at the first bytes, and at the name; does not consume anything. O(1), but for a library that
  // opens files itself (InputFile::seekable_path).
  Fit (*fit)(InputFile& file) = nullptr;
  // The whole table, unchanged. Throws Error (input) with the file's name, and the line if there are lines; Cancelled.
  // It sets everything in Table but `source`.
  Table (*read)(const SourceFile& source) = nullptr;
  // The files that are read with this one, if it is of this format. Throws Error.
  std::vector<std::string> (*other_files)(InputFile& file) = nullptr;
  // The error for a file that has one of the endings and does not fit: "not a NumPy array"; "": it is read otherwise.
  std::string_view otherwise = "";
  bool has_parts = false;           // FILE:NAME names a part of the file
  bool is_graph = false;            // there is nothing but a graph in it: `metric` is set to graph
  bool takes_text_options = false;  // --header, --separator and the like
};

// Whether the file's name, without endings that tell how it is packed (packing/packings.hpp), ends in one of these.
bool has_ending(std::string_view path, std::string_view endings);

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
