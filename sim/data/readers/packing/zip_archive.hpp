// ZIP archives: what they hold, and one of their files as bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unzip.h>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/readers/packing/byte_source.hpp"

namespace kinescope::sim {

using ZipArchive = std::shared_ptr<void>;

struct ZipEntry {
  std::string name;  // with its folders
  unz64_file_pos place{};

  // Neither a folder nor what file managers leave beside the files.
  bool is_file() const;
  // By its name or a folder's, or what packers leave: chosen only if there is nothing else, or by name.
  bool is_hidden() const;
};

inline bool is_zip(std::string_view head) {
  using namespace std::string_view_literals;
  return head.starts_with("PK\3\4"sv) || head.starts_with("PK\5\6"sv);
}

// `seekable`: where the bytes are, if not at `path`. Throws Error (input) if there is no archive, or it is cut off.
ZipArchive open_zip(const std::string& path, const std::string& seekable);
std::vector<ZipEntry> zip_entries(const std::string& path, const ZipArchive& archive);

// A file of the archive, which errors call `name`; stored or deflated. One at a time. Throws Error (input).
class ZipMemberBytes final : public ByteSource {
 public:
  ZipMemberBytes(std::string name, ZipArchive archive, const ZipEntry& entry);
  ~ZipMemberBytes() override;
  ZipMemberBytes(const ZipMemberBytes&) = delete;
  ZipMemberBytes& operator=(const ZipMemberBytes&) = delete;

  std::uint64_t size() const override { return packed_size_; }
  std::uint64_t used() const override;
  std::uint64_t unpacked_size() const { return unpacked_size_; }  // as the archive says
  std::size_t read(char* into, std::size_t bytes) override;

 private:
  Error damaged() const { return file_error(name_, "the archive is damaged"); }

  std::string name_;
  ZipArchive archive_;
  std::uint64_t packed_size_ = 0, unpacked_size_ = 0, begin_ = 0;
  bool closed_ = false;
};

}  // namespace kinescope::sim
