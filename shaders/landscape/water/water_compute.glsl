#version 450
// Draws the water over the picture where no drawn surface hides it.
#include "landscape/lighting.glsl"
#include "landscape/water/water.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;
#include "landscape/g_buffer/samples.glsl"

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(result)))) return;
  vec3 radiance = texelFetch(refraction, pixel, 0).rgb;
  vec2 place = vec2(pixel) + 0.5;
  vec3 ray = ray_through(place);
  float nearest = nearest_water(ray), farthest = 1.0;
  for (int i = 0; i < SAMPLES; ++i) farthest = min(farthest, sample_depth(pixel, i));
  float t = farthest < nearest ? meets_water(ray) : -1.0;
  if (t >= 0.0) {
    vec3 position = view.camera.xyz + t * ray;
    vec4 clip = view.clip_from_world * vec4(position, 1.0);
    float covered = 0.0;
    for (int i = 0; i < SAMPLES; ++i)
      covered += clip.z > sample_depth(pixel, i) * clip.w ? 1.0 / float(SAMPLES) : 0.0;
    if (covered > 0.0) {
      vec4 water = water_colour(position, place);
      radiance = mix(radiance, water.rgb, water.a * covered);
    }
  }
  imageStore(result, pixel, vec4(radiance, 1.0));
}
