// A tab of the right panel: what the last frames spent their time on, the longest frames and what happened in them; it
// saves the frames as --timings does, and compares them with a file of such.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/features/feature.hpp"
#include "app/io/timings/compare_timings.hpp"
#include "app/runs/job_queue.hpp"
#include "app/view/files/opening.hpp"
#include "app/view/files/saving.hpp"
#include "app/view/frame_times.hpp"

namespace kinescope::app {

class TimingsTab : public Feature {
 public:
  // All must outlive this.
  TimingsTab(FrameTimes& times, Saving& saving, Opening& opening, JobQueue& jobs);

  void open() {  // brings it to the front
    open_ = true;
    ++calls_;
  }

 private:
  void draw(Ui& ui);
  void draw_chart(Ui& ui);
  void draw_percentiles(Ui& ui) const;
  void draw_longest(Ui& ui) const;
  void draw_buttons(Ui& ui);
  void draw_compared(Ui& ui) const;
  RecordedTimings recorded() const;
  void save();
  void compare(const std::string& path);

  FrameTimes& times_;
  Saving& saving_;
  Opening& opening_;
  JobQueue& jobs_;
  bool open_ = false;
  long calls_ = 0;
  bool held_ = false;     // the chart stands still, as the mouse is over it
  std::size_t end_ = 0;   // number of the frame after the last one in the chart
  std::string saved_;     // the file that was saved last; "": none
  std::string compared_;  // the file with which the frames were compared, or are being compared; "": none
  std::string told_;      // the outcome, or why they could not be compared; "": they are being compared
  std::optional<TimingsComparison> comparison_;
};

}  // namespace kinescope::app
