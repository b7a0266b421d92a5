#include "render/landscape/host_post.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>

#include "kinescope/executors/lanes.hpp"

namespace kinescope::render::landscape {
namespace {

namespace lanes = sim::lanes;
using lanes::broadcast;
using lanes::Float4;
using lanes::Float8;
using lanes::Int4;
using lanes::Int8;
using Short8 = std::uint16_t __attribute__((vector_size(16)));

constexpr int task_rows = 16;
constexpr float steps = 65535;  // of a channel in 16 bits

struct Colour8 {
  Float8 red, green, blue;
};

// Eight pixels from RGBA half floats, in the order 0, 2, 4, 6, 1, 3, 5, 7, which costs the fewest moves.
constexpr Float8 in_order{0, 2, 4, 6, 1, 3, 5, 7};
Colour8 colours(const std::uint16_t* halves) {
  const Float8 a = lanes::from_halves(halves), b = lanes::from_halves(halves + 8), c = lanes::from_halves(halves + 16),
               d = lanes::from_halves(halves + 24);
  const Float8 rg = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13),
               more_rg = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13),
               blue = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15),
               more_blue = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  return {__builtin_shufflevector(rg, more_rg, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(rg, more_rg, 2, 3, 10, 11, 6, 7, 14, 15),
          __builtin_shufflevector(blue, more_blue, 0, 1, 8, 9, 4, 5, 12, 13)};
}

Float8 clamped(Float8 x) {
  return lanes::min(lanes::max(x, broadcast(0)), broadcast(1));
}

// filmic() of tone_compute.glsl for one channel, after the spill.
Float8 filmic(Float8 x) {
  return clamped((x * (2.51f * x + 0.03f)) / (x * (2.43f * x + 0.59f) + 0.14f));
}

// encoded() of tone_compute.glsl, by square roots.
Float8 encoded(Float8 x) {
  const Float8 a = lanes::sqrt(x), b = lanes::sqrt(a), c = lanes::sqrt(b);
  const Float8 curve = 0.662002687f * a + 0.684122060f * b - 0.323583601f * c - 0.0225411470f * x;
  return lanes::select(x < 0.0031308f, 12.92f * x, curve);
}

// main() of tone_compute.glsl; `factor` is on the light.
Colour8 mapped(const Colour8& light, Float8 factor, float richness) {
  const auto lit = [&](Float8 x) { return lanes::min(broadcast(65504), x * factor); };  // an infinity is white
  const Float8 r = lit(light.red), g = lit(light.green), b = lit(light.blue);
  const Float8 red = filmic(0.90f * r + 0.06f * g + 0.04f * b), green = filmic(0.045f * r + 0.90f * g + 0.055f * b),
               blue = filmic(0.045f * r + 0.06f * g + 0.895f * b);
  const Float8 grey = 0.2126f * red + 0.7152f * green + 0.0722f * blue;
  const auto enriched = [&](Float8 x) { return encoded(clamped(grey + richness * (x - grey))); };
  return {enriched(red), enriched(green), enriched(blue)};
}

// A pixel and the next one in its row.
Float8 two_colours(const std::uint64_t* pixels) {
  return __builtin_convertvector(__builtin_convertvector(lanes::load_vector<Short8>(pixels), Int8), Float8);
}
float brightness(Float4 colour) {
  return (0.299f * colour[0] + 0.587f * colour[1] + 0.114f * colour[2]) * (1 / steps);
}
std::uint64_t packed(Float4 colour) {
  const Int4 channels = __builtin_convertvector(colour + 0.5f, Int4);
  return std::uint64_t(std::uint32_t(channels[0] | channels[1] << 16)) |
         std::uint64_t(std::uint32_t(channels[2] | channels[3] << 16)) << 32;
}

// gradient_dither() of noise.glsl.
Float8 gradient_dither(Float8 x, Float8 y) {
  const auto fract = [](Float8 v) { return v - __builtin_convertvector(__builtin_convertvector(v, Int8), Float8); };
  return fract(52.9829189f * fract(0.06711056f * x + 0.00583715f * y));
}

}  // namespace

void HostPost::Places::find(int from, int to) {
  first.assign(std::size_t(to) + 7, 0);
  second_part.assign(std::size_t(to) + 7, 0);
  for (int i = 0; i < to; ++i) {
    const float at = std::clamp((float(i) + 0.5f) * float(from) / float(to) - 0.5f, 0.0f, float(from - 1));
    first[std::size_t(i)] = int(at);
    second_part[std::size_t(i)] = at - float(int(at));
  }
}

