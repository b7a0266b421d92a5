#include "sim/data/readers/hdf5/hdf5_handle.hpp"

#if KINESCOPE_HDF5
#include <cstdlib>

#include "sim/data/readers/hdf5/hdf5_filters.hpp"

namespace kinescope::sim {

hid_t open_file(const std::string& path) {
  // The library would look for other files where places_of() does not.
  for (const char* name : {"HDF5_EXTFILE_PREFIX", "HDF5_EXT_PREFIX", "HDF5_VDS_PREFIX"}) unsetenv(name);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // keeps the library from printing errors
  add_lzf();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t cache_slots = 521, cache_bytes = 64 << 20;  // unpacks a row of chunks only once
  H5Pset_cache(access.get(), 0, cache_slots, cache_bytes, 1.0);
  // The usual driver refuses a file without a name, which is a link that leads nowhere.
  if (path.starts_with(nameless)) H5Pset_fapl_stdio(access.get());
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
}

}  // namespace kinescope::sim
#endif
