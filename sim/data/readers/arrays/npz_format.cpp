// NumPy's `.npz`: a ZIP archive of `.npy` arrays, stored or deflated.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/packing/zip_archive.hpp"
#include "sim/data/readers/sparse_entries.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view ending = ".npy";

std::string without_ending(const std::string& name) {
  return name.substr(0, name.size() - ending.size());
}

struct Member {
  std::string name;  // without ".npy"
  std::vector<std::uint64_t> shape;
  ZipEntry entry;

  std::string text() const { return shown(name) + " (" + (shape.empty() ? "one value" : sizes_text(shape)) + ")"; }
};

std::unique_ptr<InputFile> open_member(const std::string& path, const ZipArchive& archive, const ZipEntry& entry,
                                       LoadProgress* progress = nullptr) {
  const std::string name = path + ":" + without_ending(entry.name);
  auto bytes = std::make_unique<ZipMemberBytes>(name, archive, entry);
  const std::uint64_t size = bytes->unpacked_size();
  return std::make_unique<InputFile>(name, std::move(bytes), size, progress);
}

std::vector<Member> list_members(const std::string& path, const ZipArchive& archive) {
  std::vector<Member> members;
  for (ZipEntry& entry : zip_entries(path, archive)) {
    if (!entry.name.ends_with(ending)) continue;
    Member member{without_ending(entry.name), read_npy_shape(*open_member(path, archive, entry)), {}};
    member.entry = std::move(entry);
    members.push_back(std::move(member));
  }
  return members;
}

std::string list_of(const std::vector<Member>& members) {
  std::vector<std::string> texts;
  for (const Member& each : members) texts.push_back(each.text());
  return listed(texts);
}

const Member& choose_member(const std::string& path, const std::string& name, const std::vector<Member>& members) {
  if (members.empty()) throw file_error(path, "holds no NumPy array");
  const auto choose = [&](const auto& fits) -> const Member* {
    const auto found = std::find_if(members.begin(), members.end(), fits);
    return found != members.end() && std::none_of(found + 1, members.end(), fits) ? &*found : nullptr;
  };
  const Member* chosen = nullptr;
  if (!name.empty())
    chosen = choose([&](const Member& each) { return each.name == name || each.name + ".npy" == name; });
  else if (members.size() == 1)
    chosen = &members.front();
  else
    chosen = choose([](const Member& each) { return each.shape.size() == 2; });
  if (chosen) return *chosen;
  throw no_such_part(path, "array", name, list_of(members), members.front().name);
}

// True for a ZIP archive whose first member is an `.npy` array, and for any file whose name ends in .npz.
bool is_npz(const InputFile& file) {
  const std::string_view head = file.head();
  constexpr std::size_t name_at = 30;  // in the header of the first member
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(head[at])); };
  if (!head.starts_with("PK\x03\x04") || head.size() < name_at) return has_ending(file.path(), ".npz");
  return head.substr(name_at, byte(26) | byte(27) << 8).ends_with(ending) || has_ending(file.path(), ".npz");
}

// Opens the array of this name; null if the archive has none.
using OpenArray = std::function<std::unique_ptr<InputFile>(std::string_view name)>;

// A sparse matrix as scipy.sparse.save_npz writes it.
class SparseArrays {
 public:
  SparseArrays(const std::string& path, const OpenArray& open, const LoadProgress* progress)
      : path_(path), open_(open), progress_(progress) {}

  Table read();

 private:
  Error damaged(const std::string& why) const { return file_error(path_, "damaged: " + why); }
  std::unique_ptr<InputFile> array(std::string_view name) const {
    std::unique_ptr<InputFile> file = open_(name);
    if (!file) throw damaged("a sparse matrix without the array " + shown(name));
    return file;
  }
  Numbers numbers(std::string_view name) const {
    if (read_npy_shape(*array(name)) == std::vector<std::uint64_t>{0}) return {};  // a matrix may store no value
    const std::unique_ptr<InputFile> file = array(name);
    Table table = read_npy(*file);
    if (table.columns.size() != 1) throw damaged("the array " + shown(name) + " has more than one dimension");
    return std::move(table.columns.front().numbers);
  }
  std::uint64_t place(double value, std::uint64_t end, const char* what) const {
    if (!(value >= 0) || value >= static_cast<double>(end) || value != std::floor(value))
      throw damaged(std::string(what) + " " + number_text(value) + " is not one of " + std::to_string(end));
    return static_cast<std::uint64_t>(value);
  }
  std::string format() const;
  void check_pointers(const Numbers& pointers, std::uint64_t count, std::size_t entries) const;

  const std::string& path_;
  const OpenArray& open_;
  const LoadProgress* progress_;
};

