#include <algorithm>
#include <string>

#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/packing/unpacker.hpp"

namespace kinescope::sim {
namespace {

class FromCarriageReturns final : public Unpacker {
 public:
  using Unpacker::Unpacker;

  // CR LF, which may follow later, is one end too.
  std::size_t read(char* into, std::size_t bytes) override {
    std::size_t made = 0;
    while (made == 0 && bytes > 0) {
      if (at_hand() == 0 && !fill()) return 0;
      const std::size_t count = std::min(bytes, at_hand());
      for (const char c : std::string_view(next(), count)) {
        if (c != '\n' || !after_return_) into[made++] = c == '\r' ? '\n' : c;
        after_return_ = c == '\r';
      }
      take(count);
    }
    return made;
  }

 private:
  bool after_return_ = false;
};

// Whether a line begins with `word`, blanks, and then `next`.
bool has_line(std::string_view head, const std::string& word, std::string_view next) {
  for (std::size_t at = 0; (at = head.find("\r" + word, at)) != std::string_view::npos;) {
    at += 1 + word.size();
    const std::size_t value = head.find_first_not_of(" \t", at);
    if (value != std::string_view::npos && value > at && head.substr(value).starts_with(next)) return true;
  }
  return false;
}

}  // namespace

const Packing carriage_returns = {
    .text = "lines that end with CR",
    .fits =
        [](std::string_view head) {
          const auto is_text = [](char c) { return static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\r'; };
          if (head.ends_with('\n') && !head.ends_with("\r\n")) head.remove_suffix(1);  // some tool's addition
          // Bytes that follow a header are not to be changed.
          const bool has_bytes =
              (head.starts_with("ply\r") && has_line(head, "format", "binary")) || has_line(head, "DATA", "binary");
          return head.find('\r') != std::string_view::npos && std::ranges::all_of(head, is_text) && !has_bytes;
        },
    .unpack = unpack_by<FromCarriageReturns>};

}  // namespace kinescope::sim
