#include "sim/data/readers/hdf5/hdf5_handle.hpp"

#if KINESCOPE_HDF5
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

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

bool is_marked_as_written(const std::string& path) {
  constexpr std::size_t version_at = 8, flags_at = 11, end_at = 28;
  std::array<char, 36> block{};
  std::ifstream(path, std::ios::binary).read(block.data(), block.size());
  std::uint64_t end = 0;
  std::memcpy(&end, block.data() + end_at, sizeof end);
  std::error_code error;
  return std::string_view(block.data(), version_at) == "\x89HDF\r\n\x1A\n" && block[version_at] == 3 &&
         (block[flags_at] & 1) != 0 && std::filesystem::file_size(path, error) >= end && !error;
}

}  // namespace kinescope::sim
#endif
