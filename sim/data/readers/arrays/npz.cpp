#include "sim/data/readers/arrays/npz.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unzip.h>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view ending = ".npy";

using Archive = std::unique_ptr<void, decltype(&unzClose)>;

Archive open_archive(const std::string& path) {
  Archive archive(unzOpen64(path.c_str()), &unzClose);
  if (!archive) throw file_error(path, "not a ZIP archive, or cut off: its directory is missing");
  return archive;
}

struct Member {
  std::string name;  // without ".npy"
  std::vector<std::uint64_t> shape;
  unz64_file_pos place{};

  std::string text() const {
    std::string sizes;
    for (const std::uint64_t size : shape) sizes += (sizes.empty() ? "" : " × ") + std::to_string(size);
    return shown(name) + " (" + (sizes.empty() ? "one value" : sizes) + ")";
  }
};

// The current member of an archive as bytes.
class MemberBytes : public ByteSource {
 public:
  MemberBytes(const std::string& name, unzFile archive) : name_(name), archive_(archive) {
    unz_file_info64 info{};
    if (unzGetCurrentFileInfo64(archive, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) throw damaged();
    size_ = info.uncompressed_size;
    if (info.flag & 1u) throw file_error(name, "the archive is encrypted");
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      throw file_error(name, "compressed with a method that is not supported; supported: stored and deflated arrays");
    if (unzOpenCurrentFile(archive) != UNZ_OK) throw damaged();
  }
  ~MemberBytes() override {
    if (!closed_) unzCloseCurrentFile(archive_);
  }
  MemberBytes(const MemberBytes&) = delete;
  MemberBytes& operator=(const MemberBytes&) = delete;

  std::uint64_t size() const override { return size_; }
  std::size_t read(char* into, std::size_t bytes) override {
    if (closed_) return 0;
    constexpr std::size_t most = 1 << 30;  // the library counts in int
    const int got = unzReadCurrentFile(archive_, into, static_cast<unsigned>(std::min(bytes, most)));
    if (got < 0) throw damaged();
    if (got > 0) return static_cast<std::size_t>(got);
    closed_ = true;
    if (unzCloseCurrentFile(archive_) != UNZ_OK) throw damaged();  // the checksum is wrong
    return 0;
  }

 private:
  Error damaged() const { return file_error(name_, "the archive is damaged"); }

  std::string name_;
  unzFile archive_;
  std::uint64_t size_ = 0;
  bool closed_ = false;
};

std::vector<Member> list_members(const std::string& path, unzFile archive) {
  std::vector<Member> members;
  for (int status = unzGoToFirstFile(archive); status != UNZ_END_OF_LIST_OF_FILE; status = unzGoToNextFile(archive)) {
    std::string name(1 << 16, '\0');
    unz_file_info64 info{};
    if (status != UNZ_OK ||
        unzGetCurrentFileInfo64(archive, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK)
      throw file_error(path, "the archive is damaged");
    name.resize(info.size_filename);
    if (!std::string_view(name).ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    Member member{name, {}};
    unzGetFilePos64(archive, &member.place);
    InputFile bytes(path + ":" + name, std::make_unique<MemberBytes>(path + ":" + name, archive));
    member.shape = read_npy_shape(bytes);
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

}  // namespace

bool is_npz(const InputFile& file) {
  const std::string_view head = file.head();
  constexpr std::size_t name_at = 30;  // in the header of the first member
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(head[at])); };
  if (!head.starts_with("PK\x03\x04") || head.size() < name_at) return ends_with_ignoring_case(file.path(), ".npz");
  return head.substr(name_at, byte(26) | byte(27) << 8).ends_with(ending) ||
         ends_with_ignoring_case(file.path(), ".npz");
}

Table read_npz(const Inside& source, LoadProgress* progress) {
  const Archive archive = open_archive(source.file);
  const std::vector<Member> members = list_members(source.file, archive.get());
  const Member& chosen = choose_member(source, members);
  unz64_file_pos place = chosen.place;
  unzGoToFilePos64(archive.get(), &place);
  const std::string name = source.file + ":" + chosen.name;
  InputFile bytes(name, std::make_unique<MemberBytes>(name, archive.get()), progress);
  Table table = read_npy(bytes);
  table.format = "NumPy archive, array " + shown(chosen.name);
  std::vector<Member> others;
  for (const Member& each : members)
    if (each.name != chosen.name) others.push_back(each);
  if (!others.empty()) table.remarks.push_back("the archive also holds " + list_of(others));
  return table;
}

}  // namespace kinescope::sim
