// Post's passes on the processor, for the reduced picture by software OpenGL, whose shaders take four times longer:
// tone mapping, antialiasing of edges, and enlarging. The formulas are those of shaders/landscape/post.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "kinescope/executors/cpu.hpp"
#include "render/gl/framebuffer.hpp"

namespace kinescope::render::landscape {

class HostPost {
 public:
  HostPost() : cpu_(0) {}
  // Draws `picture`, linear light in half floats, over the canvas. `exposure` is the factor on its light, `sun_height`
  // the sine of the sun's elevation. Waits until the picture is drawn. O(pixels of both).
  void draw(const Framebuffer& picture, const Canvas& canvas, float exposure, float sun_height);

 private:
  // The way from pixels of the canvas to those of the picture along one axis.
  struct Places {
    std::vector<std::int32_t> first;  // the lower of two neighbours; seven more are 0
    std::vector<float> second_part;   // the other's share
    void find(int from, int to);
  };
  void map_rows(int first, int last, float exposure, float sun_height);
  void smooth_rows(int first, int last);
  void enlarge_rows(int first, int last, glm::ivec2 origin);
  std::uint64_t smoothed(int x, int y, const float* above, const float* below, float low, float high) const;

  sim::Cpu cpu_;
  glm::ivec2 size_{0, 0}, shown_size_{0, 0};
  std::vector<std::uint16_t> light_;  // [pixels × 4], half floats
  // For the screen, in 16 bits a channel, before and after edges are smoothed. A row ends with its last pixel again;
  // one more row is 0.
  std::vector<std::uint64_t> mapped_, edged_;
  std::size_t bright_row_ = 0;       // of bright_: a row of the picture, and neighbours to the left and to the right
  std::vector<float> bright_;        // brightness of mapped_, 0 … 1
  std::vector<std::uint8_t> shown_;  // [pixels of the canvas × 4]
  Places across_, up_;
  Framebuffer drawn_;
};

}  // namespace kinescope::render::landscape
