// An OpenGL 4.5 core context without a window: through EGL, on NVIDIA's device platform or Mesa's surfaceless one.
#pragma once

#include <memory>
#include <string>

#include "render/gl/opengl.hpp"

namespace kinescope::render {

struct HeadlessOptions {
  int cuda_device = -1;   // draw on the GPU that is this CUDA device; -1: on any GPU
  bool software = false;  // only Mesa's surfaceless platform
  bool debug = false;     // a debug context: every error is reported, at some cost
};

// The context has no surface, so draw into a Framebuffer. It is current on the constructing thread from construction to
// destruction.
class HeadlessContext {
 public:
  // If no GPU answers, software Mesa draws. Throws sim::Error (run), one line, if nothing offers OpenGL 4.5.
  explicit HeadlessContext(const HeadlessOptions& options = {});
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

  OpenGl& opengl() { return *opengl_; }
  const OpenGlInfo& info() const { return opengl_->info(); }
  bool is_software() const { return opengl_->is_software(); }
  // "EGL device 0 (CUDA device 0)" or "EGL surfaceless": for `kinescope devices` and logs.
  const std::string& platform() const { return platform_; }

  void make_current();

 private:
  bool try_device(void* device, int egl_index, int cuda_index);
  bool try_surfaceless();
  bool create_context();
  void destroy();

  bool debug_ = false;
  void* display_ = nullptr;
  void* context_ = nullptr;
  std::string platform_;
  std::unique_ptr<OpenGl> opengl_;
};

}  // namespace kinescope::render
