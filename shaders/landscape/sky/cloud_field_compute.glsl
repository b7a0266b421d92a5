#version 450
// The field of cloud_field.glsl: masses of some kilometres with lumps on them, which still larger forms gather into
// groups. Nothing is smaller than 100 m, because smaller forms would show as columns in the clouds.
#include "landscape/noise.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(r16f, binding = 0) writeonly uniform image2D result;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(p, size))) return;
  vec2 uv = (vec2(p) + 0.5) / vec2(size);
  float masses = contrast(fractal(uv, 16, 4, 0.52, 1)), lumps = contrast(fractal(uv, 75, 2, 0.55, 11)),
        groups = contrast(fractal(uv, 3, 3, 0.5, 23));
  imageStore(result, p, vec4(0.66 * masses + 0.34 * lumps + 0.35 * (groups - 0.5)));
}
