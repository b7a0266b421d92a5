#version 450
// Colour (as square roots) and height of one of the terrain's eight materials, on a square that repeats. MATERIAL is
// the material's index (materials.glsl).
#include "landscape/shared.glsl"
#include "landscape/noise.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) writeonly uniform image2DArray result;

vec4 sand(vec2 uv) {
  float ripple = sin((2.0 * pi) * (uv.y * 9.0 + 1.3 * fractal(uv, 3, 3, 0.5, 5))) * 0.5 + 0.5;
  float grain = hash_f(ivec2(uv * 512.0)), patches = fractal(uv, 4, 4, 0.5, 9);
  vec3 c = mix(vec3(0.27, 0.205, 0.13), vec3(0.42, 0.335, 0.215), patches * 0.7 + 0.3 * ripple);
  return vec4(c * (0.88 + 0.2 * grain), 0.3 + 0.4 * ripple * patches);
}
vec4 pebbles(vec2 uv, vec3 dark, vec3 pale, int seed) {
  vec3 large = cellular(uv * 11.0, 11, seed), small = cellular(uv * 29.0, 29, seed + 7);
  float a = 1.0 - smoothstep(0.15, 0.55, large.x), b = 1.0 - smoothstep(0.1, 0.5, small.x);
  float height = max(a * (0.6 + 0.4 * large.z), 0.55 * b);
  vec3 c = mix(dark, pale, a > 0.55 * b ? large.z : small.z) * (0.45 + 0.55 * height);
  return vec4(c * (0.85 + 0.3 * fractal(uv, 16, 3, 0.6, seed + 3)), height);
}
// Blades are short strokes that lie over one another.
vec4 blades(vec2 uv, vec3 dark, vec3 pale, int seed) {
  float height = 0.0, tone = 0.0;
  for (int k = 0; k < 4; ++k) {
    float angle = 0.7 * float(k) - 1.0;
    vec2 q = uv * 24.0 + float(k) * 0.37;
    vec2 turned = vec2(q.x + float(k - 1) * q.y, q.y);
    float stroke = value_noise(vec2(turned.x * 4.0, turned.y), k == 0 ? 96 : 24, seed + k);
    stroke = value_noise(vec2(turned.x * 3.0, turned.y * 1.0), 24, seed + 5 + k) * 0.5 + 0.5 * stroke;
    if (stroke > height) { height = stroke; tone = hash_f(uint(k + seed)) * 0.4 + 0.6 * stroke; }
  }
  float clumps = fractal(uv, 6, 4, 0.5, seed + 20);
  height = clamp((height - 0.4) * 1.8, 0.0, 1.0);
  vec3 c = mix(dark, pale, clamp(height * 0.8 + 0.5 * (clumps - 0.5), 0.0, 1.0));
  return vec4(c * (0.72 + 0.4 * tone), 0.35 * clumps + 0.65 * height);
}
vec4 forest(vec2 uv) {
  vec3 leaves = cellular(uv * 26.0 + 0.4 * vec2(gradient_noise(uv * 12.0, 12, 3), gradient_noise(uv * 12.0, 12, 4)), 26, 4);
  float height = (1.0 - smoothstep(0.1, 0.6, leaves.x)) * (0.5 + 0.5 * leaves.z);
  vec3 c = mix(vec3(0.055, 0.04, 0.022), mix(vec3(0.16, 0.10, 0.045), vec3(0.09, 0.11, 0.035), step(0.55, leaves.z)), height);
  float moss = smoothstep(0.5, 0.68, fractal(uv, 5, 5, 0.55, 31));
  return vec4(mix(c, vec3(0.055, 0.085, 0.022), moss * 0.75), height * 0.7 + 0.3 * moss);
}
vec4 rock(vec2 uv) {
  vec2 bent = uv + 0.05 * vec2(fractal(uv, 4, 4, 0.5, 41), fractal(uv, 4, 4, 0.5, 47));
  vec3 blocks = cellular(bent * 5.0, 5, 13), chips = cellular(bent * 13.0, 13, 17);
  float crack = smoothstep(0.0, 0.12, blocks.y - blocks.x) * (0.6 + 0.4 * smoothstep(0.0, 0.1, chips.y - chips.x));
  float strata = fractal(vec2(uv.x * 1.0, uv.y), 6, 6, 0.6, 53);
  float height = (0.45 + 0.55 * crack) * (0.30 + 0.25 * blocks.z + 0.45 * strata);
  vec3 c = mix(vec3(0.060, 0.056, 0.053), vec3(0.200, 0.184, 0.162), 0.22 * blocks.z + 0.78 * strata);
  float lichen = smoothstep(0.58, 0.7, fractal(uv, 7, 5, 0.55, 61));
  return vec4(mix(c * (0.80 + 0.22 * crack), vec3(0.13, 0.125, 0.07), 0.5 * lichen), height);
}
vec4 snow(vec2 uv) {
  float drift = fractal(uv, 3, 5, 0.45, 71), grain = hash_f(ivec2(uv * 512.0) + 77);
  return vec4(mix(vec3(0.78, 0.82, 0.88), vec3(0.90, 0.91, 0.93), drift) * (0.97 + 0.04 * grain), 0.5 + 0.5 * drift);
}

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID.xy, MATERIAL);
  if (any(greaterThanEqual(p.xy, imageSize(result).xy))) return;
  vec2 uv = vec2(p.xy) / vec2(imageSize(result).xy);
#if MATERIAL == 0
  vec4 value = sand(uv);
#elif MATERIAL == 1
  vec4 value = pebbles(uv, vec3(0.10, 0.095, 0.075), vec3(0.30, 0.27, 0.21), 2);
#elif MATERIAL == 2
  vec4 value = blades(uv, vec3(0.020, 0.034, 0.010), vec3(0.088, 0.112, 0.034), 3);
#elif MATERIAL == 3
  vec4 value = blades(uv, vec3(0.072, 0.058, 0.026), vec3(0.225, 0.18, 0.085), 37);
#elif MATERIAL == 4
  vec4 value = forest(uv);
#elif MATERIAL == 5
  vec4 value = rock(uv);
#elif MATERIAL == 6
  vec4 value = pebbles(uv, vec3(0.085, 0.078, 0.068), vec3(0.225, 0.208, 0.185), 19);
#elif MATERIAL == 7
  vec4 value = snow(uv);
#endif
  imageStore(result, p, vec4(sqrt(clamp(value.rgb, 0.0, 1.0)), clamp(value.a, 0.0, 1.0)));
}
