// kinescope devices: what there is to compute and to draw with.
#include "kinescope/executors/devices.hpp"

#include <fmt/core.h>

#include "app/cli/commands/commands.hpp"
#include "app/io/output.hpp"
#include "app/io/streams.hpp"
#include "kinescope/error.hpp"
#include "render/gl/context.hpp"

namespace kinescope::app {
namespace {

struct Drawer {
  std::string text, platform, why_not;
  bool software = false;
};

Drawer find_opengl() {
  try {
    const render::HeadlessContext context;
    const render::OpenGlInfo& info = context.info();
    return {fmt::format("{}, OpenGL {}", info.renderer, info.version), context.platform(), "", context.is_software()};
  } catch (const sim::Error& error) {
    return {"", "", error.what(), false};
  }
}

// Whether OpenGL can draw points from the GPU memory in which CUDA has computed them, and what to do if it cannot.
std::string sharing_text(const Drawer& drawer, bool have_cuda) {
  if (!have_cuda) return "";
  if (drawer.text.empty()) return "no: OpenGL is not available; kinescope run computes without it";
  if (drawer.software)
    return "no: OpenGL draws on the CPU; install the NVIDIA driver's OpenGL and EGL libraries (libnvidia-gl-*), or "
           "compute with --backend cpu";
  if (drawer.platform.find("CUDA device") == std::string::npos)
    return "no: OpenGL draws on another GPU; start with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia "
           "set, or choose the NVIDIA GPU in the system's settings";
  return "yes: the GPU that computes also draws";
}

}  // namespace

void devices_command(const Options& options) {
  const Processor chosen = choose_processor(options.backend);
  std::string why;
  const std::vector<sim::CudaDevice> devices = sim::cuda_devices(&why);
  Rows rows = {{"CPU", fmt::format("{}, {} threads", sim::cpu_name(), sim::cpu_threads())}};
  for (const sim::CudaDevice& device : devices)
    rows.push_back(
        {fmt::format("CUDA {}", device.index),
         fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.1f} GiB", device.name, device.major,
                     device.minor, device.multiprocessors, static_cast<double>(device.memory_bytes) / (1 << 30))});
  if (devices.empty()) rows.push_back({"CUDA", "none: " + (why.empty() ? "no device was found" : why)});
  const Drawer drawer = find_opengl();
  rows.push_back({"OpenGL", printable(drawer.text.empty() ? "none: " + drawer.why_not : drawer.text)});
  if (!drawer.text.empty()) rows.push_back({"drawn through", drawer.platform});
  if (const std::string sharing = sharing_text(drawer, !devices.empty()); !sharing.empty())
    rows.push_back({"same GPU for CUDA and OpenGL", sharing});
  rows.push_back(
      {"chosen backend", fmt::format("{} ({})", chosen.backend == sim::Backend::cuda ? "cuda" : "cpu", chosen.name)});
  print_text(aligned(rows));
}

}  // namespace kinescope::app
