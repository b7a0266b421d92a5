#version 450
// Puts the smoke into the picture: a thread for each pixel of the rectangle that its cube covers.
#include "landscape/lighting.glsl"
#include "landscape/smoke/smoke_air.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) uniform image2D picture;
layout(binding = refraction_depth_unit) uniform sampler2D depth;
uniform ivec2 first, last;
uniform int steps;

void main() {
  ivec2 pixel = first + ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThan(pixel, last))) return;
  vec4 smoke = smoke_in_pixel((vec2(pixel) + 0.5) * view.picture.zw, texelFetch(depth, pixel, 0).r, gradient_dither(vec2(pixel) + 0.5), steps);
  if (smoke.a == 1.0) return;
  vec4 behind = imageLoad(picture, pixel);
  imageStore(picture, pixel, vec4(behind.rgb * smoke.a + smoke.rgb, 1.0));
}
