// An HDF5 file as a child process reads it with libhdf5 (1.10), which crashes on some damaged files, or writes where it
// must not. Errors have one line. Without the library every file is refused, by a line that says what to install.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/data/readers/reader_process.hpp"

namespace kinescope::sim {

// An array, or one field of an array of records.
struct Hdf5Place {
  std::string array;
  std::string field = "";

  static auto parts(auto& self) { return std::tie(self.array, self.field); }
};

struct Hdf5Shape {
  std::vector<std::uint64_t> sizes;  // of a field: those of the array, then its own
  bool numbers = false;              // integers, floats, booleans
  bool booleans = false;             // as h5py writes them: an enumeration of FALSE and TRUE
  bool fit_float = false;            // float32 holds all values of their type
  bool texts = false;
  std::vector<std::string> fields;  // of an array of records

  std::uint64_t rows() const { return sizes.empty() ? 1 : sizes[0]; }
  std::uint64_t columns() const { return sizes.size() < 2 ? 1 : sizes[1]; }
  static auto parts(auto& self) {
    return std::tie(self.sizes, self.numbers, self.booleans, self.fit_float, self.texts, self.fields);
  }
};

class Hdf5File {
 public:
  // Opens the file at `path`, which errors call `name`. Throws Error (input) if it is not an HDF5 file, or cut off, or
  // if the program was built without libhdf5. Each operation throws Error (input) if the library crashes on the file.
  Hdf5File(const std::string& path, std::string name);

  const std::string& path() const { return name_; }
  std::uint64_t size() const { return size_; }  // in bytes

  // All arrays by their paths, in the order of names. Throws Error (input) if groups are nested deeper than 128.
  std::vector<std::string> arrays() const;
  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  // The names of a group's members, in ascending order; none if it is no group.
  std::vector<std::string> names_in(const std::string& group) const;

  // Where the files may be that it says hold some of its arrays, or parts of them; only what is there.
  std::vector<std::string> other_files() const;

  // Nullopt if there is no such array, or it has no such field.
  std::optional<Hdf5Shape> shape_of(const Hdf5Place& place) const;
  // The same, but nullopt too unless it is a list of `rows` numbers or texts.
  std::optional<Hdf5Shape> list_at(const Hdf5Place& place, std::uint64_t rows) const;
  // The attribute of an array or a group; "", {} and false if it is not there.
  std::string text_attribute(const std::string& object, const std::string& name) const;
  std::vector<std::string> texts_attribute(const std::string& object, const std::string& name) const;
  std::vector<std::uint64_t> sizes_attribute(const std::string& object, const std::string& name) const;
  bool flag_attribute(const std::string& object, const std::string& name) const;

  // Part of an array of one or two dimensions: rows [first, first + count) of all columns, as float32, double or int64;
  // `into` has as many values.
  template <class Number>
  void read_rows(const std::string& array, std::uint64_t first, std::uint64_t count, std::span<Number> into) const;
  // How many rows of the array one chunk of the file holds; 1 if the array is not stored in chunks.
  std::uint64_t rows_together(const std::string& array) const;
  // All values, row by row. Throws Error (run) if they do not fit into memory.
  std::vector<double> read_numbers(const Hdf5Place& place) const;
  std::vector<std::string> read_texts(const Hdf5Place& place) const;

 private:
  template <auto method, class... Arguments>
  auto ask(const Arguments&... arguments) const;
  template <auto method, class Receive, class... Arguments>
  auto receive(const Receive& answer, const Arguments&... arguments) const;

  std::string name_;
  std::uint64_t size_ = 0;
  mutable ReaderProcess process_;
};

}  // namespace kinescope::sim
