#include "render/gl/context.hpp"

#include <cstring>
#include <glad/egl.h>
#include <vector>

#include "kinescope/error.hpp"

namespace kinescope::render {

namespace {

// Gets a function that is needed before there is a display. glad loads functions by display, so these come from the
// loader itself.
template <class Function>
Function entry(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

bool has_extension(const char* list, const char* name) {
  const std::size_t length = std::strlen(name);
  for (const char* at = list; at && (at = std::strstr(at, name)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
  return false;
}

}  // namespace

HeadlessContext::HeadlessContext(const HeadlessOptions& options) : debug_(options.debug) {
  if (!gladLoaderLoadEGL(EGL_NO_DISPLAY)) throw sim::run_error("no EGL library (libEGL.so.1) on this machine");
  bool found = false;
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto query_devices = entry<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto query_attribute = entry<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
  const auto query_string = entry<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  if (!options.software && query_devices && query_attribute && query_string &&
      has_extension(extensions, "EGL_EXT_platform_device")) {
    EGLint count = 0;
    std::vector<EGLDeviceEXT> devices;
    if (query_devices(0, nullptr, &count) && count > 0) {
      devices.resize(std::size_t(count));
      if (!query_devices(count, devices.data(), &count)) count = 0;
      devices.resize(std::size_t(count));
    }
    for (int index = 0; index < count && !found; ++index) {
      const char* own = query_string(devices[index], EGL_EXTENSIONS);
      if (has_extension(own, "EGL_MESA_device_software")) continue;  // the surfaceless platform is simpler
      EGLAttrib cuda = -1;
      const bool is_cuda =
          has_extension(own, "EGL_NV_device_cuda") && query_attribute(devices[index], EGL_CUDA_DEVICE_NV, &cuda);
      if (options.cuda_device >= 0 && (!is_cuda || cuda != options.cuda_device)) continue;
      found = try_device(devices[index], index, is_cuda ? int(cuda) : -1);
    }
  }
  if (!found) found = try_surfaceless();
  if (!found)
    throw sim::run_error("OpenGL 4.5 without a window is not available: neither a GPU's EGL device nor Mesa offers it");
  try {
    opengl_ = std::make_unique<OpenGl>(reinterpret_cast<GLADloadfunc>(eglGetProcAddress), debug_);
  } catch (...) {
    destroy();
    throw;
  }
}

HeadlessContext::~HeadlessContext() {
  destroy();
}

bool HeadlessContext::try_device(void* device, int egl_index, int cuda_index) {
  const auto get_display = entry<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  display_ = get_display ? get_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr) : nullptr;
  if (!create_context()) return false;
  platform_ = "EGL device " + std::to_string(egl_index);
  if (cuda_index >= 0) platform_ += " (CUDA device " + std::to_string(cuda_index) + ")";
  return true;
}

bool HeadlessContext::try_surfaceless() {
  const auto get_display = entry<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (!get_display) return false;
  display_ = get_display(EGL_PLATFORM_SURFACELESS_MESA, reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY), nullptr);
  platform_ = "EGL surfaceless";
  return create_context();
}

bool HeadlessContext::create_context() {
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               4,
                               EGL_CONTEXT_MINOR_VERSION,
                               5,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_CONTEXT_OPENGL_DEBUG,
                               debug_ ? EGL_TRUE : EGL_FALSE,
                               EGL_NONE};
  EGLint major = 0, minor = 0;
  if (!display_ || !eglInitialize(display_, &major, &minor)) {
    display_ = nullptr;
    return false;
  }
  gladLoaderLoadEGL(display_);
  if (eglBindAPI(EGL_OPENGL_API)) {
    context_ = eglCreateContext(display_, nullptr, EGL_NO_CONTEXT, attributes);
    if (context_ && eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) return true;
  }
  destroy();
  return false;
}

void HeadlessContext::destroy() {
  if (!display_) return;
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (context_) eglDestroyContext(display_, context_);
  context_ = nullptr;
  // The display belongs to the whole process (all contexts of this platform share it), so it stays initialized.
  display_ = nullptr;
}

void HeadlessContext::make_current() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_);
}

}  // namespace kinescope::render
