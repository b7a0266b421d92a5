#version 450
#ifdef WIDE_ATOMICS
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_NV_shader_atomic_int64 : require
#endif
// Draws triangles of plants, because data-centre GPUs have many times more cores for compute shaders than for drawing.
// The first round finds the nearest depth of each sample. The second round, with `naming`, finds the triangle with that
// depth, the last one if there are several. Wide atomics do both in one round. One thread draws a small triangle. Large
// triangles are cut along the picture's tiles, and teams of threads draw the parts (TILES).
#include "landscape/frame.glsl"
#include "landscape/plants/plants.glsl"
#include "landscape/plants/plants_fade.glsl"
#include "landscape/plants/plant_triangles.glsl"
layout(local_size_x = 128) in;
layout(std430, binding = tiles_binding) buffer Tiles { uvec2 tiles[]; };  // a triangle, and column + (row << 16)
layout(binding = leaf_shapes_unit) uniform sampler2DArray leaf_shapes;      // shade, outline
#ifdef WIDE_ATOMICS
layout(std430, binding = samples_binding) buffer WideSamples { uint64_t wide_samples[]; };  // the same samples
#endif
uniform bool naming;

const int tile_size = 64;
const ivec2 block_size = ivec2(8, 4);  // pixels that a team draws at once
const float small = 64.0;              // a small triangle's rectangle has at most this many pixels

struct Triangle {
  uint name;
  Projected shape;
  mat3x2 uv;
  vec3 above;  // height of each corner over the clip plane of the reflection
  float leaf, level, shown;
  vec2 low, high;  // its rectangle in pixels
};

// Loads and projects a triangle. Returns false if nothing of it is visible.
bool set_up(uint name, out Triangle t) {
  uint entry = entry_of_triangle(name);
  Instance self = instances[instance_of(entry)];
  float sway = sways[instance_of(entry)];
  uvec3 corner = corners_of(name);
  t.name = name;
  t.shown = shown_of(entry);
  t.leaf = colour_at(corner.x).a;
  vec3 p[3];
  for (int k = 0; k < 3; ++k) {
    vec3 world = moved(self, position_at(corner[k]), t.leaf >= 0.0, sway);
    p[k] = on_screen(world);
    t.above[k] = dot(view.clip_plane, vec4(world, 1.0));
    t.uv[k] = uv_at(corner[k]);
  }
  vec3 x = vec3(p[0].x, p[1].x, p[2].x), y = vec3(p[0].y, p[1].y, p[2].y), w = vec3(p[0].z, p[1].z, p[2].z);
  vec2 size = view.picture.xy;
  if (all(lessThan(w, vec3(view.camera.w))) || all(lessThan(x, vec3(0.0))) || all(lessThan(y, vec3(0.0))) ||
      all(greaterThan(x, w * size.x)) || all(greaterThan(y, w * size.y)))
    return false;
  t.low = vec2(0.0);
  t.high = size - 1.0;
  bool before = all(greaterThanEqual(w, vec3(view.camera.w)));
  if (before) {
    x /= w;
    y /= w;
    t.low = max(t.low, floor(vec2(min(x.x, min(x.y, x.z)), min(y.x, min(y.y, y.z)))));
    t.high = min(t.high, floor(vec2(max(x.x, max(x.y, x.z)), max(y.x, max(y.y, y.z)))));
  }
  if (any(lessThan(t.high, t.low))) return false;
  t.shape = projected(p[0], p[1], p[2], floor(0.5 * (t.low + t.high)));
  vec2 u = t.uv[1] - t.uv[0], v = t.uv[2] - t.uv[0];
  float texels = abs(u.x * v.y - u.y * v.x) * float(textureSize(leaf_shapes, 0).x * textureSize(leaf_shapes, 0).y);
  t.level = before ? 0.5 * log2(max(texels * w.x * w.y * w.z / max(t.shape.extent, 1e-20), 1.0)) : 0.0;
  return t.shape.extent > 0.0;
}

