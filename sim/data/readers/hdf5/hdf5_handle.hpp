// What libhdf5 hands out, closed when it is no longer needed. Nothing is here without the library.
#pragma once

#if KINESCOPE_HDF5
#include <hdf5.h>
#include <string>
#include <utility>

namespace kinescope::sim {

// Owns a handle of libhdf5 and closes it.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// Opens the file for reading; negative if it is none of HDF5.
hid_t open_file(const std::string& path);

// Whether the superblock (version 3, at byte 0) says that a writer has the file open, and the file is not cut off.
bool is_marked_as_written(const std::string& path);

// Begins the path of a TemporaryFile, such as one unpacked.
inline constexpr const char* nameless = "/proc/self/fd/";

// Holds nothing if there is no such array.
inline Hdf5Handle open_array(hid_t file, const std::string& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose};
}

// The name of a filter of the array that this libhdf5 does not have; "" if it has all.
std::string missing_filter(const Hdf5Handle& array);

inline Hdf5Handle space_of(const Hdf5Handle& array) {
  return {H5Dget_space(array.get()), H5Sclose};
}

}  // namespace kinescope::sim
#endif
