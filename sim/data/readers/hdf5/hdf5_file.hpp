// What the program uses of libhdf5: arrays and attributes, with errors of one line. Without the library every file is
// refused, by a line that says what to install; nothing else depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace kinescope::sim {

// An array, or one field of an array of records.
struct Hdf5Place {
  std::string array;
  std::string field = "";
};

class Hdf5File {
 public:
  // Opens the file at `path`, which errors call `name`. Throws Error (input) if it is not an HDF5 file, or cut off, or
  // if the program was built without libhdf5.
  Hdf5File(const std::string& path, std::string name);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  const std::string& path() const { return name_; }

  // Tells all texts that are read from now on.
  void tell_texts(std::function<void(std::string_view)> tell) { tell_ = std::move(tell); }
  // From now on texts are not read from the file, but taken from what another Hdf5File told, of which the same was
  // asked in the same order.
  void take_texts(std::string told) { told_ = std::move(told), taken_ = 0; }

  struct Shape {
    std::vector<std::uint64_t> sizes;  // of a field: those of the array, then its own
    bool numbers = false;              // integers, floats, booleans
    bool booleans = false;             // as h5py writes them: an enumeration of FALSE and TRUE
    bool fit_float = false;            // float32 holds all values of their type
    bool texts = false;
    std::vector<std::string> fields;  // of an array of records

    std::uint64_t rows() const { return sizes.empty() ? 1 : sizes[0]; }
    std::uint64_t columns() const { return sizes.size() < 2 ? 1 : sizes[1]; }
  };

  // All arrays by their paths, in the order of names. Throws Error (input) if groups are nested deeper than 128.
  std::vector<std::string> arrays() const;
  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  // The names of a group's members, in ascending order; none if it is no group.
  std::vector<std::string> names_in(const std::string& group) const;

  // Nullopt if there is no such array, or it has no such field.
  std::optional<Shape> shape_of(const Hdf5Place& place) const;
  // The same, but nullopt too unless it is a list of `rows` numbers or texts.
  std::optional<Shape> list_at(const Hdf5Place& place, std::uint64_t rows) const;
  // The attribute of an array or a group; "", {} and false if it is not there.
  std::string text_attribute(const std::string& object, const char* name) const;
  std::vector<std::string> texts_attribute(const std::string& object, const char* name) const;
  std::vector<std::uint64_t> sizes_attribute(const std::string& object, const char* name) const;
  bool flag_attribute(const std::string& object, const char* name) const;

  // Part of an array of one or two dimensions: rows [first, first + count) of all columns, as float32, double or int64.
  void read_rows(const std::string& array, std::uint64_t first, std::uint64_t count, float* into) const;
  void read_rows(const std::string& array, std::uint64_t first, std::uint64_t count, double* into) const;
  void read_rows(const std::string& array, std::uint64_t first, std::uint64_t count, std::int64_t* into) const;
  // How many rows of the array one chunk of the file holds; 1 if the array is not stored in chunks.
  std::uint64_t rows_together(const std::string& array) const;
  // All values, row by row. Throws Error (run) if they do not fit into memory.
  std::vector<double> read_numbers(const Hdf5Place& place) const;
  std::vector<std::string> read_texts(const Hdf5Place& place) const;

 private:
  Error damaged(const std::string& array) const;
  template <class Number>
  void read_rows_as(const std::string& array, std::uint64_t first, std::uint64_t count, Number* into) const;

  std::vector<std::string> texts_of_attribute(const std::string& object, const char* name) const;
  std::vector<std::string> texts_of_array(const Hdf5Place& place) const;
  std::vector<std::string> note(std::vector<std::string> texts) const;
  std::vector<std::string> take(const std::string& array) const;

  std::string name_;
  std::int64_t file_ = -1;  // libhdf5's handle
  std::function<void(std::string_view)> tell_;
  std::optional<std::string> told_;
  mutable std::size_t taken_ = 0;  // bytes of what was told
};

}  // namespace kinescope::sim
