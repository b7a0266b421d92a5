#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "render/points/point_frame.hpp"

namespace kinescope::render {

DensityPainter::DensityPainter()
    : count_({"points/count_compute.glsl"}),
      blur_x_({"points/blur_compute.glsl"}, {"ALONG_X"}),
      blur_y_({"points/blur_compute.glsl"}),
      paint_({"points/screen_vertex.glsl", "points/density_fragment.glsl"}),
      maximum_(4),
      map_(Texture::flat({256, 1}, GL_RGBA8)),
      readback_(4) {}

// Makes the weights of a normalized Gaussian, truncated at three standard deviations.
void DensityPainter::make_kernel(float sigma) {
  if (sigma == sigma_ && kernel_) return;
  sigma_ = sigma;
  pad_ = std::max(1, int(std::ceil(3 * sigma)));
  std::vector<float> weights(std::size_t(pad_) + 1);
  for (int k = 0; k <= pad_; ++k) weights[std::size_t(k)] = std::exp(-0.5f * float(k * k) / (sigma * sigma));
  const float sum = 2 * std::accumulate(weights.begin() + 1, weights.end(), 0.0f) + weights[0];
  for (float& weight : weights) weight /= sum;
  kernel_ = Buffer(weights.size() * sizeof(float), weights.data());
}

void DensityPainter::choose_map(ColourMap map, Background background) {
  if (map_chosen_ == std::pair(map, background)) return;
  map_chosen_ = {map, background};
  std::vector<std::uint32_t> texels;
  for (const Rgb colour : density_table(map, background)) texels.push_back(pack(colour));
  map_.write(GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
}

void DensityPainter::count_and_blur(const PointFrame& frame, bool by_colour) {
  // One cell more than the canvas needs, because it need not begin at a cell's edge.
  const glm::ivec2 size = (frame.canvas.size + cell_ - 1) / cell_ + 1 + 2 * pad_;
  size_ = size;
  const int planes = by_colour ? 4 : 1;
  const std::size_t values = std::size_t(size.x) * std::size_t(size.y) * std::size_t(planes);
  counts_.reserve(4 * values);
  blurred_x_.reserve(4 * values);
  blurred_.reserve(4 * values);
  counts_.clear();
  frame.bind(count_);
  count_.set("size", size);
  count_.set("pad", pad_);
  count_.set("cell", cell_);
  count_.set("by_colour", by_colour);
  counts_.bind_storage(3);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  count_.dispatch(frame.points.count);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  const auto blur = [&](Shader& shader, const Buffer& from, const Buffer& to) {
    shader.use();
    shader.set("size", size);
    shader.set("pad", pad_);
    shader.set("planes", planes);
    from.bind_storage(3);
    to.bind_storage(4);
    maximum_.bind_storage(5);
    kernel_.bind_storage(6);
    shader.dispatch(values);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  };
  blur(blur_x_, counts_, blurred_x_);
  blur(blur_y_, blurred_x_, blurred_);
}

void DensityPainter::draw(const PointFrame& frame, ColourMap map, bool by_colour) {
  const Canvas& canvas = frame.canvas;
  // The blur makes neighbouring points merge: it shows an estimate of the density, not a blot for each point.
  const glm::vec2 whole(canvas.whole());
  const float apart = std::sqrt(whole.x * whole.y / float(frame.points.count));
  const float sigma = std::max({1.2f * frame.radius, std::min(0.5f * apart, 0.015f * whole.y), 0.8f});
  cell_ = sigma < 3 ? 1 : sigma < 6 ? 2 : 4;  // coarser cells where the blur hides them
  const float sigma_cells = sigma / float(cell_);
  make_kernel(sigma_cells);
  choose_map(map, frame.background);
  const bool is_tile = canvas.picture_size.x > 0 && canvas.picture_size != canvas.size;
  if (!is_tile || canvas.tile_origin == glm::ivec2(0)) {
    maximum_.clear();
    // The scale must suit the whole picture: the first tile looks at all points, the others keep its result.
    if (is_tile)
      for (int y = 0; y < canvas.picture_size.y; y += canvas.size.y)
        for (int x = 0; x < canvas.picture_size.x; x += canvas.size.x)
          if (x > 0 || y > 0)
            count_and_blur(frame.part({x, y}, glm::min(canvas.size, canvas.picture_size - glm::ivec2(x, y))),
                           by_colour);
  }
  count_and_blur(frame, by_colour);

  frame.begin_drawing();
  paint_.use();
  blurred_.bind_storage(3);
  maximum_.bind_storage(4);
  map_.bind(0);
  paint_.set("canvas_origin", canvas.origin);
  paint_.set("tile_origin", canvas.tile_origin);
  paint_.set("size", size_);
  paint_.set("pad", pad_);
  paint_.set("cell", cell_);
  paint_.set("planes", by_colour ? 4 : 1);
  // Half of the blurred count at the centre of a lone point.
  const float least = 0.5f / (2 * std::numbers::pi_v<float> * sigma_cells * sigma_cells);
  paint_.set("least", least);
  no_attributes_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  PointFrame::end_drawing();
  drawn_ = {least, 1 / float(cell_ * cell_)};
  range(false);
  if (!readback_.under_way()) ask();
}

std::uint64_t DensityPainter::total() const {
  const glm::ivec2 size = size_;
  std::vector<std::uint32_t> counts(std::size_t(size.x) * std::size_t(size.y));
  if (!counts_) return 0;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  counts_.read(0, 4 * counts.size(), counts.data());
  std::uint64_t total = 0;
  for (int y = pad_; y < size.y - pad_; ++y)
    for (int x = pad_; x < size.x - pad_; ++x) total += counts[std::size_t(y) * std::size_t(size.x) + std::size_t(x)];
  return total;
}

void DensityPainter::ask() {
  readback_.request(maximum_.name());
  asked_ = drawn_;
}

std::optional<DensityRange> DensityPainter::range(bool wait) {
  if (wait) ask();
  if (const std::uint32_t* word = readback_.take(wait)) {
    const float maximum = std::max(std::bit_cast<float>(*word), 2 * asked_.least);  // as in density_fragment.glsl
    range_ = {asked_.least * asked_.per_pixel, maximum * asked_.per_pixel};
  }
  return range_;
}

}  // namespace kinescope::render
