// The recordings of a view: the one that --record asks for, and those that a person begins and ends. At most one runs
// at a time; one that has ended may still be written.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/io/output.hpp"
#include "app/ui/layout.hpp"
#include "app/view/files/saving.hpp"
#include "app/view/recording/recording.hpp"
#include "app/view/view.hpp"

namespace kinescope::app {

class Recordings {
 public:
  // All must outlive this. `interactive`: in a window, which shows errors and never waits for a recording.
  Recordings(const ViewOptions& options, bool interactive, Notices& notices, Saving& saving)
      : options_(options), interactive_(interactive), notices_(notices), saving_(saving) {}

  bool running() const { return recording_ != nullptr; }
  bool failed() const { return error_.has_value(); }  // of --record
  // Begins a recording beside the data, or ends the one that runs. `picture`: as in frame().
  void toggle(const Box& picture);
  // Call after a frame of `size` pixels is drawn; `picture` is the part of it without panels, `first` is whether it is
  // the first that shows something, with which the recording from the command line begins.
  void frame(unsigned framebuffer, glm::ivec2 size, const Box& picture, bool first);

  // Writes what was recorded, also what has ended and is still being written, and returns what to add to an error: ""
  // or "; FILE has what was recorded". Uses no OpenGL.
  std::string rescue();
  // Writes what was recorded, or throws what --record could not do: the other outputs do not depend on it.
  void finish(FinalWrites& final_writes);

 private:
  void begin(const std::string& path, const Box& picture);
  void end();
  void fail(const sim::Error& error);

  const ViewOptions& options_;
  const bool interactive_;
  Notices& notices_;
  Saving& saving_;
  std::unique_ptr<Recording> recording_;
  std::weak_ptr<Recorder> finishing_;  // of a recording that has ended; gone once its file is written
  std::optional<sim::Error> error_;    // of --record; finish() throws it
  glm::ivec2 window_size_{0, 0};       // in the last frame
};

}  // namespace kinescope::app
