#include "app/io/trace_file.hpp"

#include <fmt/core.h>
#include <iterator>

namespace kinescope::app {

TraceFile::TraceFile(const std::string& path) : path_(path) {
  trace_->enable(!path.empty());
}

void TraceFile::write() try {
  if (path_.empty() || error_) return;
  if (!file_) {
    file_.emplace(path_);
    file_->append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    constexpr const char* tracks[] = {"program", "CPU launches", "CUDA", "OpenGL"};
    for (std::size_t i = 0; i < std::size(tracks); ++i)
      file_->append(
          fmt::format("{}{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}",
                      i == 0 ? "\n" : ",\n", i, tracks[i]));
  }
  // Labels are words of the program: nothing in them needs escaping.
  for (const sim::Trace::Span& span : trace_->take())
    file_->append(fmt::format(",\n{{\"name\":\"{}\",\"ph\":\"X\",\"ts\":{:.3f},\"dur\":{:.3f},\"pid\":1,\"tid\":{}}}",
                              span.label, 1e-3 * double(span.begin_ns), 1e-3 * double(span.end_ns - span.begin_ns),
                              int(span.track)));
} catch (const sim::Error& error) {
  error_ = error;
  trace_->enable(false);
}

void TraceFile::finish() {
  write();
  if (error_) throw *error_;
  if (!file_) return;
  file_->append("\n]}\n");
  file_->keep();
}

}  // namespace kinescope::app
