// Spans of time as a file that chrome://tracing, Perfetto and Speedscope open.
#pragma once

#include <memory>
#include <string>

#include "sim/core/trace.hpp"

namespace kinescope::app {

// A trace that records unless `path` is "".
std::shared_ptr<sim::Trace> start_trace(const std::string& path);

// Writes what the trace has recorded, as Chrome trace events; does nothing if `path` is "". Throws sim::Error if the
// file cannot be written.
void write_trace(const std::string& path, sim::Trace& trace);

}  // namespace kinescope::app
