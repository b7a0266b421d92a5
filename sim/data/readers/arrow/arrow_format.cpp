#include <cstdint>
#include <cstring>
#include <string_view>

#include "sim/data/readers/arrow/arrow_file.hpp"

namespace kinescope::sim {
namespace {

bool is_arrow_file(std::string_view head) {
  using namespace std::string_view_literals;
  return head.starts_with("ARROW1\0\0"sv) || head.starts_with("FEA1");
}

constexpr std::string_view endings = ".feather .arrow .arrows .ipc";

// A stream has no signature: it begins with four bytes FF and the size of its schema, a table of FlatBuffers. Streams
// before Arrow 0.15 lack the four bytes; these are known by the file's name too.
bool is_arrow_stream(std::string_view head, const std::string& path) {
  constexpr std::int32_t largest_schema = 64 << 20;
  std::int32_t size = 0;
  if (head.starts_with("\xFF\xFF\xFF\xFF"))
    head.remove_prefix(4);
  else if (!has_ending(path, endings))
    return false;
  if (head.size() < 8) return false;
  std::memcpy(&size, head.data(), sizeof size);
  return size > 0 && size <= largest_schema && size % 4 == 0;
}

}  // namespace

extern const FileFormat arrow_format = {
    .name = "Arrow IPC and Feather files",
    .endings = endings,
    .fit =
        [](InputFile& file) {
          return is_arrow_file(file.head()) ? Fit::certain
                                            : fit_if(is_arrow_stream(file.head(), file.path()), Fit::likely);
        },
    .read =
        [](const SourceFile& source) {
          return read_arrow(source, source.file.head().starts_with("FEA1") ? "Feather file"
                                    : is_arrow_file(source.file.head())    ? "Arrow file"
                                                                           : "Arrow stream");
        },
    .otherwise = "not an Arrow or Feather file"};

}  // namespace kinescope::sim
