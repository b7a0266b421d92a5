// The help over the window (F1): keys and mouse, the figures of the scene, and what the program runs on.
#pragma once

#include "app/scenes/scene.hpp"
#include "app/view/commands/commands.hpp"
#include "render/shared/shared_buffers.hpp"

namespace kinescope::app {

class KeysHelp {
 public:
  bool shown() const { return shown_; }
  void show(bool shown) { shown_ = shown; }
  // `software`: OpenGL draws in software. `buffers`: null if there are none yet.
  void draw(Ui& ui, const Commands& commands, const Explanations& figures, bool software,
            const render::SharedBuffers* buffers) const;

 private:
  bool shown_ = false;
};

}  // namespace kinescope::app
