// What the program uses of libhdf5: arrays and attributes, with errors of one line. Compiled only if the library is
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <hdf5.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace kinescope::sim {

// Owns a handle of libhdf5 and closes it.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

class Hdf5File {
 public:
  // Throws Error (input) if the file is not an HDF5 file.
  explicit Hdf5File(const std::string& path);

  const std::string& path() const { return path_; }

  struct Shape {
    std::vector<hsize_t> sizes;
    bool numbers = false;    // integers, floats, booleans
    bool fit_float = false;  // float32 holds all values of their type
    bool texts = false;
  };

  // All arrays by their paths, in the order of names.
  std::vector<std::string> arrays() const;
  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  // The names of a group's members, in ascending order.
  std::vector<std::string> names_in(const std::string& group) const;

  // The shape of the array; nullopt if there is no such array.
  std::optional<Shape> shape_of(const std::string& array) const;
  // The attribute of an array or a group; "" and {} if it is not there.
  std::string text_attribute(const std::string& object, const char* name) const;
  std::vector<std::uint64_t> sizes_attribute(const std::string& object, const char* name) const;

  // Part of an array of one or two dimensions: rows [first, first + count) of all columns, as float32, double or int64.
  void read_rows(const std::string& array, hsize_t first, hsize_t count, float* into) const;
  void read_rows(const std::string& array, hsize_t first, hsize_t count, double* into) const;
  void read_rows(const std::string& array, hsize_t first, hsize_t count, std::int64_t* into) const;
  // How many rows of the array one chunk of the file holds; 1 if the array is not stored in chunks.
  hsize_t rows_together(const std::string& array) const;
  std::vector<std::string> read_texts(const std::string& array) const;

  Error damaged(const std::string& array) const;

 private:
  void read_rows_as(const std::string& array, hsize_t first, hsize_t count, hid_t type, void* into) const;

  std::string path_;
  Hdf5Handle file_;
};

}  // namespace kinescope::sim
