// The uniform blocks of all shaders of the landscape: light, air and water (Frame), and the camera (View).
// Metres, radians; x east, y north, z up. The structures are those of render/landscape/frame_block.hpp.
#include "landscape/shared.glsl"
layout(std140, binding = frame_binding) uniform Frame {
  vec4 sun;           // xyz: towards the sun, w: how much the eye adapts to the shade, 1 in the light
  vec4 moon;          // xyz: towards the moon
  vec4 key;           // xyz: towards the light that casts shadows; w: 1 the sun, 0 the moon
  vec4 wind;          // xy: direction it blows to, z: speed, w: time in seconds
  vec4 terrain;       // extent, spacing, lowest, highest
  vec4 water;         // sea level, 1 if the camera is below it, wave height, snow line
  vec4 air;           // extinction at sea level (1/m), its scale height, cloud cover, night 0 … 1
  vec4 clouds;        // base, top, drift x, y
  vec4 lamp;          // xyz: the cabin's lamp, w: its strength
  vec4 cascade_far;   // distance up to which each cascade reaches
  vec4 shadow_texel;  // metres per texel of each cascade
  vec4 options;       // number of cascades, frame number, detail 0 … 1, debug view
  mat4 shadow_from_world[most_cascades];
} frame;

layout(std140, binding = view_binding) uniform View {
  mat4 clip_from_world;
  mat4 world_from_clip;
  vec4 camera;      // xyz: position, w: near plane
  vec4 clip_plane;  // what is below it is cut off; only the reflection has one
  vec4 picture;     // width, height, 1 / width, 1 / height
} view;

// Computed from the sky on the GPU (sky_light_compute.glsl).
layout(std140, binding = light_binding) uniform Light {
  vec4 key_colour;    // irradiance on a surface that faces the key light
  vec4 ambient[6];    // irradiance of the sky and the ground on surfaces that face ±x, ±y, ±z
  vec4 exposure;      // x: factor on the radiance before tone mapping
} light;

float seconds() { return frame.wind.w; }
float sea_level() { return frame.water.x; }

vec3 ambient_light(vec3 n) {
  vec3 s = n * n;
  return s.x * light.ambient[n.x > 0.0 ? 0 : 1].rgb + s.y * light.ambient[n.y > 0.0 ? 2 : 3].rgb +
         s.z * light.ambient[n.z > 0.0 ? 4 : 5].rgb;
}

// The depth buffer is reversed and without a far plane: depth = near / distance along the view axis.
float distance_of_depth(float depth) { return view.camera.w / max(depth, 1e-7); }

// `p` turned about the vertical axis, counter-clockwise as seen from above.
vec3 turned(vec3 p, float yaw) {
  float c = cos(yaw), s = sin(yaw);
  return vec3(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
}

// Whether a ball may show in a view: false if it is wholly beyond one of the view's four sides.
bool may_show(mat4 clip_from_world, vec3 centre, float radius) {
  mat4 rows = transpose(clip_from_world);
  for (int k = 0; k < 4; ++k) {
    vec4 plane = rows[3] + (k % 2 == 0 ? 1.0 : -1.0) * rows[k / 2];
    if (dot(plane, vec4(centre, 1.0)) < -radius * length(plane.xyz)) return false;
  }
  return true;
}
