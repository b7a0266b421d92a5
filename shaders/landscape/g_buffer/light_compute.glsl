#version 450
// Lights what was drawn: each pixel's stored surfaces (drawn.glsl), or the sky. Samples of a pixel that show the same
// surface are lit once.
#include "landscape/lighting.glsl"
#include "landscape/land/terrain.glsl"
#include "landscape/land/materials.glsl"
#include "landscape/land/terrain_light.glsl"
#include "landscape/sky/sky_dome.glsl"
#include "landscape/g_buffer/surface_light.glsl"
#include "landscape/plants/plant_seen.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;
layout(r32f, binding = 1) writeonly uniform image2D seen_depth;
#if SAMPLES > 1
layout(binding = drawn_albedo_unit) uniform sampler2DMS drawn_albedo;
layout(binding = drawn_normal_unit) uniform sampler2DMS drawn_normal;
#else
layout(binding = drawn_albedo_unit) uniform sampler2D drawn_albedo;
layout(binding = drawn_normal_unit) uniform sampler2D drawn_normal;
#endif

Drawn drawn_at(ivec2 pixel, int i) {
  float depth = sample_depth(pixel, i);
  uint seen = samples[sample_index(pixel, i)].seen;
  if (seen >= first_triangle) return plant_seen(seen, depth, vec2(pixel) + sample_places[i]);
  if (seen == terrain) return Drawn(depth, vec4(0.0), vec4(0.0));
  return Drawn(depth, texelFetch(drawn_albedo, pixel, i), texelFetch(drawn_normal, pixel, i));
}

bool alike(Drawn a, Drawn b) {
  if (a.depth == 0.0 || b.depth == 0.0) return a.depth == b.depth;
  if (a.normal.z != b.normal.z || abs(a.depth - b.depth) > 0.04 * a.depth) return false;
  if (a.normal.z == 0.0) return true;
  vec4 normal = abs(a.normal - b.normal), albedo = abs(a.albedo - b.albedo);
  return max(max(normal.x, normal.y), max(albedo.r, max(albedo.g, albedo.b))) < 0.08;
}

vec3 radiance_of(Drawn drawn, vec2 pixel) {
  vec2 place = 2.0 * pixel * view.picture.zw - 1.0;
  vec4 world = view.world_from_clip * vec4(place, drawn.depth > 0.0 ? drawn.depth : 1e-4, 1.0);
  vec3 position = world.xyz / world.w;
  if (drawn.depth == 0.0) return dome_radiance(normalize(position - view.camera.xyz), pixel * view.picture.zw);
  if (drawn.normal.z == 0.0) return terrain_radiance(position, pixel);
  int kind = int(drawn.normal.z * 255.0 + 0.5);
  vec3 albedo = drawn.albedo.rgb * drawn.albedo.rgb;
  vec3 n = of_octahedral(drawn.normal.xy);
  vec3 radiance = kind == of_window ? window_radiance(position, n, albedo, drawn.normal.w)
                                    : surface_radiance(kind, position, n, albedo, drawn.normal.w);
  return through_air(radiance, position);
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(result)))) return;
  Drawn drawn[SAMPLES];
  for (int i = 0; i < SAMPLES; ++i) drawn[i] = drawn_at(pixel, i);
  vec4 sum = vec4(0.0);
  uint lit = 0u;
  for (int i = 0; i < SAMPLES; ++i) {
    if ((lit >> i & 1u) == 1u) continue;
    float count = 1.0;
    for (int k = i + 1; k < SAMPLES; ++k)
      if ((lit >> k & 1u) == 0u && alike(drawn[i], drawn[k])) {
        lit |= 1u << k;
        count += 1.0;
      }
    // Bright samples have less weight, like bright light on the tone curve. Otherwise edges against the sky would stay
    // hard.
    vec3 radiance = radiance_of(drawn[i], vec2(pixel) + 0.5);
    sum += count / (1.0 + light.exposure.x * dot(radiance, vec3(0.2126, 0.7152, 0.0722))) * vec4(radiance, 1.0);
  }
  imageStore(result, pixel, vec4(sum.rgb / sum.w, 1.0));
  imageStore(seen_depth, pixel, vec4(drawn[0].depth));
}
