#include "sim/data/readers/hdf5/hdf5_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/data/limits.hpp"
#include "sim/data/readers/hdf5/hdf5_elsewhere.hpp"
#include "sim/data/readers/hdf5/hdf5_handle.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

#if !KINESCOPE_HDF5

Hdf5Library::Hdf5Library(const std::string&, std::string name) : name_(std::move(name)) {
  throw file_error(name_,
                   "an HDF5 file needs libhdf5, and this program was built without it: install libhdf5 (Debian: "
                   "libhdf5-dev, liblzf-dev) and build again");
}
Hdf5Library::~Hdf5Library() = default;
#else

namespace {

constexpr int deepest = 128;  // groups in groups: the library takes the square of their number

bool holds_numbers(const Hdf5Handle& type) {
  const H5T_class_t kind = H5Tget_class(type.get());
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

bool holds_booleans(const Hdf5Handle& type) {
  if (H5Tget_class(type.get()) != H5T_ENUM || H5Tget_nmembers(type.get()) != 2) return false;
  for (unsigned member = 0; member < 2; ++member) {
    char* const name = H5Tget_member_name(type.get(), member);
    const bool fits = name && std::string_view(name) == (member == 0 ? "FALSE" : "TRUE");
    H5free_memory(name);
    if (!fits) return false;
  }
  return true;
}

// The number of the field of this name; −1: none.
int field_number(const Hdf5Handle& type, const std::string& field) {
  return H5Tget_class(type.get()) == H5T_COMPOUND ? H5Tget_member_index(type.get(), field.c_str()) : -1;
}

// A type of records with this field alone, which the library picks by its name.
Hdf5Handle record_of(const std::string& field, hid_t type) {
  Hdf5Handle record(H5Tcreate(H5T_COMPOUND, H5Tget_size(type)), H5Tclose);
  H5Tinsert(record.get(), field.c_str(), 0, type);
  return record;
}

// In bytes.
std::uint64_t size_of(hid_t file) {
  hsize_t size = 0;
  H5Fget_filesize(file, &size);
  return size;
}

// How to read texts, none of which may be longer than the file: a damaged one may claim any length, and be read from
// whatever is in memory there.
Hdf5Handle text_reading(hid_t file) {
  const auto allocate = [](std::size_t size, void* most) -> void* {
    return size > reinterpret_cast<std::uintptr_t>(most) ? nullptr : std::malloc(size);
  };
  const auto release = [](void* bytes, void*) { std::free(bytes); };
  Hdf5Handle how(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_vlen_mem_manager(how.get(), allocate, reinterpret_cast<void*>(size_of(file)), release, nullptr);
  return how;
}

// Reads `count` texts, either of one fixed length (cut at the first zero byte) or each of its own length. `read` reads
// values of a type in memory.
std::vector<std::string> texts_of(const Hdf5Handle& type, std::size_t count, const auto& read, hid_t space,
                                  hid_t how = H5P_DEFAULT, const std::string& field = "") {
  std::vector<std::string> texts;
  texts.reserve(count);
  const Hdf5Handle memory = field.empty() ? Hdf5Handle(H5Tcopy(type.get()), H5Tclose) : record_of(field, type.get());
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> pointers(count, nullptr);
    const bool good = read(memory.get(), pointers.data()) >= 0;
    if (good)
      for (const char* text : pointers) texts.push_back(text ? to_utf8(text) : "");
    H5Dvlen_reclaim(memory.get(), space, how, pointers.data());
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

template <class Number>
hid_t type_of() {
  if constexpr (std::is_same_v<Number, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
  return H5T_NATIVE_INT64;
}

}  // namespace

// The file into which the link leads; "" if it stays within its own.
std::string linked_file(hid_t group, const char* name) {
  H5L_info_t info{};
  if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_EXTERNAL) return "";
  std::string value(info.u.val_size, '\0');
  const char *file = nullptr, *object = nullptr;
  if (H5Lget_val(group, name, value.data(), value.size(), H5P_DEFAULT) < 0 ||
      H5Lunpack_elink_val(value.data(), value.size(), nullptr, &file, &object) < 0)
    return "";
  return file;
}

Hdf5Library::Hdf5Library(const std::string& path, std::string name)
    : name_(std::move(name)), path_(path), file_(open_file(path)) {
  if (file_ < 0 && is_marked_as_written(path))
    throw file_error(
        name_,
        "is marked as being written: a program writes it, or ended while it did; `h5clear -s FILE` takes the mark off");
  if (file_ < 0) throw file_error(name_, "not an HDF5 file, or cut off");
}

Hdf5Library::~Hdf5Library() {
  if (file_ >= 0) H5Fclose(file_);
}

Error Hdf5Library::damaged(const std::string& array) const {
  if (const std::string filter = missing_filter(open_array(file_, array)); !filter.empty())
    return file_error(name_, shown(array) + " is compressed with " + filter +
                                 ", which this libhdf5 does not support; h5repack -f GZIP=4 makes a file that is read");
  return file_error(name_, shown(array) + " cannot be read: the file is damaged or cut off");
}

std::vector<std::string> Hdf5Library::arrays() const {
  struct Found {
    std::vector<std::string> names;
    bool too_deep = false;
  } found;
  const auto note = [](hid_t, const char* name, const H5O_info_t* info, void* into) -> herr_t {
    auto& all = *static_cast<Found*>(into);
    const std::string_view path(name);
    all.too_deep = std::count(path.begin(), path.end(), '/') >= deepest;
    if (info->type == H5O_TYPE_DATASET) all.names.push_back("/" + std::string(path));
    return all.too_deep ? 1 : 0;  // 1: no further
  };
  H5Ovisit2(file_, H5_INDEX_NAME, H5_ITER_INC, note, &found, H5O_INFO_BASIC);
  if (found.too_deep)
    throw file_error(name_, "its groups are nested deeper than " + std::to_string(deepest) + "; choose an array with " +
                                name_ + ":/PATH");
  if (found.names.empty()) return linked_arrays();
  return found.names;
}

std::vector<std::string> Hdf5Library::linked_arrays() const {
  std::vector<std::string> links, arrays;
  const auto note = [](hid_t, const char* name, const H5L_info_t* info, void* into) -> herr_t {
    if (info->type == H5L_TYPE_EXTERNAL)
      static_cast<std::vector<std::string>*>(into)->push_back("/" + std::string(name));
    return 0;
  };
  H5Lvisit(file_, H5_INDEX_NAME, H5_ITER_INC, note, &links);
  std::ranges::copy_if(links, std::back_inserter(arrays), [&](const std::string& name) {
    return has(name) && static_cast<bool>(open_array(file_, name));
  });
  return arrays;
}

bool Hdf5Library::has(const std::string& name) const {
  Hdf5Handle group(H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose);
  const Hdf5Handle access(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
  std::string refused;
  H5Pset_elink_cb(access.get(), refuse_irregular, &refused);
  // Part by part: the library may be asked for a link only in a group that exists, and goes each path from its
  // beginning.
  for (std::size_t at = name.find_first_not_of('/'); at < name.size(); at = name.find_first_not_of('/', at)) {
    const std::string part = name.substr(at, name.find('/', at) - at);
    at += part.size();
    if (!group || H5Lexists(group.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    const bool exists = H5Oexists_by_name(group.get(), part.c_str(), access.get()) > 0;
    if (!refused.empty())
      throw file_error(name_, shown(name) + " is a link into " + shown(refused) + ", which is not a regular file");
    if (!exists) {
      if (const std::string file = linked_file(group.get(), part.c_str()); !file.empty())
        throw file_error(name_, shown(name) + " is a link into " + shown(file) + ", which does not hold it");
      return false;
    }
    if (at < name.size()) group = Hdf5Handle(H5Gopen2(group.get(), part.c_str(), H5P_DEFAULT), H5Gclose);
  }
  return !name.empty();
}

bool Hdf5Library::is_group(const std::string& name) const {
  return has(name) && static_cast<bool>(Hdf5Handle(H5Gopen2(file_, name.c_str(), H5P_DEFAULT), H5Gclose));
}

std::vector<std::string> Hdf5Library::names_in(const std::string& group) const {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  if (!is_group(group)) return names;
  const Hdf5Handle opened(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
  H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names);
  return names;
}

// Goes from object to object by their addresses, so that none is too deep.
std::vector<std::string> Hdf5Library::other_files() const {
  struct Found {
    std::vector<std::string> linked;
    std::vector<haddr_t> objects;
    std::set<haddr_t> seen;
  } found;
  const auto note = [](hid_t group, const char* name, const H5L_info_t* info, void* into) -> herr_t {
    auto& all = *static_cast<Found*>(into);
    if (info->type == H5L_TYPE_HARD && all.seen.insert(info->u.address).second) all.objects.push_back(info->u.address);
    if (std::string file = linked_file(group, name); !file.empty()) all.linked.push_back(std::move(file));
    return 0;
  };
  std::vector<std::string> files;
  H5Literate(file_, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &found);
  while (!found.objects.empty()) {
    const Hdf5Handle object(H5Oopen_by_addr(file_, found.objects.back()), H5Oclose);
    found.objects.pop_back();
    if (H5Iget_type(object.get()) == H5I_GROUP)
      H5Literate(object.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &found);
    if (H5Iget_type(object.get()) == H5I_DATASET)
      for (std::string& file : files_of(object, path_)) files.push_back(std::move(file));
  }
  for (const std::string& name : found.linked)
    for (std::string& file : places_of(name, path_)) files.push_back(std::move(file));
  return files;
}

std::optional<Hdf5Shape> Hdf5Library::shape_of(const Hdf5Place& place) const {
  if (!has(place.array)) return std::nullopt;
  const Hdf5Handle opened = open_array(file_, place.array);
  if (!opened) return std::nullopt;
  require_regular(opened, place.array, name_);
  const Hdf5Handle space = space_of(opened), whole(H5Dget_type(opened.get()), H5Tclose);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 0) return std::nullopt;
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  Hdf5Shape shape;
  shape.sizes.assign(sizes.begin(), sizes.end());
  const auto describe = [&](const Hdf5Handle& type) {
    shape.numbers = holds_numbers(type);
    shape.booleans = holds_booleans(type);
    const std::size_t bytes = H5Tget_size(type.get());
    shape.fit_float = bytes <= 2 || (bytes <= 4 && H5Tget_class(type.get()) == H5T_FLOAT);
    shape.texts = H5Tget_class(type.get()) == H5T_STRING;
  };
  if (place.field.empty()) {
    describe(whole);
    if (H5Tget_class(whole.get()) == H5T_COMPOUND)
      for (int i = 0; i < H5Tget_nmembers(whole.get()); ++i) {
        char* const name = H5Tget_member_name(whole.get(), static_cast<unsigned>(i));
        if (name) shape.fields.emplace_back(name);
        H5free_memory(name);
      }
    return shape;
  }
  const int number = field_number(whole, place.field);
  if (number < 0) return std::nullopt;
  const Hdf5Handle type(H5Tget_member_type(whole.get(), static_cast<unsigned>(number)), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_ARRAY) {
    describe(type);
    return shape;
  }
  const int inner = H5Tget_array_ndims(type.get());
  if (inner < 1) return std::nullopt;
  sizes.resize(static_cast<std::size_t>(inner));
  H5Tget_array_dims2(type.get(), sizes.data());
  shape.sizes.insert(shape.sizes.end(), sizes.begin(), sizes.end());
  describe(Hdf5Handle(H5Tget_super(type.get()), H5Tclose));
  return shape;
}

std::vector<std::string> Hdf5Library::texts_attribute(const std::string& object, const std::string& name) const {
  if (!has(object) || H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (H5Tget_class(type.get()) != H5T_STRING || count < 1 || count > static_cast<hssize_t>(maximum_columns)) return {};
  require_memory(name_, double(count) * double(H5Tget_size(type.get())));
  const auto read = [&](hid_t memory, void* into) { return H5Aread(attribute.get(), memory, into); };
  return texts_of(type, static_cast<std::size_t>(count), read, space.get());
}

std::vector<std::uint64_t> Hdf5Library::sizes_attribute(const std::string& object, const std::string& name) const {
  if (!has(object) || H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (!holds_numbers(type) || count < 1 || count > 2) return {};
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(count));
  if (H5Aread(attribute.get(), H5T_NATIVE_UINT64, sizes.data()) < 0) return {};
  return sizes;
}

// An array whose values are all there.
Hdf5Handle Hdf5Library::open_whole(const std::string& name) const {
  Hdf5Handle array = open_array(file_, name);
  if (whole_.contains(name) || !array) return array;
  require_whole(array, name, name_);
  whole_.insert(name);
  return array;
}

template <class Number>
std::vector<Number> Hdf5Library::read_rows(const std::string& array, std::uint64_t first, std::uint64_t count) const {
  const Hdf5Handle opened = open_whole(array), space = space_of(opened);
  hsize_t sizes[2] = {1, 1};
  const hsize_t begin[2] = {first, 0};
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 1 || dimensions > 2 || H5Sget_simple_extent_dims(space.get(), sizes, nullptr) < 0)
    throw damaged(array);
  sizes[0] = count;
  std::vector<Number> values(count * sizes[1]);
  const Hdf5Handle memory(H5Screate_simple(dimensions, sizes, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin, nullptr, sizes, nullptr) < 0 ||
      H5Dread(opened.get(), type_of<Number>(), memory.get(), space.get(), H5P_DEFAULT, values.data()) < 0)
    throw damaged(array);
  return values;
}

std::uint64_t Hdf5Library::rows_together(const std::string& array) const {
  const Hdf5Handle opened = open_array(file_, array);
  const Hdf5Handle how(H5Dget_create_plist(opened.get()), H5Pclose);
  hsize_t chunk[2] = {1, 1};
  if (H5Pget_layout(how.get()) != H5D_CHUNKED || H5Pget_chunk(how.get(), 2, chunk) < 1) return 1;
  return std::max<std::uint64_t>(chunk[0], 1);
}

std::vector<double> Hdf5Library::read_numbers(const Hdf5Place& place) const {
  const std::optional<Hdf5Shape> shape = shape_of(place);
  if (!shape || !shape->numbers) throw damaged(place.array);
  double count = 1;
  for (const std::uint64_t size : shape->sizes) count *= double(size);
  require_density(name_, static_cast<std::uint64_t>(std::min(count, 1e18)), "values", size_of(file_));
  require_memory(name_, count * sizeof(double));
  std::vector<double> numbers(static_cast<std::size_t>(count));
  if (numbers.empty()) return numbers;
  const Hdf5Handle opened = open_whole(place.array);
  if (!place.field.empty()) {
    const Hdf5Handle space = space_of(opened);
    const std::vector<hsize_t> inner(shape->sizes.begin() + H5Sget_simple_extent_ndims(space.get()),
                                     shape->sizes.end());
    const Hdf5Handle values(
        inner.empty() ? H5Tcopy(H5T_NATIVE_DOUBLE)
                      : H5Tarray_create2(H5T_NATIVE_DOUBLE, static_cast<unsigned>(inner.size()), inner.data()),
        H5Tclose);
    const Hdf5Handle record = record_of(place.field, values.get());
    if (H5Dread(opened.get(), record.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
      throw damaged(place.array);
    return numbers;
  }
  if (H5Dread(opened.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    throw damaged(place.array);
  return numbers;
}

std::vector<std::string> Hdf5Library::read_texts(const Hdf5Place& place) const {
  const Hdf5Handle opened = open_whole(place.array);
  const Hdf5Handle space = space_of(opened), whole(H5Dget_type(opened.get()), H5Tclose);
  const int number = place.field.empty() ? 0 : field_number(whole, place.field);
  if (number < 0) throw damaged(place.array);
  const Hdf5Handle type(
      place.field.empty() ? H5Tcopy(whole.get()) : H5Tget_member_type(whole.get(), static_cast<unsigned>(number)),
      H5Tclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count <= 0) return {};
  require_density(name_, static_cast<std::uint64_t>(count), "texts", size_of(file_));
  require_memory(name_, double(count) * double(H5Tget_size(type.get()) + sizeof(std::string)));
  const Hdf5Handle how = text_reading(file_);
  const auto read = [&](hid_t memory, void* into) {
    return H5Dread(opened.get(), memory, H5S_ALL, H5S_ALL, how.get(), into);
  };
  std::vector<std::string> texts =
      texts_of(type, static_cast<std::size_t>(count), read, space.get(), how.get(), place.field);
  if (texts.size() != static_cast<std::size_t>(count)) throw damaged(place.array);
  return texts;
}

template std::vector<float> Hdf5Library::read_rows(const std::string&, std::uint64_t, std::uint64_t) const;
template std::vector<double> Hdf5Library::read_rows(const std::string&, std::uint64_t, std::uint64_t) const;
template std::vector<std::int64_t> Hdf5Library::read_rows(const std::string&, std::uint64_t, std::uint64_t) const;

#endif

}  // namespace kinescope::sim
