#version 450
// Light shafts: how much bright sky lies between each pixel and the sun in the picture (Mitchell 2007).
#include "landscape/frame.glsl"
#include "landscape/noise.glsl"
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D depth;
uniform vec2 sun;  // in the picture, 0 … 1
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 uv = (vec2(pixel) + 0.5) / vec2(size);
  const int steps = 40;
  vec2 step = (sun - uv) / float(steps) * 0.92;
  vec2 p = uv + step * gradient_dither(vec2(pixel) + 0.5);
  vec3 sum = vec3(0.0);
  float weight = 1.0;
  vec2 aspect = vec2(view.picture.x * view.picture.w, 1.0);
  for (int i = 0; i < steps; ++i) {
    if (all(equal(p, clamp(p, 0.0, 1.0))) && textureLod(depth, p, 0.0).r < 1e-6) {
      float near = exp(-9.0 * length((p - sun) * aspect));
      sum += weight * near * min(textureLod(picture, p, 0.0).rgb, vec3(24.0));
    }
    weight *= 0.975;
    p += step;
  }
  imageStore(result, pixel, vec4(sum / float(steps), 1.0));
}
