// NumPy's `.npz`: a ZIP archive of `.npy` arrays, stored or deflated.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/readers/arrays/npz_sparse.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/packing/zip_archive.hpp"
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

  std::string text() const {
    std::string sizes;
    for (const std::uint64_t size : shape) sizes += (sizes.empty() ? "" : " × ") + std::to_string(size);
    return shown(name) + " (" + (sizes.empty() ? "one value" : sizes) + ")";
  }
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
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(members.size(), most); ++i) text += (i ? ", " : "") + members[i].text();
  return text + (members.size() > most ? ", …" : "");
}

const Member& choose_member(const Inside& source, const std::vector<Member>& members) {
  if (members.empty()) throw file_error(source.file, "holds no NumPy array");
  const auto choose = [&](const auto& fits) -> const Member* {
    const auto found = std::find_if(members.begin(), members.end(), fits);
    return found != members.end() && std::none_of(found + 1, members.end(), fits) ? &*found : nullptr;
  };
  const Member* chosen = nullptr;
  if (!source.name.empty())
    chosen = choose([&](const Member& each) { return each.name == source.name || each.name + ".npy" == source.name; });
  else if (members.size() == 1)
    chosen = &members.front();
  else
    chosen = choose([](const Member& each) { return each.shape.size() == 2; });
  if (chosen) return *chosen;
  throw file_error(
      source.file,
      (source.name.empty() ? "which array? It holds " : "no array " + shown(source.name) + "; it holds ") +
          list_of(members) +
          (source.name.empty() ? "; choose one with " + file_name(source.file) + ":" + members.front().name : ""));
}

// True for a ZIP archive whose first member is an `.npy` array, and for any file whose name ends in .npz.
bool is_npz(const InputFile& file) {
  const std::string_view head = file.head();
  constexpr std::size_t name_at = 30;  // in the header of the first member
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(head[at])); };
  if (!head.starts_with("PK\x03\x04") || head.size() < name_at) return has_ending(file.path(), ".npz");
  return head.substr(name_at, byte(26) | byte(27) << 8).ends_with(ending) || has_ending(file.path(), ".npz");
}

// Reads the array named (with or without ".npy"), else the only one of two dimensions, else the only one. Throws Error
// (input) if there is none or a choice of several, which it then lists with their shapes; for archives that are cut
// off, damaged or encrypted; and what read_npy throws.
Table read_npz(const SourceFile& source) {
  const std::string& path = source.path();
  const ZipArchive archive = open_zip(path, source.file.seekable_path());
  const std::vector<Member> members = list_members(path, archive);
  const auto open = [&](std::string_view name) -> std::unique_ptr<InputFile> {
    const auto found = std::ranges::find(members, name, &Member::name);
    return found == members.end() ? nullptr : open_member(path, archive, found->entry, source.progress);
  };
  const auto has = [&](std::string_view name) {
    return std::ranges::find(members, name, &Member::name) != members.end();
  };
  if (source.place.name.empty() && has("format") && has("shape") && has("data"))
    return read_sparse_npz(path, open, source.progress);
  const Member& chosen = choose_member(source.place, members);
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
