#include "sim/data/readers/input_file.hpp"

#include <array>
#include <cstring>
#include <functional>
#include <utility>

#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/packing/temporary_file.hpp"
#include "sim/data/readers/packing/zip_archive.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t head_bytes = 256 << 10, step_bytes = 1 << 20, plain_step_bytes = 8 << 20;
constexpr int most_layers = 3;

// Bytes that have been looked at, and those after them.
class Prefixed final : public ByteSource {
 public:
  Prefixed(std::vector<char> first, std::unique_ptr<ByteSource> rest)
      : first_(std::move(first)), rest_(std::move(rest)) {}
  std::uint64_t size() const override { return rest_->size(); }
  std::uint64_t used() const override {
    const std::uint64_t used = rest_->used(), waiting = first_.size() - taken_;
    return used - std::min(used, waiting);
  }
  std::size_t read(char* into, std::size_t bytes) override {
    if (taken_ == first_.size()) return rest_->read(into, bytes);
    const std::size_t count = std::min(bytes, first_.size() - taken_);
    std::memcpy(into, first_.data() + taken_, count);
    taken_ += count;
    return count;
  }

 private:
  std::vector<char> first_;
  std::size_t taken_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

// Names of archives that are more than a packing.
constexpr std::string_view own_endings =
    ".npz .xlsx .xlsm .xlsb .docx .pptx .ods .odt .odp .numbers .pages .key .kmz .jar .apk .epub .pt .pth .keras .3mf";

// Archives that are documents or arrays, and are not taken apart. A document has both files of a pair.
bool is_one_thing(const std::vector<ZipEntry>& entries) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> documents = {
      {{"[Content_Types].xml", "_rels/.rels"},
       {"mimetype", "META-INF/manifest.xml"},
       {"mimetype", "META-INF/container.xml"}}};
  const auto has = [&](std::string_view name) {
    return std::ranges::find(entries, name, &ZipEntry::name) != entries.end();
  };
  return std::ranges::any_of(documents, [&](const auto& pair) { return has(pair.first) && has(pair.second); }) ||
         std::ranges::any_of(entries,
                             [](const ZipEntry& each) {
                               return each.name.ends_with("/data.pkl") || each.name.ends_with(".zgroup") ||
                                      each.name.ends_with("zarr.json");
                             }) ||
         (!entries.empty() && entries.front().name.ends_with(".npy"));
}

}  // namespace

Error too_long(const std::string& path, const std::string& what, std::uint64_t bytes, std::uint64_t has) {
  return file_error(
      path, "damaged: " + with_commas(bytes) + " bytes hold " + what + ", but the file has " + with_commas(has));
}

Error no_such_part(const std::string& path, const std::string& what, const std::string& asked, const std::string& list,
                   const std::string& example) {
  if (!asked.empty()) return file_error(path, "no " + what + " " + shown(asked) + "; it holds " + list);
  const std::string file = split_inside(path).file;  // the archive, if `path` is in one
  return file_error(path, "which " + what + "? It holds " + list + "; choose one with " + file_name(file) +
                              path.substr(file.size()) + ":" + example);
}

InputFile::InputFile(const std::string& path, LoadProgress* progress, const std::string& member)
    : path_(path == standard_input ? standard_input_name : path), progress_(progress) {
  auto file = std::make_unique<FileBytes>(path, progress);
  seekable_path_ = file->seekable_path();
  size_ = file->size();
  stamp_ = file->stamp();
  source_ = std::move(file);
  read_head();
  for (int layer = 0; layer < most_layers; ++layer) {
    if (is_zip(head()) && unpack_zip(member)) continue;
    const Packing* const packing = packing_of(head());
    if (!packing) break;
    packings_ += ", " + std::string(packing->text);
    seekable_path_.clear();
    source_ = packing->unpack(path_, std::make_unique<Prefixed>(std::move(head_), std::move(source_)));
    read_head();
  }
}

InputFile::InputFile(const std::string& name, std::unique_ptr<ByteSource> source, std::uint64_t size,
                     LoadProgress* progress)
    : path_(name), progress_(progress), source_(std::move(source)), size_(size) {
  read_head();
}

InputFile::~InputFile() = default;

// Goes into an archive that is nothing but a packing; false if it is something else.
bool InputFile::unpack_zip(const std::string& member) {
  if (took_member_ || packings_.ends_with(", zipped") || has_ending(path_, own_endings)) return false;
  if (seekable_path_.empty()) spool();
  const ZipArchive archive = open_zip(path_, seekable_path_);
  std::vector<ZipEntry> entries = zip_entries(path_, archive);
  auto chosen = std::ranges::find_if(
      entries, [&](const ZipEntry& each) { return each.name == member && !member.empty() && !member.ends_with('/'); });
  took_member_ = chosen != entries.end();
  if (!took_member_) {
    if (is_one_thing(entries)) return false;
    std::erase_if(entries, [](const ZipEntry& each) { return !each.is_file(); });
    if (!std::ranges::all_of(entries, &ZipEntry::is_hidden)) std::erase_if(entries, std::mem_fn(&ZipEntry::is_hidden));
    if (entries.empty()) throw file_error(path_, "an archive without files");
    std::vector<std::string> names;
    for (const ZipEntry& each : entries) names.push_back(each.name);
    if (!member.empty()) throw file_error(path_, "no file " + shown(member) + "; it holds " + list_of(names));
    if (entries.size() > 1)
      throw file_error(path_, "which file? The archive holds " + list_of(names) + "; choose one with " +
                                  file_name(path_) + ":" + names.front());
    chosen = entries.begin();
  }
  const std::string name = path_ + ":" + chosen->name;
  source_ = std::make_unique<ZipMemberBytes>(name, archive, *chosen);
  path_ = name;
  seekable_path_.clear();
  packings_ += ", zipped";
  read_head();
  return true;
}

