#if KINESCOPE_HDF5

#include "sim/data/readers/arrays/hdf5_file.hpp"

#include <algorithm>
#include <cstring>

#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

Hdf5Handle open_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // keeps the library from printing errors
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t cache_slots = 521, cache_bytes = 64 << 20;  // unpacks a row of chunks only once
  H5Pset_cache(access.get(), 0, cache_slots, cache_bytes, 1.0);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
}

Hdf5Handle space_of(const Hdf5Handle& array) {
  return {H5Dget_space(array.get()), H5Sclose};
}

bool holds_numbers(const Hdf5Handle& type) {
  const H5T_class_t kind = H5Tget_class(type.get());
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

// Reads `count` texts, either of one fixed length (cut at the first zero byte) or each of its own length.
std::vector<std::string> texts_of(const Hdf5Handle& type, std::size_t count, const auto& read, hid_t space) {
  std::vector<std::string> texts;
  texts.reserve(count);
  const Hdf5Handle memory(H5Tcopy(type.get()), H5Tclose);
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> pointers(count, nullptr);
    const bool good = read(memory.get(), pointers.data()) >= 0;
    if (good)
      for (const char* text : pointers) texts.push_back(text ? to_utf8(text) : "");
    H5Dvlen_reclaim(memory.get(), space, H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t length = H5Tget_size(type.get());
  std::string bytes(length * count, '\0');
  if (length == 0 || read(memory.get(), bytes.data()) < 0) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const char* const text = bytes.data() + i * length;
    texts.push_back(to_utf8({text, strnlen(text, length)}));
  }
  return texts;
}

}  // namespace

Hdf5File::Hdf5File(const std::string& path) : path_(path), file_(open_file(path)) {
  if (!file_) throw file_error(path, "not an HDF5 file, or cut off");
}

Error Hdf5File::damaged(const std::string& array) const {
  return file_error(path_, shown(array) +
                               " cannot be read: the file is damaged or cut off, or compressed with a method that this "
                               "libhdf5 does not support");
}

std::vector<std::string> Hdf5File::arrays() const {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5O_info_t* info, void* into) -> herr_t {
    if (info->type == H5O_TYPE_DATASET)
      static_cast<std::vector<std::string>*>(into)->push_back(std::string("/") + name);
    return 0;
  };
  H5Ovisit2(file_.get(), H5_INDEX_NAME, H5_ITER_INC, note, &names, H5O_INFO_BASIC);
  return names;
}

bool Hdf5File::has(const std::string& name) const {
  // The library may be asked for a part of a path only if the parts before it exist.
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    if (part.empty() || H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return H5Oexists_by_name(file_.get(), name.c_str(), H5P_DEFAULT) > 0;
  }
}

bool Hdf5File::is_group(const std::string& name) const {
  return has(name) && static_cast<bool>(Hdf5Handle(H5Gopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Gclose));
}

std::vector<std::string> Hdf5File::names_in(const std::string& group) const {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  const Hdf5Handle opened(H5Gopen2(file_.get(), group.c_str(), H5P_DEFAULT), H5Gclose);
  if (opened) H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names);
  return names;
}

std::optional<Hdf5File::Shape> Hdf5File::shape_of(const std::string& array) const {
  if (!has(array)) return std::nullopt;
  const Hdf5Handle opened(H5Dopen2(file_.get(), array.c_str(), H5P_DEFAULT), H5Dclose);
  if (!opened) return std::nullopt;
  const Hdf5Handle space = space_of(opened), type(H5Dget_type(opened.get()), H5Tclose);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 0) return std::nullopt;
  Shape shape;
  shape.sizes.resize(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space.get(), shape.sizes.data(), nullptr);
  shape.numbers = holds_numbers(type);
  const std::size_t bytes = H5Tget_size(type.get());
  shape.fit_float = bytes <= 2 || (bytes <= 4 && H5Tget_class(type.get()) == H5T_FLOAT);
  shape.texts = H5Tget_class(type.get()) == H5T_STRING;
  return shape;
}

std::string Hdf5File::text_attribute(const std::string& object, const char* name) const {
  if (!has(object) || H5Aexists_by_name(file_.get(), object.c_str(), name, H5P_DEFAULT) <= 0) return "";
  const Hdf5Handle attribute(H5Aopen_by_name(file_.get(), object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) return "";
  const auto read = [&](hid_t memory, void* into) { return H5Aread(attribute.get(), memory, into); };
  const std::vector<std::string> texts = texts_of(type, 1, read, space.get());
  return texts.empty() ? "" : texts.front();
}

std::vector<std::uint64_t> Hdf5File::sizes_attribute(const std::string& object, const char* name) const {
  if (!has(object) || H5Aexists_by_name(file_.get(), object.c_str(), name, H5P_DEFAULT) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen_by_name(file_.get(), object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (!holds_numbers(type) || count < 1 || count > 2) return {};
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(count));
  if (H5Aread(attribute.get(), H5T_NATIVE_UINT64, sizes.data()) < 0) return {};
  return sizes;
}

void Hdf5File::read_rows_as(const std::string& array, hsize_t first, hsize_t count, hid_t type, void* into) const {
  const Hdf5Handle opened(H5Dopen2(file_.get(), array.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space = space_of(opened);
  hsize_t sizes[2] = {1, 1}, begin[2] = {first, 0};
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 1 || dimensions > 2 || H5Sget_simple_extent_dims(space.get(), sizes, nullptr) < 0)
    throw damaged(array);
  sizes[0] = count;
  const Hdf5Handle memory(H5Screate_simple(dimensions, sizes, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin, nullptr, sizes, nullptr) < 0 ||
      H5Dread(opened.get(), type, memory.get(), space.get(), H5P_DEFAULT, into) < 0)
    throw damaged(array);
}

void Hdf5File::read_rows(const std::string& array, hsize_t first, hsize_t count, float* into) const {
  read_rows_as(array, first, count, H5T_NATIVE_FLOAT, into);
}

void Hdf5File::read_rows(const std::string& array, hsize_t first, hsize_t count, double* into) const {
  read_rows_as(array, first, count, H5T_NATIVE_DOUBLE, into);
}

void Hdf5File::read_rows(const std::string& array, hsize_t first, hsize_t count, std::int64_t* into) const {
  read_rows_as(array, first, count, H5T_NATIVE_INT64, into);
}

hsize_t Hdf5File::rows_together(const std::string& array) const {
  const Hdf5Handle opened(H5Dopen2(file_.get(), array.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle how(H5Dget_create_plist(opened.get()), H5Pclose);
  hsize_t chunk[2] = {1, 1};
  if (H5Pget_layout(how.get()) != H5D_CHUNKED || H5Pget_chunk(how.get(), 2, chunk) < 1) return 1;
  return std::max<hsize_t>(chunk[0], 1);
}

std::vector<std::string> Hdf5File::read_texts(const std::string& array) const {
  const Hdf5Handle opened(H5Dopen2(file_.get(), array.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space = space_of(opened), type(H5Dget_type(opened.get()), H5Tclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count <= 0) return {};
  const auto read = [&](hid_t memory, void* into) {
    return H5Dread(opened.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, into);
  };
  std::vector<std::string> texts = texts_of(type, static_cast<std::size_t>(count), read, space.get());
  if (texts.size() != static_cast<std::size_t>(count)) throw damaged(array);
  return texts;
}

}  // namespace kinescope::sim

#endif
