// Passes on what the driver has to say.
#pragma once

#include <set>
#include <string>

#include "app/io/streams.hpp"
#include "kinescope/error.hpp"
#include "render/gl/opengl.hpp"

namespace kinescope::app {

class OpenGlMessages {
 public:
  // `opengl` must outlive this. `fatal`: the first message ends the run (--debug-opengl).
  OpenGlMessages(render::OpenGl& opengl, bool fatal) : opengl_(opengl), fatal_(fatal) {}

  // Call once a frame: tells each message once on standard error. Throws sim::Error (run) if it is fatal.
  void pass_on() {
    for (const std::string& message : opengl_.take_messages()) {
      if (fatal_) throw sim::run_error("OpenGL: " + message);
      if (told_.insert(message).second) tell("kinescope: OpenGL: {}\n", message);
    }
  }

 private:
  render::OpenGl& opengl_;
  const bool fatal_;
  std::set<std::string> told_;
};

}  // namespace kinescope::app
