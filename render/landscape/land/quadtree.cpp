#include "render/landscape/land/quadtree.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

int mirrored(int index, int count) {
  const int period = ((index % (2 * count)) + 2 * count) % (2 * count);
  return std::min(period, 2 * count - 1 - period);
}

}  // namespace

Quadtree::Quadtree(float extent, int tiles, std::vector<glm::vec2> extremes) : extent_(extent) {
  extremes_.push_back(std::move(extremes));
  for (int n = tiles / 2; n >= 1; n /= 2) {
    const std::vector<glm::vec2>& fine = extremes_.back();
    std::vector<glm::vec2> coarse(std::size_t(n) * n);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        glm::vec2 both{1e30f, -1e30f};
        for (int k = 0; k < 4; ++k) {
          const glm::vec2 part = fine[std::size_t(2 * y + k / 2) * 2 * n + 2 * x + k % 2];
          both = {std::min(both.x, part.x), std::max(both.y, part.y)};
        }
        coarse[std::size_t(y) * n + x] = both;
      }
    extremes_.push_back(std::move(coarse));
  }
  levels_ = int(extremes_.size());
}

glm::vec2 Quadtree::extremes_of(int level, glm::ivec2 index, const Request& request) const {
  const int n = 1 << (levels_ - 1 - level);
  glm::vec2 range = extremes_[std::size_t(level)][std::size_t(mirrored(index.y, n)) * n + mirrored(index.x, n)];
  // Outside the square the terrain sinks with distance (fading() in terrain.glsl). Its heights there are between the
  // mirrored heights and the depth to which it sinks.
  if (index.x < 0 || index.y < 0 || index.x >= n || index.y >= n)
    range.x = std::min(range.x, std::min(extremes_.back()[0].x, request.sea_level) - sunken);
  return range;
}

void Quadtree::select(const Request& request, std::vector<Patch>& patches) const {
  patches.clear();
  if (levels_ == 0) return;
  const glm::mat4 rows = glm::transpose(request.clip_from_world);
  const Visit v{request, patches, {rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1], rows[3] - rows[1]}};
  for (int y = -mirrored_tiles; y <= mirrored_tiles; ++y)
    for (int x = -mirrored_tiles; x <= mirrored_tiles; ++x) visit(v, levels_ - 1, {x, y});
  // Near patches are drawn first, so that hidden fragments are not lit.
  const auto away = [&](const Patch& patch) {
    const glm::vec2 to = patch.origin + 0.5f * patch.size - glm::vec2(request.eye);
    return glm::dot(to, to);
  };
  std::sort(patches.begin(), patches.end(), [&](const Patch& a, const Patch& b) { return away(a) < away(b); });
}

void Quadtree::visit(const Visit& v, int level, glm::ivec2 index) const {
  const float size = extent_ / float(1 << (levels_ - 1 - level));
  const glm::vec2 heights = extremes_of(level, index, v.request);
  if (heights.y < v.request.keep_above) return;
  const glm::vec3 low{glm::vec2(index) * size, heights.x}, high{low.x + size, low.y + size, heights.y};
  for (const glm::vec4& plane : v.planes) {
    const glm::vec3 corner{plane.x > 0 ? high.x : low.x, plane.y > 0 ? high.y : low.y, plane.z > 0 ? high.z : low.z};
    if (glm::dot(glm::vec3(plane), corner) + plane.w < 0) return;
  }
  // The patch counts as flat at z = 0, from which eye.z is measured too, as in terrain_vertex.glsl.
  const glm::vec3 eye = v.request.eye;
  const float dx = std::max({low.x - eye.x, 0.0f, eye.x - high.x}),
              dy = std::max({low.y - eye.y, 0.0f, eye.y - high.y});
  const float leaf = extent_ / float(1 << (levels_ - 1)), distance = std::sqrt(dx * dx + dy * dy + eye.z * eye.z);
  const float range = range_in_leaves * leaf * float(1 << level);
  if (level > 0 && distance < 0.5f * range) {
    for (int k = 0; k < 4; ++k) visit(v, level - 1, 2 * index + glm::ivec2(k % 2, k / 2));
  } else {
    v.patches.push_back({glm::vec2(low), size, level == levels_ - 1 ? 1e9f : range});
  }
}

}  // namespace kinescope::render::landscape
