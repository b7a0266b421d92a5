// What the program prints and where it may write: one-line texts, checks of output files before the computing starts.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope::app {

inline constexpr const char* standard_output = "-";  // as the name of a file

// Makes a text fit for one line of a terminal: control characters and invalid UTF-8 become '?', newlines and tabs a
// space; after `longest` bytes comes "…".
std::string printable(std::string_view text, std::size_t longest = 2000);

// The number of characters (code points) in a UTF-8 text.
std::size_t characters(std::string_view text);

// Throws sim::Error (input) if `path` does not end in one of `endings` (empty: any), if its folder cannot be written,
// or if it names something that is no regular file. A path that is "" is not checked, nor is "-" if any
// ending will do. Leaves no file behind; what is written to `path` later goes where it leads now.
void check_output(const std::string& option, const std::string& path, const std::vector<std::string>& endings);

// A file that the command line names, and the option that names it.
struct NamedFile {
  std::string option, path;
};

// Throws sim::Error (input) if two of `outputs`, or an output and an input, are the same file, under whatever name, or
// if one is in a folder that the other is. "-" is the file to which the shell has redirected the stream, if it is one.
// Paths that are "" are skipped.
void check_apart(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

// Writes what a run that has ended leaves: a file that cannot be written does not keep the others from being written.
class FinalWrites {
 public:
  void operator()(const std::function<void()>& write);
  // The line, followed by what failed.
  std::string after(const std::string& line) const;
  bool failed() const { return !failures_.empty(); }
  // Throws sim::Error (run), one line about all that failed.
  void finish() const;

 private:
  std::string failures_;
};

using Rows = std::vector<std::vector<std::string>>;

// Rows of cells as aligned columns with two spaces between them; the first row is the head. Columns whose index is in
// `right` are aligned to the right. Widths are counted in characters.
std::string aligned(const Rows& rows, const std::vector<std::size_t>& right = {});

// lower_first: "Fill with mean" becomes "fill with mean", for use within a sentence. upper_first is the reverse, for
// its beginning.
std::string lower_first(std::string text);
std::string upper_first(std::string text);

}  // namespace kinescope::app
