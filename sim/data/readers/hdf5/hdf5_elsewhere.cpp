#include "sim/data/readers/hdf5/hdf5_elsewhere.hpp"

#if KINESCOPE_HDF5
#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// The same file by a path that names its folder as no other does.
std::string with_real_folder(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path folder = path.parent_path();
  const std::filesystem::path real = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  return error ? path.string() : (real / path.filename()).string();
}

bool has_folder(const std::string& path) {
  return !path.starts_with(nameless);
}

// A text that the library writes in two steps: get(nullptr, 0) returns its length.
template <class Get>
std::string text_by(Get get) {
  std::string text(static_cast<std::size_t>(std::max<ssize_t>(get(nullptr, 0), 0)), '\0');
  get(text.data(), text.size() + 1);
  return text;
}

// The path of the file that holds the array, which links may have led to.
std::string file_of(const Hdf5Handle& array) {
  const std::string path = text_by([&](char* into, std::size_t size) { return H5Fget_name(array.get(), into, size); });
  return has_folder(path) ? with_real_folder(path) : path;
}

// The one of the places that the library reads, which passes over what is no HDF5 file, but waits for a pipe; "" if
// there is none.
std::string place_read(const std::vector<std::string>& places) {
  std::error_code error;
  for (const std::string& place : places) {
    const std::filesystem::file_type type = std::filesystem::status(place, error).type();
    if (places.size() == 1 ||
        (type != std::filesystem::file_type::regular && type != std::filesystem::file_type::directory))
      return place;
    if (Hdf5Handle(open_file(place), H5Fclose)) return place;
  }
  return places.empty() ? "" : places.front();
}

// A part of an array that is in another file: its bytes as they are up to `end`, or, for a view, a part of `array`.
struct Elsewhere {
  std::string file;
  double end = 0;
  std::string array = "";
  Hdf5Handle part = {-1, H5Sclose};  // none if it grows with the array
  hssize_t values = 0;               // in it
};

std::vector<std::string> places_of_part(const Elsewhere& part, const std::string& path) {
  if (part.file == "." && !part.array.empty()) return {path};
  if (!part.array.empty()) return places_of(part.file, path);
  std::error_code error;
  if (!has_folder(path) || !std::filesystem::exists(part.file, error)) return {};
  return {with_real_folder(part.file)};
}

bool is_there(const Elsewhere& part, const std::vector<std::string>& places) {
  std::error_code error;
  const std::string place = place_read(places);
  if (!std::filesystem::is_regular_file(place, error)) return false;
  const Hdf5Handle file(open_file(place), H5Fclose);
  return static_cast<bool>(open_array(file.get(), part.array));
}

std::vector<Elsewhere> parts_elsewhere(const Hdf5Handle& array, const std::string& path) {
  std::vector<Elsewhere> parts;
  const Hdf5Handle how(H5Dget_create_plist(array.get()), H5Pclose), type(H5Dget_type(array.get()), H5Tclose);
  const int files = H5Pget_external_count(how.get());
  double left = 0;
  if (files > 0) left = double(H5Sget_simple_extent_npoints(space_of(array).get())) * double(H5Tget_size(type.get()));
  for (unsigned i = 0; static_cast<int>(i) < files; ++i) {
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
    return text_by([&](char* into, std::size_t size) { return get(how.get(), i, into, size); });
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
      continue;
    }
    std::vector<std::string> last;
    for (int block = 0;; ++block) {
      Elsewhere part{name_of(name, block), 0, name_of(source, block)};
      std::vector<std::string> places = places_of_part(part, path);
      if (places.empty() || (places == last && (part.array == parts.back().array || !is_there(part, places)))) break;
      parts.push_back(std::move(part));
      last = std::move(places);
    }
  }
  return parts;
}

// Whether an array of this shape has all that is in a part of it, of so many values.
bool holds(const Hdf5Handle& space, const Hdf5Handle& part, hssize_t values) {
  if (!space) return false;
  if (H5Sget_select_type(part.get()) == H5S_SEL_ALL) return H5Sget_simple_extent_npoints(space.get()) >= values;
  hsize_t sizes[H5S_MAX_RANK], begin[H5S_MAX_RANK], end[H5S_MAX_RANK];
  const int dimensions = H5Sget_simple_extent_ndims(part.get());
  if (dimensions != H5Sget_simple_extent_ndims(space.get())) return false;
  H5Sget_simple_extent_dims(space.get(), sizes, nullptr);
  hsize_t stride[H5S_MAX_RANK], count[H5S_MAX_RANK] = {}, block[H5S_MAX_RANK] = {};
  if (H5Sis_regular_hyperslab(part.get()) > 0) H5Sget_regular_hyperslab(part.get(), begin, stride, count, block);
  if (H5Sget_select_bounds(part.get(), begin, end) < 0) return true;  // it has no end
  for (int i = 0; i < dimensions; ++i)
    if (count[i] != H5S_UNLIMITED && block[i] != H5S_UNLIMITED && end[i] >= sizes[i]) return false;
  return true;
}