// One value of type S3 or U3.
std::string SparseArrays::format() const {
  const std::unique_ptr<InputFile> file = array("format");
  std::string text(file->head());
  const std::size_t header_end = text.find('\n');
  std::string name;
  for (const char c : header_end == std::string::npos ? std::string() : text.substr(header_end + 1))
    if (c != '\0') name += c;
  return name;
}

void SparseArrays::check_pointers(const Numbers& pointers, std::uint64_t count, std::size_t entries) const {
  if (pointers.size() != count + 1 || pointers.front() != 0 || pointers.back() != static_cast<double>(entries))
    throw damaged("indptr does not fit the shape and the entries");
  for (std::size_t i = 1; i < pointers.size(); ++i)
    if (!(pointers[i] >= pointers[i - 1])) throw damaged("indptr descends");
}

// The matrix's rows; `open` gives the arrays `format`, `shape`, `data` and, by the format (csr, csc or coo), `indices`
// and `indptr`, or `row` and `col`. Entries in the same place are added up. Throws Error (input), in the name of
// `path`, for another format, and for places outside the matrix; Error (run); Cancelled. O(entries log(entries of a
// row)).
Table SparseArrays::read() {
  const std::string kind = format();
  if (kind != "csr" && kind != "csc" && kind != "coo")
    throw file_error(path_, "sparse matrices of kind " + shown(kind) +
                                " are not read: convert it in SciPy with .tocsr() and save it again");
  const Numbers shape = numbers("shape");
  if (shape.size() != 2) throw file_error(path_, "a sparse array of other than 2 dimensions");
  const std::uint64_t rows = place(shape[0], maximum_rows, "the number of rows"),
                      columns = place(shape[1], maximum_rows, "the number of columns");
  if (rows == 0 || columns == 0) throw file_error(path_, rows == 0 ? "no rows" : "no columns");
  const bool coo = kind == "coo", csc = kind == "csc";
  const Numbers values = numbers("data"), inner = numbers(coo ? "col" : "indices"),
                outer = numbers(coo ? "row" : "indptr");
  const std::size_t entries = values.size();
  if (inner.size() != entries || (coo && outer.size() != entries)) throw damaged("arrays of different sizes");
  if (!coo) check_pointers(outer, csc ? columns : rows, entries);
  require_memory(path_, static_cast<double>(entries) * 8 + 16.0 * static_cast<double>(rows + 1));
  // Calls f(row, column, value) for all entries.
  const auto each_entry = [&](auto f) {
    std::uint64_t at = 0;  // the row, or column, of the entry
    for (std::size_t i = 0; i < entries; ++i) {
      if (!coo)
        while (outer[at + 1] <= static_cast<double>(i)) ++at;
      else
        at = place(outer[i], rows, "row");
      const std::uint64_t other = place(inner[i], csc ? rows : columns, csc ? "row" : "column");
      csc ? f(other, at, values[i]) : f(at, other, values[i]);
    }
  };
  const auto beyond = [&](std::size_t row, std::size_t column) {
    return file_error(path_, "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) +
                                 ": a value that is missing or beyond float32");
  };
  Table table;
  table.format = "SciPy sparse matrix, " + kind;
  table.rows = rows;
  table.sparse = rows_of_entries<double>(rows, columns, each_entry, beyond, progress_);
  return table;
}

// Reads the array named (with or without ".npy"), else the only one of two dimensions, else the only one. Throws Error
// (input) if there is none or a choice of several, which it then lists with their shapes; for archives that are cut
// off, damaged or encrypted; and what read_npy throws.
Table read_npz(const SourceFile& source) {
  const std::string& path = source.path();
  const ZipArchive archive = open_zip(path, source.file.seekable_path());
  const std::vector<Member> members = list_members(path, archive);
  const OpenArray open = [&](std::string_view name) -> std::unique_ptr<InputFile> {
    const auto found = std::ranges::find(members, name, &Member::name);
    return found == members.end() ? nullptr : open_member(path, archive, found->entry, source.progress);
  };
  const auto has = [&](std::string_view name) {
    return std::ranges::find(members, name, &Member::name) != members.end();
  };
  if (source.place.name.empty() && has("format") && has("shape") && has("data"))
    return SparseArrays(path, open, source.progress).read();
  const Member& chosen = choose_member(source.file.path(), source.place.name, members);
  Table table = read_npy(*open_member(path, archive, chosen.entry, source.progress));
  table.format = "NumPy archive, array " + shown(chosen.name);
  std::vector<Member> others;
  for (const Member& each : members)
    if (each.name != chosen.name) others.push_back(each);
  if (!others.empty()) table.remarks.push_back("the archive also holds " + list_of(others));
  return table;
}

}  // namespace

extern const FileFormat npz_format = {.name = "NumPy .npz archives",
                                      .endings = ".npz",
                                      .fit = [](InputFile& file) { return fit_if(is_npz(file), Fit::certain); },
                                      .read = read_npz,
                                      .has_parts = true};

}  // namespace kinescope::sim
