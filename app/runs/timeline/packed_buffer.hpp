// One published buffer at one moment, compressed. Numbers take 16 bits, over the range of their column; whole numbers
// take as few bytes as they need. A buffer that hardly differs from an earlier moment keeps only the differences from
// that one. Every buffer unpacks by itself, in one pass, even if the moments in between were dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kinescope/published.hpp"

namespace kinescope::app {

// A published buffer that is to be kept. Its elements have four bytes each.
struct KeptBuffer {
  KeptBuffer(const sim::Published<float>& buffer, std::size_t column_count)
      : name(buffer.name), columns(column_count), rounded(true) {}
  explicit KeptBuffer(const sim::Published<std::uint32_t>& buffer) : name(buffer.name) {}

  std::string name;
  std::size_t columns = 1;
  bool rounded =
      false;  // numbers, kept to 1/131,064 of the range of their column; else whole numbers, kept as they are
  bool operator==(const KeptBuffer&) const = default;
};

class PackedBuffer {
 public:
  // Codes of equal width, which several moments may share.
  struct Whole {
    std::size_t width = 0, count = 0;  // bytes of a code, number of codes
    std::vector<std::byte> bytes;
  };

  // `words`: the buffer's elements, [rows × kind.columns]. `earlier`: whole() of an earlier moment's buffer, or null.
  // NaN and the infinities are kept; a column whose numbers are all equal is kept exactly. O(words).
  static PackedBuffer pack(std::span<const std::uint32_t> words, const KeptBuffer& kind,
                           std::shared_ptr<const Whole> earlier);
  // `words` must have count() elements.
  void unpack(std::span<std::uint32_t> words) const;

  std::size_t count() const { return whole_ ? whole_->count : 0; }
  std::size_t own_bytes() const;  // without the bytes of whole()
  const std::shared_ptr<const Whole>& whole() const { return whole_; }

 private:
  struct Difference {
    std::uint32_t index, code;
  };
  struct Column {
    double low = 0, step = 0;
  };
  static Whole round(std::span<const std::uint32_t> words, std::vector<Column>& columns);
  static Whole narrow(std::span<const std::uint32_t> words);

  std::shared_ptr<const Whole> whole_;
  std::vector<Difference> differences_;
  std::vector<Column> columns_;  // one a column of rounded numbers; empty for whole numbers
};

}  // namespace kinescope::app
