#version 450
// The clouds: one drifting layer that rays march through, lit by the sky and by the key light through the layer.
#include "landscape/lighting.glsl"
#include "landscape/noise.glsl"
#include "landscape/sky/atmosphere.glsl"
uniform int steps;
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;
// Less cover makes no cloud. The field has this cover at `thinnest_field` above the threshold.
const float thinnest_cover = 0.03, thinnest_field = 0.022;

uniform int divisor;  // the picture is this many times larger than the layer

// Whether the sky shows in any of the picture's pixels that this pixel of the layer is laid over; and how much of the
// finest noise shows at a distance: without it a cloud overhead would be a blur.
#ifndef REDUCED
// The depths of what is drawn, as in g_buffer/samples.glsl: 0 is the sky.
layout(std430, binding = samples_binding) readonly buffer Samples { uvec2 samples[]; };
uniform int samples_each;  // samples per pixel

bool shows_sky(ivec2 pixel) {
  ivec2 low = max(pixel * divisor - 1, 0), high = min(pixel * divisor + divisor + 1, ivec2(view.picture.xy) - 1);
  for (int y = low.y; y <= high.y; ++y)
    for (int i = (y * int(view.picture.x) + low.x) * samples_each; i < (y * int(view.picture.x) + high.x + 1) * samples_each; ++i)
      if (samples[i].y == 0u) return true;
  return false;
}
float finest_at(float distance) { return 0.7 - 0.7 * smoothstep(1500.0, 4000.0, distance); }
#else
layout(binding = refraction_depth_unit) uniform sampler2D depth;

bool shows_sky(ivec2 pixel) {
  vec4 nearest = vec4(1.0);
  // The picture need not be a multiple of the layer.
  vec2 first = floor(vec2(pixel) * view.picture.xy / vec2(imageSize(result)));
  for (int y = 0; y <= divisor + 1; y += 2)
    for (int x = 0; x <= divisor + 1; x += 2)
      nearest = min(nearest, textureGather(depth, (first + vec2(x, y)) * view.picture.zw));
  return min(min(nearest.x, nearest.y), min(nearest.z, nearest.w)) == 0.0;
}
float finest_at(float distance) { return 0.0; }
#endif

// How dense the clouds are at `p`, where the field has this value. Their smallest forms, which are looked up only if
// `is_near`, are wisps below and billows above.
float density_in(float field, vec3 p, bool is_near, float finest) {
  float high = (p.z - frame.clouds.x) / (frame.clouds.y - frame.clouds.x), cover = cloud_cover_of(field);
  // Clouds are flat below and round above; denser ones tower.
  float filled = cover * smoothstep(0.0, 0.06, high) * (1.0 - smoothstep(0.12, 0.24 + 0.76 * cover * cover, high));
  if (filled <= thinnest_cover) return 0.0;
  vec3 q = vec3(p.xy - frame.clouds.zw * 1.1, p.z * 1.25) / 1900.0;
  float billows = textureLod(cloud_noise, q, 0.0).r;
  float shape = filled - (0.85 + 0.5 * high) * (0.72 - billows) * (1.0 - 0.35 * cover);
  if (shape <= 0.0) return 0.0;
  float fine = is_near ? textureLod(cloud_noise, q * 2.9 + 0.4, 0.0).g : 0.5;
  if (finest > 0.0) fine += finest * (textureLod(cloud_noise, q * 11.7 + 0.8, 0.0).g - 0.5);
  float eroded = 0.62 * (0.8 - mix(1.0 - fine, fine, smoothstep(0.02, 0.2, high)));
  return clamp(2.4 * (shape - eroded) / (1.0 - eroded), 0.0, 1.0);
}

// Metres of full density between a place and the key light, in steps that grow.
float depth_towards_key(vec3 p) {
#ifdef REDUCED
  const int looks = 2;
  float depth = 0.0, along = 140.0;
#else
  const int looks = 4;
  float depth = 0.0, along = 45.0;
#endif
  for (int k = 0; k < looks; ++k, along *= 1.9) {
    vec3 q = p + frame.key.xyz * along;
    if (q.z >= frame.clouds.y) break;
    depth += density_in(cloud_field_at(q.xy), q, false, 0.0) * along;
  }
  return depth;
}

