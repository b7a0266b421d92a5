// Values of an HDF5 file that are in other files: external storage, views, links. libhdf5 takes those that are not
// there for 0, and opens whatever has the name. Nothing is here without the library.
#pragma once

#if KINESCOPE_HDF5
#include <string>
#include <vector>

#include "sim/data/readers/hdf5/hdf5_handle.hpp"

namespace kinescope::sim {

// Where the library looks for a file that views and links in the one at `path` name, in its order, if something is
// there; nowhere if that one has no folder.
std::vector<std::string> places_of(const std::string& name, const std::string& path);

// Where the files may be that hold values of the array, which is in the file at `path`; only what is there.
std::vector<std::string> files_of(const Hdf5Handle& array, const std::string& path);

// Both throw Error (input), which calls the array's file by `told`: if it has values in something that is no regular
// file, for which the library would wait; and unless all of its values are there.
void require_regular(const Hdf5Handle& array, const std::string& name, const std::string& told);
void require_whole(const Hdf5Handle& array, const std::string& name, const std::string& told);

// For H5Pset_elink_cb: refuses links into what is no regular file, and names it in `refused`, a std::string.
herr_t refuse_irregular(const char* parent, const char* group, const char* child, const char* object, unsigned* access,
                        hid_t how, void* refused);

}  // namespace kinescope::sim
#endif