constexpr const char* irregular = "is not a regular file";

constexpr int most_views = 8;  // of views of views

// An array that views show.
struct Source {
  Hdf5Handle space;  // none if there is no such array
  int views;         // of views of views
};
using Sources = std::map<std::pair<std::string, std::string>, Source>;  // by their files and names

Error refusal(const std::string& told, const std::string& name, const Elsewhere& part, const std::string& why) {
  return file_error(told, shown(name) + " has values in " + shown(part.file) + ", which " + why);
}

// Requires that all values are there, and returns how deep views are within each other; at most one more than is good.
int depth_of_whole(const Hdf5Handle& array, const std::string& name, const std::string& told, int depth,
                   Sources& sources) {
  if (depth > most_views) return depth;
  const std::string path = file_of(array);
  const auto refused = [&](const Elsewhere& part, const std::string& why) { return refusal(told, name, part, why); };
  int deepest = depth;
  for (const Elsewhere& part : parts_elsewhere(array, path)) {
    const std::string place = place_read(places_of_part(part, path));
    std::error_code error;
    if (place.empty()) throw refused(part, "is not there");
    if (!std::filesystem::is_regular_file(place, error)) throw refused(part, irregular);
    const bool is_short = part.array.empty() && double(std::filesystem::file_size(place, error)) < part.end;
    if (is_short || error) throw refused(part, "does not hold all of them");
    if (part.array.empty()) continue;
    auto source = sources.find({place, part.array});
    if (source == sources.end()) {
      const Hdf5Handle file(open_file(place), H5Fclose), opened = open_array(file.get(), part.array);
      if (!file) throw refused(part, "is not an HDF5 file, or cut off");
      const int views =
          opened ? depth_of_whole(opened, part.array, place == path ? told : place, depth + 1, sources) - depth : 0;
      source = sources.insert_or_assign({place, part.array}, Source{space_of(opened), views}).first;
    }
    if (part.part && !holds(source->second.space, part.part, part.values))
      throw refused(part, "does not hold all of them");
    deepest = std::max(deepest, depth + source->second.views);
  }
  return deepest;
}

}  // namespace

std::vector<std::string> places_of(const std::string& name, const std::string& path) {
  std::error_code error;
  std::vector<std::string> places;
  if (!has_folder(path)) return places;
  const auto look = [&](const std::filesystem::path& place) {
    if (!std::filesystem::exists(place, error)) return;
    std::string real = with_real_folder(place);
    if (std::ranges::find(places, real) == places.end()) places.push_back(std::move(real));
  };
  std::filesystem::path relative = name;
  if (relative.is_absolute()) {
    look(relative);
    relative = relative.filename();
  }
  look(std::filesystem::path(path).parent_path() / relative);
  look(relative);
  if (std::filesystem::is_symlink(path, error)) look(std::filesystem::canonical(path, error).parent_path() / relative);
  return places;
}

std::vector<std::string> files_of(const Hdf5Handle& array, const std::string& path) {
  std::vector<std::string> files;
  for (const Elsewhere& part : parts_elsewhere(array, path))
    for (std::string& place : places_of_part(part, path)) files.push_back(std::move(place));
  return files;
}

void require_regular(const Hdf5Handle& array, const std::string& name, const std::string& told) {
  const std::string path = file_of(array);
  std::error_code error;
  for (const Elsewhere& part : parts_elsewhere(array, path))
    if (const std::string place = place_read(places_of_part(part, path));
        !place.empty() && !std::filesystem::is_regular_file(place, error))
      throw refusal(told, name, part, irregular);
}

void require_whole(const Hdf5Handle& array, const std::string& name, const std::string& told) {
  Sources sources;
  if (depth_of_whole(array, name, told, 0, sources) > most_views)
    throw file_error(told, shown(name) + " is a view of views nested deeper than " + std::to_string(most_views));
}

herr_t refuse_irregular(const char* parent, const char*, const char* child, const char*, unsigned*, hid_t,
                        void* refused) {
  std::error_code error;
  const std::string place = place_read(places_of(child, parent));
  if (std::filesystem::is_regular_file(place, error)) return 0;
  if (!place.empty()) *static_cast<std::string*>(refused) = child;
  return -1;
}

}  // namespace kinescope::sim
#endif
