// Apache Arrow's C data and C stream interfaces, and the one function of our library that uses Arrow
// (sim/arrow/arrow_plugin.cpp). Source: https://arrow.apache.org/docs/format/CDataInterface.html, whose declarations
// may be copied, and are the same in all versions of Arrow.
#pragma once

#include <cstdint>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
}
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}
#endif

namespace kinescope::sim {

inline constexpr std::int64_t arrow_ordered = 1;  // in ArrowSchema::flags: the order of a dictionary has a meaning

// Opens a Parquet, Arrow IPC or Feather file as a stream of batches of rows. `threads`: Arrow may start threads.
// `rows` becomes the number of rows that the file states, -1 if it states none. Returns whether it succeeded; if not,
// `error` is one line without the file's name, cut to `error_bytes`.
using OpenArrow = bool(const char* path, bool threads, ArrowArrayStream* stream, int64_t* rows, char* error,
                       int64_t error_bytes);
inline constexpr const char* open_arrow_name = "kinescope_open_arrow";
inline constexpr const char* arrow_plugin_name = "libkinescope_arrow.so";

}  // namespace kinescope::sim
