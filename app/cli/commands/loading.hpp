// Reads data with a progress bar; Ctrl-C ends it.
#pragma once

#include <chrono>
#include <future>
#include <string>

#include "app/io/output.hpp"
#include "app/io/progress_bar.hpp"
#include "app/runs/interrupt.hpp"
#include "kinescope/data/load.hpp"

namespace kinescope::app {

// Calls `read` on a thread of its own, so that the calling thread can show the progress and pass on an interrupt.
// Throws what `read` throws, and Interrupted.
template <class Read>
auto load_with_progress(const std::string& source, const Read& read) {
  const std::string message = "interrupted while reading " + printable(source);
  const HearsInterrupt ends = ends_at_interrupt(message);
  ProgressBar bar;
  sim::LoadProgress progress;
  auto loading = std::async(std::launch::async, [&] { return read(progress); });
  while (loading.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (interrupted()) progress.cancelled = true;
    bar.show_loading(source, progress.fraction);
  }
  bar.clear();
  try {
    auto read_whole = loading.get();
    if (interrupted()) throw Interrupted(message);
    return read_whole;
  } catch (const sim::Cancelled&) {
    throw Interrupted(message);
  }
}

}  // namespace kinescope::app