void draw_pixel(Triangle t, ivec2 pixel) {
  for (int i = 0; i < SAMPLES; ++i) {
    if (hidden(t.shown, vec2(pixel) + 0.5, i, SAMPLES)) continue;
    precise vec3 weights = weights_at(t.shape, vec2(pixel) + sample_places[i]);
    precise float near = weights.x + weights.y + weights.z;
    precise float depth = near * view.camera.w;
    if (!(depth > 0.0 && depth <= 1.0) || any(lessThan(weights, vec3(-1e-5 * near)))) continue;
    if (dot(weights, t.above) < 0.0) continue;
    uint place = sample_index(pixel, i), bits = floatBitsToUint(depth);
    if (naming ? bits != samples[place].depth : bits <= samples[place].depth) continue;
    if (t.leaf >= 0.0 && textureLod(leaf_shapes, vec3(t.uv * weights / near, t.leaf), t.level).g < 0.42) continue;
#ifdef WIDE_ATOMICS
    atomicMax(wide_samples[place], packUint2x32(uvec2(t.name, bits)));
#else
    if (naming)
      atomicMax(samples[place].seen, t.name);
    else
      atomicMax(samples[place].depth, bits);
#endif
  }
}

// Whether the rectangle is wholly outside one edge of the triangle.
bool misses(Triangle t, ivec2 low, ivec2 size) {
  vec3 most = weights_at(t.shape, vec2(low));
  for (int k = 1; k < 4; ++k) most = max(most, weights_at(t.shape, vec2(low + size * ivec2(k & 1, k >> 1))));
  return any(lessThan(most, vec3(0.0)));
}

// Draws the part of a triangle in a tile. One thread for each pixel of a block calls this; `thread` is its index.
void draw_tile(Triangle t, ivec2 tile, int thread) {
  ivec2 low = max(tile * tile_size, ivec2(t.low)), high = min(tile * tile_size + tile_size - 1, ivec2(t.high));
  for (int y = low.y; y <= high.y; y += block_size.y)
    for (int x = low.x; x <= high.x; x += block_size.x) {
      if (misses(t, ivec2(x, y), block_size)) continue;
      ivec2 pixel = ivec2(x, y) + ivec2(thread % block_size.x, thread / block_size.x);
      if (all(lessThanEqual(pixel, high))) draw_pixel(t, pixel);
    }
}

#ifdef TILES
void main() {
  const uint threads = uint(block_size.x * block_size.y), teams = gl_WorkGroupSize.x / threads;
  uint count = min(tile_count, uint(tiles.length())), team = gl_LocalInvocationID.x / threads;
  for (uint k = gl_WorkGroupID.x * teams + team; k < count; k += gl_NumWorkGroups.x * teams) {
    Triangle t;
    if (set_up(tiles[k].x, t))
      draw_tile(t, ivec2(tiles[k].y & 0xffffu, tiles[k].y >> 16), int(gl_LocalInvocationID.x % threads));
  }
}
#else
void main() {
  uint count = min(batch_count, uint(batches.length()));
  for (uint batch = gl_WorkGroupID.x; batch < count; batch += gl_NumWorkGroups.x) {
    Triangle t;
    if (gl_LocalInvocationID.x >= batches[batch].y >> 24 || !set_up(number_of(batch, gl_LocalInvocationID.x), t))
      continue;
    vec2 size = t.high - t.low + 1.0;
    if (size.x * size.y <= small) {
      for (float y = t.low.y; y <= t.high.y; ++y)
        for (float x = t.low.x; x <= t.high.x; ++x) draw_pixel(t, ivec2(x, y));
      continue;
    }
    ivec2 first = ivec2(t.low) / tile_size, last = ivec2(t.high) / tile_size;
    for (int y = first.y; y <= last.y; ++y)
      for (int x = first.x; x <= last.x; ++x) {
        if (misses(t, ivec2(x, y) * tile_size, ivec2(tile_size))) continue;
        uint place = atomicAdd(tile_count, 1u);
        if (place < uint(tiles.length())) {
          tiles[place] = uvec2(t.name, uint(x) | uint(y) << 16);
          continue;
        }
        for (int thread = 0; thread < block_size.x * block_size.y; ++thread) draw_tile(t, ivec2(x, y), thread);
      }
  }
}
#endif
