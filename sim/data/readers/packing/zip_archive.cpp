#include "sim/data/readers/packing/zip_archive.hpp"

#include <algorithm>
#include <utility>
#include <zlib.h>

#include "sim/data/text.hpp"

namespace kinescope::sim {

bool ZipEntry::is_file() const {
  const std::string last = file_name(name);
  return !name.ends_with('/') && !name.starts_with("__MACOSX/") && !last.starts_with("._") && last != ".DS_Store" &&
         last != "Thumbs.db" && last != "desktop.ini";
}

bool ZipEntry::is_hidden() const {
  return name.starts_with("META-INF/") || name.starts_with('.') || name.find("/.") != std::string::npos;
}

ZipArchive open_zip(const std::string& path, const std::string& seekable) {
  ZipArchive archive(unzOpen64(seekable.c_str()), [](void* opened) {
    if (opened) unzClose(opened);
  });
  if (!archive) throw file_error(path, "not a ZIP archive, or cut off: its directory is missing");
  return archive;
}

std::vector<ZipEntry> zip_entries(const std::string& path, const ZipArchive& archive) {
  std::vector<ZipEntry> entries;
  std::string name(1 << 16, '\0');
  for (int status = unzGoToFirstFile(archive.get()); status != UNZ_END_OF_LIST_OF_FILE;
       status = unzGoToNextFile(archive.get())) {
    unz_file_info64 info{};
    if (status != UNZ_OK ||
        unzGetCurrentFileInfo64(archive.get(), &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK) {
      unz_global_info64 all{};
      if (entries.empty() && unzGetGlobalInfo64(archive.get(), &all) == UNZ_OK && all.number_entry == 0) break;
      throw file_error(path, "the archive is damaged");
    }
    ZipEntry& entry = entries.emplace_back();
    entry.name = name.substr(0, info.size_filename);
    unzGetFilePos64(archive.get(), &entry.place);
  }
  return entries;
}

ZipMemberBytes::ZipMemberBytes(std::string name, ZipArchive archive, const ZipEntry& entry)
    : name_(std::move(name)), archive_(std::move(archive)) {
  unz64_file_pos place = entry.place;
  unz_file_info64 info{};
  if (unzGoToFilePos64(archive_.get(), &place) != UNZ_OK ||
      unzGetCurrentFileInfo64(archive_.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
    throw damaged();
  packed_size_ = info.compressed_size, unpacked_size_ = info.uncompressed_size;
  if (info.flag & 1U) throw file_error(name_, "the archive is encrypted");
  if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
    throw file_error(name_, "compressed with a method that is not supported; supported: stored and deflated files");
  if (unzOpenCurrentFile(archive_.get()) != UNZ_OK) throw damaged();
  begin_ = unzGetCurrentFileZStreamPos64(archive_.get());
}

ZipMemberBytes::~ZipMemberBytes() {
  if (!closed_) unzCloseCurrentFile(archive_.get());
}

std::uint64_t ZipMemberBytes::used() const {
  if (closed_) return packed_size_;
  return std::min<std::uint64_t>(packed_size_, unzGetCurrentFileZStreamPos64(archive_.get()) - begin_);
}

std::size_t ZipMemberBytes::read(char* into, std::size_t bytes) {
  if (closed_) return 0;
  constexpr std::size_t most = 1 << 30;  // the library counts in int
  const int got = unzReadCurrentFile(archive_.get(), into, static_cast<unsigned>(std::min(bytes, most)));
  if (got < 0) throw damaged();
  if (got > 0) return static_cast<std::size_t>(got);
  closed_ = true;
  if (unzCloseCurrentFile(archive_.get()) != UNZ_OK) throw damaged();  // the checksum is wrong
  return 0;
}

}  // namespace kinescope::sim
