// Values of an HDF5 file that are in other files: external storage, views, links. libhdf5 takes those that are not
// there for 0, and opens whatever has the name. Nothing is here without the library.
#pragma once

#if KINESCOPE_HDF5
#include <string>
#include <vector>

#include "sim/data/readers/hdf5/hdf5_handle.hpp"

namespace kinescope::sim {

// A file that the one at `path` names, beside it or in the current folder; "" if it is not there, or if what names it
// has no folder.
std::string place_of(const std::string& name, const std::string& path, bool beside = true);

// The names of the files that hold values of the array, which is in the file at `path`.
std::vector<std::string> files_of(const Hdf5Handle& array, const std::string& path);

// Throws Error (input) unless all of the array's values are there. Errors call the file at `path` by `told`.
void require_whole(hid_t file, const Hdf5Handle& array, const std::string& path, const std::string& name,
                   const std::string& told, int depth = 0);

// For H5Pset_elink_cb: refuses links into what is no regular file, and names it in `refused`, a std::string.
herr_t refuse_irregular(const char* parent, const char* group, const char* child, const char* object, unsigned* access,
                        hid_t how, void* refused);

}  // namespace kinescope::sim
#endif