void HostPost::map_rows(int first, int last, float exposure, float sun_height) {
  const float low = 1 - glm::smoothstep(0.05f, 0.25f, std::abs(sun_height)), richness = 1.08f + 0.09f * low;
  const std::size_t width = std::size_t(size_.x);
  const Float8 place = in_order + 0.5f;
  for (int y = first; y < last; ++y) {
    const float v = (float(y) + 0.5f) / float(size_.y) - 0.5f;
    std::uint64_t* row = &mapped_[std::size_t(y) * (width + 1)];
    float* bright = &bright_[std::size_t(y) * bright_row_ + 1];
    for (std::size_t x = 0; x < width; x += 8) {
      std::uint16_t tail[32] = {};
      const std::uint16_t* light = &light_[4 * (std::size_t(y) * width + x)];
      const std::size_t count = std::min<std::size_t>(width - x, 8);
      if (count < 8) light = static_cast<std::uint16_t*>(std::memcpy(tail, light, 8 * count));
      const Float8 u = (place + float(x)) * (1 / float(width)) - 0.5f;
      const Colour8 c = mapped(colours(light), 0.8f * exposure * (1 - 0.32f * (u * u + v * v)), richness);
      const Float8 b = 0.299f * c.red + 0.587f * c.green + 0.114f * c.blue;
      lanes::store(bright + x, __builtin_shufflevector(b, b, 0, 4, 1, 5, 2, 6, 3, 7));
      const auto whole = [](Float8 value) { return __builtin_convertvector(value * steps + 0.5f, Int8); };
      const Int8 rg = whole(c.red) | whole(c.green) << 16, ba = whole(c.blue) | Int8{} - 65536;
      const Int8 pixels[2] = {__builtin_shufflevector(rg, ba, 0, 8, 4, 12, 1, 9, 5, 13),
                              __builtin_shufflevector(rg, ba, 2, 10, 6, 14, 3, 11, 7, 15)};
      std::memcpy(row + x, pixels, 8 * count);
    }
    row[width] = row[width - 1];
    bright[-1] = bright[0];
    bright[width] = bright[width - 1];
  }
}

// smoothed() of fxaa_compute.glsl: the colour of a pixel that differs from its neighbours, smoothed along the edge.
// `above` and `below` are the brightnesses around x in the next rows, `low` and `high` the extremes of all.
std::uint64_t HostPost::smoothed(int x, int y, const float* above, const float* below, float low, float high) const {
  const float nw = above[x - 1], ne = above[x + 1], sw = below[x - 1], se = below[x + 1];
  const float across_x = (sw + se) - (nw + ne), across_y = (nw + sw) - (ne + se);
  const float reduce = std::max((nw + ne + sw + se) * 0.03125f, 1.0f / 128);
  const float longer = 1 / (std::min(std::abs(across_x), std::abs(across_y)) + reduce);
  // The picture is filtered linearly at four places along the edge.
  constexpr Float4 parts{-1.0f / 6, 1.0f / 6, -0.5f, 0.5f};
  const auto places = [&](float from, float across, float most) {
    const Float4 at = from + parts * std::clamp(across * longer, -8.0f, 8.0f);
    const Float4 positive = at > 0.0f ? at : Float4{};
    return positive < most ? positive : Float4{} + most;
  };
  const Float4 xs = places(float(x), across_x, float(size_.x - 1)), ys = places(float(y), across_y, float(size_.y - 1));
  const Int4 left = __builtin_convertvector(xs, Int4), lower = __builtin_convertvector(ys, Int4);
  const Float4 part_x = xs - __builtin_convertvector(left, Float4),
               part_y = ys - __builtin_convertvector(lower, Float4);
  const std::size_t row = std::size_t(size_.x) + 1;
  const auto at = [&](int k) {
    const std::uint64_t* from = &mapped_[std::size_t(lower[k]) * row + std::size_t(left[k])];
    const Float8 under = two_colours(from), both = under + part_y[k] * (two_colours(from + row) - under);
    return lanes::low_half(both) + part_x[k] * (lanes::high_half(both) - lanes::low_half(both));
  };
  const Float4 near = 0.5f * (at(0) + at(1)), wide = 0.5f * near + 0.25f * (at(2) + at(3));
  const float w = brightness(wide);
  return packed(w < low || w > high ? near : wide);
}

void HostPost::smooth_rows(int first, int last) {
  const std::size_t width = std::size_t(size_.x);
  std::vector<float> lows(width + 8), highs(width + 8);
  std::vector<int> edges(width + 8);
  for (int y = first; y < last; ++y) {
    const auto bright = [&](int row) {
      return &bright_[std::size_t(std::clamp(row, 0, size_.y - 1)) * bright_row_ + 1];
    };
    const float *above = bright(y + 1), *beside = bright(y), *below = bright(y - 1);
    std::size_t count = 0;
    for (int x = 0; x < size_.x; x += 8) {
      const auto at = [&](const float* from) { return lanes::load<Float8>(from + x); };
      const Float8 m = at(beside), nw = at(above - 1), ne = at(above + 1), sw = at(below - 1), se = at(below + 1);
      const Float8 low = lanes::min(m, lanes::min(lanes::min(nw, ne), lanes::min(sw, se))),
                   high = lanes::max(m, lanes::max(lanes::max(nw, ne), lanes::max(sw, se)));
      const Int8 flat = (high - low) < lanes::max(broadcast(0.04f), 0.12f * high);
      if (lanes::all(flat)) continue;
      lanes::store(&lows[std::size_t(x)], low);
      lanes::store(&highs[std::size_t(x)], high);
      for (int k = 0; k < 8; ++k) {
        edges[count] = x + k;
        count += flat[k] == 0;
      }
    }
    std::uint64_t* row = &edged_[std::size_t(y) * (width + 1)];
    std::copy_n(&mapped_[std::size_t(y) * (width + 1)], width + 1, row);
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = std::size_t(edges[i]);
      if (x < width) row[x] = smoothed(int(x), y, above, below, lows[x], highs[x]);
    }
    row[width] = row[width - 1];
  }
}

