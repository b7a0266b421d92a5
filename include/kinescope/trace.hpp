// Named spans of time: what ran, on which track, from when to when. Off until somebody turns it on: then each launch on
// the CPU costs two clock readings, and launches on CUDA are waited for one by one. Trace files are written from it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace kinescope::sim {

class Trace {
 public:
  enum class Track { program, launches, cuda, graphics };
  struct Span {
    const char* label;              // the launch's label, in static storage
    std::int64_t begin_ns, end_ns;  // since the trace was made
    Track track;
  };

  bool enabled() const { return enabled_.load(std::memory_order_relaxed); }
  void enable(bool on) { enabled_.store(on, std::memory_order_relaxed); }

  std::int64_t now_ns() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_).count();
  }
  void add(const Span& span) {
    const std::lock_guard lock(mutex_);
    if (spans_.size() < maximum_spans) spans_.push_back(span);
  }
  // Takes what was recorded so far.
  std::vector<Span> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(spans_, {});
  }

 private:
  static constexpr std::size_t maximum_spans = 1 << 20;  // 32 MiB: a forgotten trace must not fill the memory
  std::atomic<bool> enabled_{false};
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::vector<Span> spans_;
};

// Records the time between its construction and its destruction. If there is no memory for that, the span is missing.
class ScopedSpan {
 public:
  ScopedSpan(Trace& trace, const char* label, Trace::Track track = Trace::Track::launches)
      : trace_(trace.enabled() ? &trace : nullptr), label_(label), track_(track) {
    if (trace_) begin_ns_ = trace_->now_ns();
  }
  ScopedSpan(const ScopedSpan&) = delete;
  ScopedSpan& operator=(const ScopedSpan&) = delete;
  ~ScopedSpan() {
    try {
      if (trace_) trace_->add({label_, begin_ns_, trace_->now_ns(), track_});
    } catch (const std::bad_alloc&) {
    }
  }

 private:
  Trace* trace_;
  const char* label_;
  Trace::Track track_;
  std::int64_t begin_ns_ = 0;
};

}  // namespace kinescope::sim
