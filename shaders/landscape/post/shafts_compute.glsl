#version 450
// Light shafts: the mean of the light along the way from each pixel towards the sun (Mitchell 2007). The first round
// takes long steps. The second takes the mean of the first round's results along one of these steps, which is as if
// every long step had been divided.
layout(binding = 0) uniform sampler2D source;
uniform vec2 sun;  // in the picture, 0 … 1
uniform bool second;
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;

const int steps = 32, parts = 8;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 p = (vec2(pixel) + 0.5) / vec2(size), step = (sun - p) * (0.92 / float(steps));
  if (second) step /= float(parts);
  int count = second ? parts : steps;
  vec3 sum = vec3(0.0);
  float weight = 1.0;
  for (int i = 0; i < count; ++i) {
    if (all(equal(p, clamp(p, 0.0, 1.0)))) sum += weight * textureLod(source, p, 0.0).rgb;
    weight *= second ? 1.0 : 0.97;
    p += step;
  }
  imageStore(result, pixel, vec4(sum / float(count), 1.0));
}
