#include <fmt/core.h>
#include <optional>

#include "app/io/output.hpp"
#include "app/io/streams.hpp"
#include "app/runs/interrupt.hpp"
#include "app/view/recording/screenshot.hpp"
#include "app/view/workbench.hpp"
#include "render/gl/context.hpp"
#include "render/gl/framebuffer.hpp"

namespace kinescope::app {

// Frames are a sixtieth of a second apart however long they take, so that the pictures are always the same.
void run_headless(ViewOptions options) {
  if (options.steps == 0) options.steps = 1;
  if (options.frames == 0 && !options.until_done && options.at < 0) options.frames = 240;
  const int cuda_device = options.backend == sim::Backend::cuda ? options.device : -1;
  render::HeadlessContext context({.cuda_device = cuda_device, .debug = options.debug_opengl});
  const glm::ivec2 size{options.width, options.height};
  const render::Framebuffer framebuffer(size);
  catch_interrupt();
  std::optional<HearsInterrupt> opening = ends_at_interrupt(interrupted_opening);  // until there is something to save
  Workbench workbench(options, context.opengl(), 1, false);
  const FrameInput input{framebuffer.name(), size, 1.0 / 60, 0};
  const bool only_records = options.screenshot.empty() && options.figure.empty() && options.report.empty() &&
                            options.timings.empty() && options.trace.empty();
  while (true) {
    workbench.frame(input);
    const WorkbenchState state = workbench.state();
    if (state.frames > 0) opening.reset();
    if (interrupted() && state.frames == 0) throw Interrupted(interrupted_opening);
    if (interrupted()) break;
    if (options.frames > 0 && state.frames >= options.frames) break;
    if (options.until_done && state.converged) break;
    if (state.arrived) break;
    if (only_records && state.failed_to_record) break;
  }
  const bool ended = interrupted();
  std::optional<HearsInterrupt> hears = answers_interrupt("what has been recorded is written first");
  FinalWrites final_writes;
  // The camera may still be moving: the last picture shows everything.
  if (!options.screenshot.empty() || !options.figure.empty()) workbench.redraw(input, true);
  if (!options.figure.empty()) final_writes([&] { workbench.figure(options.figure, options.figure_options)(); });
  if (!options.screenshot.empty()) {
    final_writes([&] { write_png(options.screenshot, framebuffer.read(), workbench.picture_state()); });
  }
  final_writes([&] { workbench.finish(); });
  hears.reset();
  const std::string line = fmt::format("interrupted after {} frames", workbench.state().frames);
  final_writes([&] { workbench.finish_report(ended, final_writes.after(line)); });
  if (only_records && options.record.empty())
    tell(
        "kinescope: nothing was kept of {} frames: --screenshot, --figure, --record, --report or --timings does that\n",
        workbench.state().frames);
  if (interrupted()) throw Interrupted(final_writes.after(line));
  final_writes.finish();
}

}  // namespace kinescope::app
