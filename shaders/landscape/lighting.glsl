// The light that reaches a surface: the key light through hills, plants and clouds, the sky, the cabin's lamp.
#include "landscape/sky/sky.glsl"
#include "landscape/sky/cloud_field.glsl"
layout(binding = cloud_noise_unit) uniform sampler3D cloud_noise;
layout(binding = shadow_map_unit) uniform sampler2DArrayShadow shadow_map;
layout(binding = hill_shadow_unit) uniform sampler2D hill_shadow;

// Visibility of the key light over the hills. Beyond the edges the land is mirrored, but its shadows are not.
float hill_visibility(vec3 p) {
  vec2 uv = p.xy / frame.terrain.x;
  if (any(notEqual(uv, clamp(uv, 0.0, 1.0)))) return 1.0;
  vec2 shade = textureLod(hill_shadow, uv, 0.0).rg;  // height of the shadow, and distance to what casts it
  float soft = 0.4 + 0.012 * shade.g;
  return smoothstep(-soft, soft, p.z - shade.r + 0.5 * soft);
}

float cascade_visibility(vec3 p, vec3 n, int cascade, float slope) {
  float texel = frame.shadow_texel[cascade];
  vec4 q = frame.shadow_from_world[cascade] * vec4(p + n * texel * (1.0 + 1.5 * slope), 1.0);
#ifdef REDUCED
  return texture(shadow_map, vec4(q.xy, cascade, q.z));
#else
  vec2 size = 1.0 / vec2(textureSize(shadow_map, 0).xy);
  float sum = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += (2.0 - abs(float(x))) * (2.0 - abs(float(y))) *
             texture(shadow_map, vec4(q.xy + 1.4 * vec2(x, y) * size, cascade, q.z));
  return sum / 16.0;
#endif
}

// Tints for the view of the cascades: red, green, blue, yellow from near to far.
vec3 cascade_tint(vec3 p) {
  const vec3 tints[4] = vec3[4](vec3(1.9, 0.5, 0.5), vec3(0.5, 1.7, 0.5), vec3(0.5, 0.6, 2.0), vec3(1.6, 1.5, 0.4));
  float distance = length(p - view.camera.xyz);
  for (int k = 0; k < int(frame.options.x); ++k)
    if (distance < frame.cascade_far[k]) return tints[k];
  return vec3(1.0);
}

float plant_visibility(vec3 p, vec3 n) {
  float distance = length(p - view.camera.xyz), slope = 1.0 - abs(dot(n, frame.key.xyz));
#ifdef REDUCED
  // There is one cascade. (Software looks a matrix up for each pixel if it does not know its index.)
  float far = frame.cascade_far[0];
  return mix(cascade_visibility(p, n, 0, slope), 1.0, smoothstep(0.85 * far, far, distance));
#else
  int count = int(frame.options.x);
  int cascade = 0;
  for (int k = 0; k < 4; ++k) cascade += k < count && distance > frame.cascade_far[k] ? 1 : 0;
  if (cascade >= count) return 1.0;
  float visible = cascade_visibility(p, n, cascade, slope);
  float far = frame.cascade_far[cascade], blend = smoothstep(0.85 * far, far, distance);
  if (blend > 0.0) visible = mix(visible, cascade + 1 < count ? cascade_visibility(p, n, cascade + 1, slope) : 1.0, blend);
  return visible;
#endif
}

// The part of the key light that the clouds let through. It comes from the field that they are drawn from, at the place
// where the ray towards the light crosses the middle of their dense part.
float cloud_visibility(vec3 p) {
  float middle = mix(frame.clouds.x, frame.clouds.y, 0.2);
  vec2 above = p.xy + frame.key.xy / max(frame.key.z, 0.12) * (middle - p.z);
  return mix(1.0, 0.22, cloud_cover_of(cloud_field_at(above)));
}

float key_visibility(vec3 p, vec3 n) { return min(hill_visibility(p), plant_visibility(p, n)) * cloud_visibility(p); }

// The warm light in front of the cabin's windows.
vec3 lamp_light(vec3 p, vec3 n) {
  if (frame.lamp.w <= 0.0) return vec3(0.0);
  vec3 to = frame.lamp.xyz - p;
  float d2 = dot(to, to);
  float facing = 0.12 + 0.88 * max(0.0, dot(n, to) * inversesqrt(d2));
  return vec3(1.0, 0.52, 0.20) * frame.lamp.w * facing / (6.0 + d2);
}

struct Surface {
  vec3 position, normal;
  vec3 albedo;
  float roughness, occlusion, translucency;
};

// Powers with whole exponents; products are quicker for software.
#ifdef REDUCED
float to_third(float x) { return x * x * x; }
float to_fifth(float x) { return x * x * (x * x) * x; }
#else
float to_third(float x) { return pow(x, 3.0); }
float to_fifth(float x) { return pow(x, 5.0); }
#endif

// Lambertian reflection and a broad highlight. A translucent surface also lets light through that falls on its back.
vec3 lit_surface(Surface s, float visibility) {
  vec3 to_camera = normalize(view.camera.xyz - s.position);
  float facing = dot(s.normal, frame.key.xyz);
  vec3 key = light.key_colour.rgb * visibility;
  vec3 radiance = s.albedo * (1.0 / pi) *
                  (key * max(facing, 0.0) + ambient_light(s.normal) * s.occlusion + lamp_light(s.position, s.normal));
  if (s.translucency > 0.0) {
    float through = max(-facing, 0.0) * 0.6 + 0.4 * to_third(max(0.0, dot(-to_camera, frame.key.xyz)));
    radiance += s.translucency * s.albedo * vec3(0.95, 1.05, 0.45) * key * through * (1.0 / pi);
  }
  vec3 half_way = normalize(to_camera + frame.key.xyz);
  float power = mix(90.0, 6.0, sqrt(s.roughness)), fresnel = 0.04 + 0.5 * to_fifth(1.0 - max(dot(to_camera, half_way), 0.0));
  float shine = pow(max(dot(s.normal, half_way), 0.0), power) * (power + 2.0) / (8.0 * pi);
  return radiance + key * max(facing, 0.0) * shine * fresnel * (1.0 - 0.85 * s.roughness);
}
