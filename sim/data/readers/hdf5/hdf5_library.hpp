// What the program uses of libhdf5: arrays and attributes. Nothing else depends on the library. Only the child process
// of an Hdf5File uses this class, whose operations are explained there.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/readers/hdf5/hdf5_file.hpp"

namespace kinescope::sim {

class Hdf5Handle;

class Hdf5Library {
 public:
  Hdf5Library(const std::string& path, std::string name);
  ~Hdf5Library();
  Hdf5Library(const Hdf5Library&) = delete;
  Hdf5Library& operator=(const Hdf5Library&) = delete;

  std::vector<std::string> arrays() const;
  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  std::vector<std::string> names_in(const std::string& group) const;
  std::vector<std::string> other_files() const;
  std::optional<Hdf5Shape> shape_of(const Hdf5Place& place) const;
  std::vector<std::string> texts_attribute(const std::string& object, const std::string& name) const;
  std::vector<std::uint64_t> sizes_attribute(const std::string& object, const std::string& name) const;
  template <class Number>
  std::vector<Number> read_rows(const std::string& array, std::uint64_t first, std::uint64_t count) const;
  std::uint64_t rows_together(const std::string& array) const;
  std::vector<double> read_numbers(const Hdf5Place& place) const;
  std::vector<std::string> read_texts(const Hdf5Place& place) const;

 private:
  Error damaged(const std::string& array) const;
  Hdf5Handle open_whole(const std::string& name) const;
  // Arrays to which links into other files lead.
  std::vector<std::string> linked_arrays() const;

  std::string name_, path_;
  mutable std::set<std::string> whole_;  // the arrays of which all values are there
  std::int64_t file_ = -1;               // libhdf5's handle
};

}  // namespace kinescope::sim
