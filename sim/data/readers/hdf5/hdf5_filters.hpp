// The filters that pack the chunks of HDF5 files.
#pragma once

#include <string>

#include "sim/data/readers/hdf5/hdf5_handle.hpp"

#if KINESCOPE_HDF5
namespace kinescope::sim {

// Gives the library h5py's filter LZF, for reading.
void add_lzf();

// The name of a filter of the array that this libhdf5 does not have; "" if it has all.
std::string missing_filter(const Hdf5Handle& array);

}  // namespace kinescope::sim
#endif
