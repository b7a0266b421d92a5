#include "app/view/view.hpp"

#include "app/view/loops.hpp"

namespace kinescope::app {

int run_view(ViewOptions options) {
  if (options.headless) {
    if (options.steps == 0) options.steps = 1;
    if (options.frames == 0 && !options.until_done && options.at < 0) options.frames = 240;
    run_headless(options);
  } else {
    run_window(options);
  }
  return 0;
}

}  // namespace kinescope::app
