// Errors that users read. Each is one line; the program prints it after "kinescope: error: " and exits with the status
// of its fault.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kinescope::sim {

struct TableFormat;  // kinescope/data/table_format.hpp

enum class Fault {
  run,    // a run failed (out of memory, device lost): exit status 1
  input,  // bad usage or bad input: exit status 2
};

// A change that would solve the problem: a parameter's value, as text for ParameterSet::set, or another way to read the
// data.
struct Remedy {
  std::string parameter, value;
  std::string text = "";                           // the text of its button; "": "Use PARAMETER = VALUE"
  std::vector<std::string> columns = {};           // the columns that can take part; empty: as they were chosen
  std::shared_ptr<const TableFormat> format = {};  // how to read a table of text; null: as before

  bool similarities = false;    // a matrix holds similarities
  bool mean_of_halves = false;  // the distance of a pair is the mean of both that a matrix has
  bool transpose = false;       // rows and columns change places
  std::string by = "";          // the column of the second table that has the names

  // Whether the data are to be opened again; if not, it is a parameter's value.
  bool reopens() const {
    return !columns.empty() || format || similarities || mean_of_halves || transpose || !by.empty();
  }
};

class Error : public std::runtime_error {
 public:
  // `message` becomes one line: names and values in it may hold ends of lines.
  Error(Fault fault, std::string message) : std::runtime_error(one_line(std::move(message))), fault_(fault) {}

  Fault fault() const { return fault_; }
  int exit_status() const { return fault_ == Fault::input ? 2 : 1; }

  // The best one first; most errors have none.
  const std::vector<Remedy>& remedies() const { return remedies_; }
  Error with(Remedy remedy) const {
    Error mendable = *this;
    mendable.remedies_.push_back(std::move(remedy));
    return mendable;
  }

 private:
  static std::string one_line(std::string text) {
    for (char& c : text)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return text;
  }

  Fault fault_;
  std::vector<Remedy> remedies_;
};

inline Error input_error(const std::string& message) {
  return Error(Fault::input, message);
}
inline Error run_error(const std::string& message) {
  return Error(Fault::run, message);
}

// "FILE: message", or with a line (counted from 1) "FILE:LINE: message".
inline Error file_error(const std::string& file, const std::string& message) {
  return Error(Fault::input, file + ": " + message);
}
inline Error file_error(const std::string& file, std::size_t line, const std::string& message) {
  return Error(Fault::input, file + ":" + std::to_string(line) + ": " + message);
}

}  // namespace kinescope::sim
