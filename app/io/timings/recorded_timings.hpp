// Reads what --timings wrote (docs/manual/files.md).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/io/timings.hpp"

namespace kinescope::app {

// A column of times.
struct TimingPart {
  const char* column;  // in the file
  const char* name;    // for people
  double FrameTiming::*ms;
};
inline constexpr TimingPart timing_parts[] = {
    {"frame_ms", "Whole frame", &FrameTiming::frame_ms}, {"cpu_ms", "Window", &FrameTiming::cpu_ms},
    {"gpu_ms", "Graphics", &FrameTiming::gpu_ms},        {"sim_ms", "Simulation", &FrameTiming::sim_ms},
    {"upload_ms", "Upload", &FrameTiming::upload_ms},    {"draw_ms", "Drawing", &FrameTiming::draw_ms},
    {"panels_ms", "Panels", &FrameTiming::panels_ms}};

struct RecordedTimings {
  std::string timer;  // "query" or "finish"
  std::vector<FrameTiming> frames;
};

// Throws sim::Error (input) with file and line for anything that --timings does not write.
RecordedTimings read_timings(const std::string& path);

// The frames in which the simulation moved: an idle window waits between frames. All of them if it moved in none.
std::vector<FrameTiming> moving_frames(const std::vector<FrameTiming>& frames);
bool any_moves(const std::vector<FrameTiming>& frames);

}  // namespace kinescope::app
