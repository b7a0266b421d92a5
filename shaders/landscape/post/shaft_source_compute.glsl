#version 450
// The source of the light shafts: the bright sky around the sun, where nothing stands in front of it. Each pixel is the
// mean of a square of the picture's pixels, so that no single gap between leaves makes a shaft with hard edges.
#include "landscape/frame.glsl"
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D depth;
uniform vec2 sun;  // in the picture, 0 … 1
uniform int side;  // of the square
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;

// The limit of each pixel's largest channel, because the sun's disc would outshine the sky. All channels are scaled
// alike: limited one by one, they would make the disc white.
const float brightest = 6.0;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result), last = textureSize(picture, 0) - 1;
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 to_sun = ((vec2(pixel) + 0.5) / vec2(size) - sun) * vec2(view.picture.x * view.picture.w, 1.0);
  float near = exp(-9.0 * length(to_sun));
  vec3 sum = vec3(0.0);
  for (int i = 0; near > 1e-3 && i < side * side; ++i) {
    ivec2 place = min(pixel * side + ivec2(i % side, i / side), last);
    if (texelFetch(depth, place, 0).r > 1e-6) continue;
    vec3 sky = texelFetch(picture, place, 0).rgb;
    sum += sky * min(1.0, brightest / max(max(sky.r, sky.g), max(sky.b, 1e-6)));
  }
  imageStore(result, pixel, vec4(sum * (near / float(side * side)), 1.0));
}
