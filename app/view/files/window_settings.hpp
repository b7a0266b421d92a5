// The settings of a window, which it remembers from one start to the next. They are written when they change, because a
// window may end in many ways.
#pragma once

#include <optional>

#include "app/io/settings.hpp"
#include "app/runs/job_queue.hpp"

namespace kinescope::app {

class WindowSettings : public Settings {
 public:
  // `remembers`: whether settings are read and written; else these are the defaults. `theme_is_light` and
  // `scale_of_start`: of this start, whatever was saved.
  WindowSettings(bool remembers, const std::optional<bool>& theme_is_light, const std::optional<double>& scale_of_start)
      : Settings(remembers ? load_settings(settings_path()) : Settings()), remembers_(remembers) {
    saved_ = *this;
    scale = scale_of_start.value_or(scale);
    light = theme_is_light.value_or(light);
  }

  // Call once a frame: writes them in the background if they have changed, though not while the mouse is `dragging`.
  void remember_all(JobQueue& jobs, bool dragging) {
    if (!remembers_ || saved_ == *this || dragging) return;
    saved_ = *this;
    jobs.post([settings = saved_]() -> JobQueue::Then {
      save_settings(settings_path(), settings);
      return {};
    });
  }

 private:
  const bool remembers_;
  Settings saved_;
};

}  // namespace kinescope::app