// Radiance of the clouds in a direction, and how much light from behind they let through.
vec4 clouds_towards(vec2 uv, float dither) {
  const vec4 nothing = vec4(0.0, 0.0, 0.0, 1.0);
  vec4 far = view.world_from_clip * vec4(2.0 * uv - 1.0, 1e-4, 1.0);
  vec3 ray = normalize(far.xyz / far.w - view.camera.xyz), from = view.camera.xyz;
  if (ray.z < 0.012 || from.z >= frame.clouds.y) return nothing;
  float enter = max((frame.clouds.x - from.z) / ray.z, 0.0), leave = (frame.clouds.y - from.z) / ray.z;
  // Far away, where a pixel covers much, steps are long.
  float step = min(leave - enter, 2600.0 + 0.15 * enter) / float(steps);
  // Where the field is too low for a cloud, its greatest slope tells for how many steps there can be none.
  float thinnest = cloud_threshold() + thinnest_field, skipped = 1.0 / (cloud_field_slope * length(ray.xy) * step);
  const float extinction = 0.03;
  float nu = dot(ray, frame.key.xyz);
  float phase = mix(henyey_greenstein(nu, 0.65), henyey_greenstein(nu, -0.15), 0.45) + 0.035;
  vec3 key = light.key_colour.rgb * mix(1.0, 0.4, frame.air.w) * phase * 2.0;
  float held_back = sky_held_back(frame.sun.z);
  vec3 sky = ambient_light(vec3(0.0, 0.0, 1.0)) * (0.66 / pi) * held_back, ground = ambient_light(vec3(0.0, 0.0, -1.0)) * (0.35 / pi) * held_back;
  vec3 radiance = vec3(0.0);
  float through = 1.0, t = enter + step * dither, reached = 0.0, stride = step, lit = 0.0;
  int inside = 0, outside = 0;  // numbers of successive places inside and outside clouds
  for (int i = 0; i < steps && t < leave && through >= 0.02; ++i, t += stride) {
#ifdef REDUCED
    // Software does all that a loop may do for a group of pixels, as long as any of them is in the loop. So it passes by
    // what is clear in a loop of its own.
    float field = 0.0;
    for (; i < steps && t < leave; ++i, t += stride) {
      field = cloud_field_at(from.xy + t * ray.xy);
      if (field >= thinnest) break;
      t += step * floor((thinnest - field) * skipped);
      stride = step;
    }
    if (i >= steps || t >= leave) break;
    vec3 p = from + t * ray;
#else
    vec3 p = from + t * ray;
    float field = cloud_field_at(p.xy);
    if (field < thinnest) {
      t += step * floor((thinnest - field) * skipped);
      stride = step;
      continue;
    }
#endif
    float density = density_in(field, p, true, finest_at(t));
    if (density == 0.0) {
      inside = 0;
      if (++outside > 1) stride = step;
    } else if (stride == step) {
      // Goes half a step back and on with half steps, because whole steps would show as slices at the cloud's edge.
      stride = 0.5 * step;
      t -= 2.0 * stride;  // the loop adds one
      outside = 0;
    } else {
      outside = 0;
      // Light that is scattered several times reaches deeper than Beer's law says.
      if (inside++ % 2 == 0) {
        float depth = extinction * depth_towards_key(p);
        lit = max(exp(-depth), 0.38 * exp(-0.28 * depth));
      }
      float high = (p.z - frame.clouds.x) / (frame.clouds.y - frame.clouds.x);
      float powder = 1.0 - 0.6 * exp(-density * 9.0);
      vec3 source = key * lit * powder + mix(ground, sky, 0.3 + 0.7 * high);
      float part = exp(-extinction * density * stride);
      radiance += through * (1.0 - part) * source;
      reached += through * (1.0 - part) * t;
      through *= part;
    }
  }
  if (through == 1.0) return nothing;
  float distance = reached / (1.0 - through);
  // The air in front of a cloud hides a part of it.
  float haze = 1.0 - exp(-distance * 5.5e-5);
  vec3 horizon = sky_radiance(normalize(vec3(ray.xy, max(ray.z, 0.02))));
  radiance = mix(radiance, horizon * (1.0 - through), haze);
  float fade = smoothstep(0.012, 0.04, ray.z);
  return vec4(radiance * fade, mix(1.0, through, fade));
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(pixel, size))) return;
  if (!shows_sky(pixel)) {
    imageStore(result, pixel, vec4(0.0, 0.0, 0.0, 1.0));
    return;
  }
  vec2 place = vec2(pixel) + 0.5;
  imageStore(result, pixel, clouds_towards(place / vec2(size), gradient_dither(place)));
}
