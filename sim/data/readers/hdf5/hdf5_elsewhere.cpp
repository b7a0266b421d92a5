#include "sim/data/readers/hdf5/hdf5_elsewhere.hpp"

#if KINESCOPE_HDF5
#include <algorithm>
#include <filesystem>
#include <functional>

#include "sim/core/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

std::string place_of(const std::string& name, const std::string& path, bool beside) {
  std::error_code error;
  if (path.starts_with(nameless)) return "";
  const std::filesystem::path near = std::filesystem::path(path).parent_path() / name;
  if (beside && std::filesystem::exists(near, error)) return near.string();
  return std::filesystem::exists(name, error) ? name : "";
}

namespace {

// A part of an array that is in another file: its bytes as they are up to `end`, or, for a view, a part of `array`.
struct Elsewhere {
  std::string file;
  double end = 0;
  std::string array = "";
  Hdf5Handle part = {-1, H5Sclose};  // none if it grows with the array
  hssize_t values = 0;               // in it
};

std::vector<Elsewhere> parts_elsewhere(const Hdf5Handle& array, const std::string& path) {
  std::vector<Elsewhere> parts;
  const Hdf5Handle how(H5Dget_create_plist(array.get()), H5Pclose), type(H5Dget_type(array.get()), H5Tclose);
  double left = double(H5Sget_simple_extent_npoints(space_of(array).get())) * double(H5Tget_size(type.get()));
  for (unsigned i = 0; static_cast<int>(i) < H5Pget_external_count(how.get()); ++i) {
    char name[4096] = {};
    off_t begin = 0;
    hsize_t size = 0;
    H5Pget_external(how.get(), i, sizeof name - 1, name, &begin, &size);
    const double here = std::min(left, double(size));
    parts.push_back({name, here > 0 ? double(begin) + here : 0});
    left -= here;
  }
  std::size_t views = 0;
  if (H5Pget_layout(how.get()) != H5D_VIRTUAL || H5Pget_virtual_count(how.get(), &views) < 0) return parts;
  const auto text = [&](auto get, std::size_t i) {
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(get(how.get(), i, nullptr, 0), 0)), '\0');
    get(how.get(), i, name.data(), name.size() + 1);
    return name;
  };
  // In names "%%" is "%", and "%b" the number of a block, of which as many are read as there are.
  const auto name_of = [](std::string name, int block) {
    for (std::size_t at = 0; (at = name.find('%', at)) < name.size();) {
      const std::string meant = name.substr(at, 2) == "%b" ? std::to_string(block) : "%";
      name.replace(at, 2, meant);
      at += meant.size();
    }
    return name;
  };
  for (std::size_t i = 0; i < views; ++i) {
    const std::string name = text(H5Pget_virtual_filename, i), source = text(H5Pget_virtual_dsetname, i);
    if (name_of(name + source, 0) == name_of(name + source, 1)) {
      const Hdf5Handle shown_part(H5Pget_virtual_vspace(how.get(), i), H5Sclose);
      parts.push_back({name_of(name, 0),
                       0,
                       name_of(source, 0),
                       {H5Pget_virtual_srcspace(how.get(), i), H5Sclose},
                       H5Sget_select_npoints(shown_part.get())});
    } else
      for (int block = 0; !place_of(name_of(name, block), path).empty(); ++block) {
        parts.push_back({name_of(name, block), 0, name_of(source, block)});
        if (name_of(name, 0) == name_of(name, 1)) break;
      }
  }
  return parts;
}

// Whether the array has all that is in a part of it, of so many values.
bool holds(const Hdf5Handle& array, const Hdf5Handle& part, hssize_t values) {
  if (!array) return false;
  const Hdf5Handle space = space_of(array);
  if (H5Sget_select_type(part.get()) == H5S_SEL_ALL) return H5Sget_simple_extent_npoints(space.get()) >= values;
  hsize_t sizes[H5S_MAX_RANK], begin[H5S_MAX_RANK], end[H5S_MAX_RANK];
  const int dimensions = H5Sget_simple_extent_ndims(part.get());
  if (dimensions != H5Sget_simple_extent_ndims(space.get())) return false;
  H5Sget_simple_extent_dims(space.get(), sizes, nullptr);
  if (H5Sget_select_bounds(part.get(), begin, end) < 0) return true;  // it has no end
  return std::equal(end, end + dimensions, sizes, std::less<>());
}

}  // namespace

std::vector<std::string> files_of(const Hdf5Handle& array, const std::string& path) {
  std::vector<std::string> files;
  for (Elsewhere& part : parts_elsewhere(array, path)) files.push_back(std::move(part.file));
  return files;
}

void require_whole(hid_t file, const Hdf5Handle& array, const std::string& path, const std::string& name,
                   const std::string& told, int depth) {
  constexpr int most_views = 8;  // of views of views
  const auto refused = [&](const Elsewhere& part, const std::string& why) {
    return file_error(told, shown(name) + " has values in " + shown(part.file) + ", which " + why);
  };
  for (const Elsewhere& part : parts_elsewhere(array, path)) {
    const bool in_itself = part.file == ".";
    const std::string place = in_itself ? path : place_of(part.file, path, !part.array.empty());
    std::error_code error;
    if (place.empty()) throw refused(part, "is not there");
    if (!std::filesystem::is_regular_file(place, error)) throw refused(part, "is not a regular file");
    const bool is_short = part.array.empty() && double(std::filesystem::file_size(place, error)) < part.end;
    if (is_short || error) throw refused(part, "does not hold all of them");
    if (!part.part || depth == most_views) continue;
    const Hdf5Handle opened(in_itself ? -1 : open_file(place), H5Fclose);
    const hid_t other = in_itself ? file : opened.get();
    const Hdf5Handle source = open_array(other, part.array);
    if (!holds(source, part.part, part.values)) throw refused(part, "does not hold all of them");
    require_whole(other, source, place, part.array, place, depth + 1);
  }
}

herr_t refuse_irregular(const char* parent, const char*, const char* child, const char*, unsigned*, hid_t,
                        void* refused) {
  std::error_code error;
  const std::string place = place_of(child, parent);
  if (std::filesystem::is_regular_file(place, error)) return 0;
  if (!place.empty()) *static_cast<std::string*>(refused) = child;
  return -1;
}

}  // namespace kinescope::sim
#endif
