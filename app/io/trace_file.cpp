#include "app/io/trace_file.hpp"

#include <fmt/core.h>
#include <iterator>

#include "sim/data/writers/write.hpp"

namespace kinescope::app {

std::shared_ptr<sim::Trace> start_trace(const std::string& path) {
  auto trace = std::make_shared<sim::Trace>();
  trace->enable(!path.empty());
  return trace;
}

void write_trace(const std::string& path, sim::Trace& trace) {
  if (path.empty()) return;
  constexpr const char* tracks[] = {"program", "CPU launches", "CUDA", "OpenGL"};
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  for (std::size_t i = 0; i < std::size(tracks); ++i)
    text += fmt::format("{}{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}",
                        i == 0 ? "\n" : ",\n", i, tracks[i]);
  // Labels are words of the program: nothing in them needs escaping.
  for (const sim::Trace::Span& span : trace.take())
    text +=
        fmt::format(",\n{{\"name\":\"{}\",\"ph\":\"X\",\"ts\":{:.3f},\"dur\":{:.3f},\"pid\":1,\"tid\":{}}}", span.label,
                    1e-3 * double(span.begin_ns), 1e-3 * double(span.end_ns - span.begin_ns), int(span.track));
  sim::write_bytes(path, text + "\n]}\n");
}

}  // namespace kinescope::app