// Also adds noise of one step of the screen's 8 bits, as enlarge_fragment.glsl does.
void HostPost::enlarge_rows(int first, int last, glm::ivec2 origin) {
  const std::size_t width = std::size_t(size_.x), shown_width = std::size_t(shown_size_.x);
  std::vector<float> row(4 * (width + 2));
  constexpr float step = 255 / steps;
  constexpr Float8 scale{step, step, step, 2 * step, step, step, step, 2 * step};  // noise leaves opaque what is opaque
  for (int y = first; y < last; ++y) {
    const int low = up_.first[std::size_t(y)], high = std::min(low + 1, size_.y - 1);
    const float part = up_.second_part[std::size_t(y)];
    const std::uint64_t *a = &edged_[std::size_t(low) * (width + 1)], *b = &edged_[std::size_t(high) * (width + 1)];
    for (std::size_t x = 0; x < width + 1; x += 2) {
      const Float8 lower = two_colours(a + x);
      lanes::store(&row[4 * x], scale * (lower + part * (two_colours(b + x) - lower)));
    }
    std::uint8_t* shown = &shown_[4 * std::size_t(y) * shown_width];
    const Float8 dither_y = broadcast(float(origin.y + y) + 0.5f);
    for (std::size_t x = 0; x < shown_width; x += 8) {
      const Float8 dither_x = __builtin_convertvector(lanes::iota() + (origin.x + int(x)), Float8) + 0.5f;
      const Float8 noise =
          gradient_dither(dither_x, dither_y) + gradient_dither(dither_y + 47.0f, dither_x + 113.0f) - 1;
      const auto at = [&](std::size_t k) {
        const float* from = &row[4 * std::size_t(across_.first[x + k])];
        const Float4 left = lanes::load<Float4>(from), right = lanes::load<Float4>(from + 4);
        return left + across_.second_part[x + k] * (right - left) + noise[k];
      };
      const auto two = [&](std::size_t k) { return lanes::joined(at(k), at(k + 1)); };
      std::uint8_t tail[32], *to = x + 8 <= shown_width ? shown + 4 * x : tail;
      lanes::store_bytes(to, two(0), two(2), two(4), two(6));
      if (to == tail) std::copy_n(tail, 4 * (shown_width - x), shown + 4 * x);
    }
  }
}

void HostPost::draw(const Framebuffer& picture, const Canvas& canvas, float exposure, float sun_height) {
  if (size_ != picture.size() || shown_size_ != canvas.size) {
    size_ = picture.size();
    shown_size_ = canvas.size;
    const std::size_t pixels = std::size_t(size_.x) * std::size_t(size_.y);
    light_.resize(4 * pixels);
    const std::size_t padded = std::size_t(size_.x + 1) * std::size_t(size_.y + 1) + 1;
    mapped_.resize(padded);
    edged_.resize(padded);
    bright_row_ = (std::size_t(size_.x) + 7) / 8 * 8 + 2;
    bright_.resize(std::size_t(size_.y) * bright_row_);
    shown_.resize(4 * std::size_t(shown_size_.x) * std::size_t(shown_size_.y));
    across_.find(size_.x, shown_size_.x);
    up_.find(size_.y, shown_size_.y);
    drawn_ = Framebuffer(shown_size_);
  }
  glGetTextureImage(picture.colour().name(), 0, GL_RGBA, GL_HALF_FLOAT, GLsizei(2 * light_.size()), light_.data());
  const auto in_rows = [&](const char* label, int rows, auto&& part) {
    cpu_.tasks(label, (rows + task_rows - 1) / task_rows,
               [&](std::int64_t k) { part(int(k) * task_rows, std::min((int(k) + 1) * task_rows, rows)); });
  };
  in_rows("tone", size_.y, [&](int first, int last) { map_rows(first, last, exposure, sun_height); });
  in_rows("edges", size_.y, [&](int first, int last) { smooth_rows(first, last); });
  in_rows("enlarge", shown_size_.y, [&](int first, int last) { enlarge_rows(first, last, canvas.origin); });
  glTextureSubImage2D(drawn_.colour().name(), 0, 0, 0, shown_size_.x, shown_size_.y, GL_RGBA, GL_UNSIGNED_BYTE,
                      shown_.data());
  const glm::ivec2 low = canvas.origin, high = low + shown_size_;
  glBlitNamedFramebuffer(drawn_.name(), canvas.framebuffer, 0, 0, shown_size_.x, shown_size_.y, low.x, low.y, high.x,
                         high.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace kinescope::render::landscape