void InputFile::read_head() {
  const std::uint64_t size = plain_size();
  // One byte more tells that the file has grown since.
  const std::size_t wanted = size > 0 && size < head_bytes ? static_cast<std::size_t>(size) + 1 : head_bytes;
  head_.resize(wanted);
  head_taken_ = 0;
  head_.resize(read_source(head_.data(), wanted));
  head_is_all_ = head_.size() < wanted;
  if (head_.empty()) throw file_error(path_, "is empty");
}

// Copies all that is left into a temporary file, and reads from there.
void InputFile::spool() {
  auto file = std::make_unique<TemporaryFile>();
  file->append(path_, head().substr(head_taken_));
  std::vector<char> block(step_bytes);
  for (std::size_t count = 0; (count = read_source(block.data(), block.size())) > 0;) {
    file->append(path_, {block.data(), count});
    tell_progress();
  }
  seekable_path_ = file->path();
  temporary_ = std::move(file);
}

std::string InputFile::seekable_path() {
  if (seekable_path_.empty()) spool();
  return seekable_path_;
}

// Fewer bytes only at the end.
std::size_t InputFile::read_source(char* into, std::size_t bytes) {
  std::size_t got = 0;
  while (got < bytes) {
    const std::size_t count = source_->read(into + got, bytes - got);
    if (count == 0) break;
    got += count;
    if (packed()) check_packing(count);
    if (progress_ && progress_->cancelled) throw Cancelled{};
  }
  return got;
}

// A file that repeats itself may be ten thousand times as long as what it is packed into.
void InputFile::check_packing(std::size_t more) {
  constexpr std::uint64_t always = 64 << 20, each_byte = 256;
  unpacked_ += more;
  const std::uint64_t packed = std::max(source_->size(), source_->used());
  if (unpacked_ > std::max(always, each_byte * packed))
    throw file_error(path_, bytes_text(packed) + " unpack to more than " +
                                bytes_text(std::max(always, each_byte * packed)) +
                                ", the most that a packed file may give; unpack it before");
}

double InputFile::part_read() const {
  const std::uint64_t all = source_->size(), used = source_->used();
  if (all == 0) return 0;
  const std::uint64_t waiting = packed() ? 0 : std::min<std::uint64_t>(used, head_.size() - head_taken_);
  return std::min(1.0, static_cast<double>(used - waiting) / static_cast<double>(all));
}

void InputFile::tell_progress() {
  if (!progress_) return;
  if (progress_->cancelled) throw Cancelled{};
  if (const double part = part_read(); part > 0) progress_->fraction = static_cast<float>(part);
}

std::size_t InputFile::read(char* into, std::size_t bytes) {
  return read(into, bytes, step_bytes);
}

// Reads in steps, so that a request to stop is noticed within a few milliseconds.
std::size_t InputFile::read(char* into, std::size_t bytes, std::size_t step) {
  std::size_t got = std::min(bytes, head_.size() - head_taken_);
  std::memcpy(into, head_.data() + head_taken_, got);
  head_taken_ += got;
  tell_progress();
  while (got < bytes) {
    const std::size_t wanted = std::min(step, bytes - got), count = read_source(into + got, wanted);
    got += count;
    tell_progress();
    if (count < wanted) break;
  }
  bytes_read_ += got;
  return got;
}

void InputFile::read_exactly(char* into, std::size_t bytes, const char* what) {
  if (read(into, bytes, is_regular() ? plain_step_bytes : step_bytes) != bytes)
    throw file_error(path_, std::string("the file ends within ") + what);
}

std::uint64_t InputFile::read_rest() {
  constexpr std::string_view padding("\0\r\n", 3);
  std::vector<char> block(64 << 10);
  bool padded = true;
  const std::uint64_t before = bytes_read_;
  while (const std::size_t count = read(block.data(), block.size()))
    padded = padded && std::string_view(block.data(), count).find_first_not_of(padding) == std::string_view::npos;
  return padded ? 0 : bytes_read_ - before;
}

void InputFile::expect_end(const std::string& what) {
  const std::uint64_t bytes = bytes_read_;
  read_rest();
  if (bytes_read_ > bytes) throw too_long(path_, what, bytes, bytes_read_);
}

}  // namespace kinescope::sim
