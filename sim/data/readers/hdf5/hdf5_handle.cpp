#include "sim/data/readers/hdf5/hdf5_handle.hpp"

#if KINESCOPE_HDF5
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <liblzf/lzf.h>
#include <string_view>
#include <system_error>

namespace kinescope::sim {
namespace {

// h5py's filter 32000: each chunk is packed by LZF, and its third parameter is the chunk's size in bytes.
constexpr H5Z_filter_t lzf_id = 32000;

std::size_t unpack_lzf(unsigned flags, std::size_t parameters, const unsigned* parameter, std::size_t packed,
                       std::size_t* size, void** bytes) {
  if (!(flags & H5Z_FLAG_REVERSE)) return 0;  // nothing is written
  constexpr std::size_t largest = std::size_t{1} << 32;
  std::size_t room = parameters >= 3 && parameter[2] != 0 ? parameter[2] : *size;
  for (; room <= largest; room *= 2) {
    void* const unpacked = H5allocate_memory(room, false);
    if (!unpacked) return 0;
    errno = 0;
    const unsigned count = lzf_decompress(*bytes, static_cast<unsigned>(packed), unpacked,
                                          static_cast<unsigned>(std::min(room, largest - 1)));
    if (count > 0) {
      H5free_memory(*bytes);
      *bytes = unpacked;
      *size = room;
      return count;
    }
    H5free_memory(unpacked);
    if (errno != E2BIG) return 0;
  }
  return 0;
}

// Gives the library h5py's filter LZF, for reading.
void add_lzf() {
  if (H5Zfilter_avail(lzf_id) > 0) return;
  const H5Z_class2_t lzf = {H5Z_CLASS_T_VERS, lzf_id, 0, 1, "lzf", nullptr, nullptr, unpack_lzf};
  H5Zregister(&lzf);
}

}  // namespace

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

std::string missing_filter(const Hdf5Handle& array) {
  static constexpr std::pair<H5Z_filter_t, const char*> known[] = {
      {H5Z_FILTER_SZIP, "szip"}, {32001, "blosc"}, {32004, "lz4"}, {32008, "bitshuffle"}, {32013, "zfp"},
      {32015, "zstd"},           {32026, "blosc2"}};
  if (!array) return "";
  const Hdf5Handle how(H5Dget_create_plist(array.get()), H5Pclose);
  for (unsigned i = 0; static_cast<int>(i) < H5Pget_nfilters(how.get()); ++i) {
    unsigned flags = 0, settings = 0;
    std::size_t count = 0;
    const H5Z_filter_t id = H5Pget_filter2(how.get(), i, &flags, &count, nullptr, 0, nullptr, &settings);
    if (id <= 0 || H5Zfilter_avail(id) > 0) continue;
    for (const auto& [number, filter] : known)
      if (number == id) return filter;
    return "filter " + std::to_string(id);
  }
  return "";
}

}  // namespace kinescope::sim
#endif
