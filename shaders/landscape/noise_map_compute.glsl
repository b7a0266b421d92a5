#version 450
// Repeating noises for whatever needs variety: two fractals, a cellular one, a third fractal.
#include "landscape/noise.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) writeonly uniform image2D result;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(p, size))) return;
  vec2 uv = vec2(p) / vec2(size);
  vec2 bent = uv + 0.035 * vec2(gradient_noise(uv * 4.0, 4, 91), gradient_noise(uv * 4.0, 4, 92));
  vec4 value = vec4(contrast(fractal(uv, 4, 6, 0.52, 1)), contrast(fractal(uv, 5, 6, 0.55, 11)),
                    cellular(bent * 8.0, 8, 3).x, contrast(fractal(uv, 3, 6, 0.5, 23)));
  imageStore(result, p, value);
}
