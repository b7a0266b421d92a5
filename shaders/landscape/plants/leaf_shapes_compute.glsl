#version 450
// Outlines of leaves, each on a quad with the stalk at the middle of its lower edge (v = 0). r: shade; g: 1 inside the
// leaf, 0 outside.
#include "landscape/noise.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rg8, binding = 0) writeonly uniform image2DArray result;

// One leaf from `a` to `b`; `wide` is about half its greatest width. Returns its shade, which shows its veins, and 1
// inside the leaf or 0 outside.
vec2 leaf(vec2 p, vec2 a, vec2 b, float wide, float roundness) {
  vec2 d = b - a;
  float l = length(d), t = dot(p - a, d) / (l * l), s = (p.x - a.x) * d.y - (p.y - a.y) * d.x;
  s = abs(s) / l;
  if (t <= 0.0 || t >= 1.0) return vec2(0.0);
  float half_width = wide * pow(t, roundness * 0.6) * pow(1.0 - t, 0.75) * 2.2;
  float inside = smoothstep(0.0, 0.012, half_width - s);
  float vein = 0.72 + 0.28 * smoothstep(0.0, 0.25 * wide, s) - 0.18 * smoothstep(0.8, 1.0, abs(fract((t - 0.8 * s / wide * 0.2) * 9.0) * 2.0 - 1.0));
  return vec2(vein * inside, inside);
}

vec2 cluster(vec2 uv, int seed, float wide, float size, float count, float roundness) {
  vec2 sum = vec2(0.0);
  for (int i = 0; i < 9; ++i) {
    if (float(i) >= count) break;
    float h = hash_f(uint(i * 7 + seed)), g = hash_f(uint(i * 13 + seed + 3));
    float angle = (float(i) / count - 0.45) * 3.6 + 0.5 * (h - 0.5);
    vec2 from = vec2(0.5, 0.16 + 0.38 * g), to = from + size * (0.75 + 0.4 * h) * vec2(sin(angle), 0.35 + 0.75 * cos(angle));
    vec2 one = leaf(uv, from, to, wide, roundness) * vec2(0.65 + 0.45 * g, 1.0);
    if (one.y > 0.5) sum = one;
    else sum.y = max(sum.y, one.y);
  }
  float stalk = smoothstep(0.012, 0.006, abs(uv.x - 0.5)) * step(uv.y, 0.5);
  return max(sum, vec2(0.35, 1.0) * stalk);
}

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  ivec2 size = imageSize(result).xy;
  if (any(greaterThanEqual(p.xy, size))) return;
  vec2 uv = (vec2(p.xy) + 0.5) / vec2(size);
#if SHAPE == 0  // a spray of roundish leaves
  vec2 value = cluster(uv, 11, 0.085, 0.42, 9.0, 1.0);
#elif SHAPE == 1  // a long blade, pointed
  float across = abs(uv.x - 0.5), inside = step(across, 0.49 * (1.0 - pow(uv.y, 3.0)));
  vec2 value = vec2(0.62 + 0.38 * smoothstep(0.0, 0.2, across), inside);
#elif SHAPE == 2  // a petal
  float r = length((uv - vec2(0.5, 0.52)) * vec2(1.25, 1.0));
  float inside = smoothstep(0.47, 0.455, r + 0.02 * sin(atan(uv.y - 0.5, uv.x - 0.5) * 9.0));
  vec2 value = vec2(0.75 + 0.5 * uv.y - 0.15 * smoothstep(0.7, 1.0, abs(fract(uv.x * 7.0) * 2.0 - 1.0)), inside);
#elif SHAPE == 3  // a dense twig of small leaves
  vec2 value = cluster(uv, 29, 0.075, 0.40, 9.0, 0.8);
#else  // a twig of needles, with a shorter one on each side
  vec2 value = vec2(0.0);
  for (int i = -1; i <= 1; ++i) {
    vec2 along = normalize(vec2(0.8 * float(i), 1.0)), from = vec2(0.5, i == 0 ? 0.0 : 0.2), p = uv - from;
    float t = dot(p, along), s = abs(p.x * along.y - p.y * along.x), reach = i == 0 ? 0.97 : 0.5;
    float from_stem = t - 0.8 * s, end = 0.21 * sqrt(clamp(1.04 - t / reach, 0.0, 1.0));
    float inside = step(0.0, t) * step(from_stem, reach) * step(s, end) * smoothstep(0.47, 0.40, abs(fract(17.0 * from_stem) - 0.5));
    inside = max(inside, step(0.0, t) * step(t, reach) * smoothstep(0.016, 0.010, s));
    value = max(value, vec2(mix(0.5, 1.0, clamp(s / 0.12, 0.0, 1.0)), 1.0) * inside);
  }
#endif
  imageStore(result, ivec3(p.xy, SHAPE), vec4(value, 0.0, 1.0));
}
