// Spans of time as a file that chrome://tracing, Perfetto and Speedscope open.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kinescope/data/output_file.hpp"
#include "kinescope/trace.hpp"

namespace kinescope::app {

// The file of --trace: Chrome trace events, written beside its name while the run goes on, and renamed when it is over.
class TraceFile {
 public:
  // Records and writes nothing if `path` is "".
  explicit TraceFile(const std::string& path);

  const std::shared_ptr<sim::Trace>& trace() const { return trace_; }
  void write();   // appends what was recorded since the last call; an error is kept for finish()
  void finish();  // throws sim::Error if the file could not be written

 private:
  std::string path_;
  std::shared_ptr<sim::Trace> trace_ = std::make_shared<sim::Trace>();
  std::optional<sim::OutputFile> file_;  // made by the first write(): before it, Ctrl-C may end the program at once
  std::optional<sim::Error> error_;
};

}  // namespace kinescope::app
