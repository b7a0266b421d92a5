#version 450
// Normals, roughness and occlusion of the materials from their heights.
#include "landscape/shared.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = material_colour_unit) uniform sampler2DArray material_colour;
layout(rgba8, binding = 0) writeonly uniform image2DArray result;
const float steepness[8] = float[8](0.6, 1.6, 1.5, 1.5, 1.8, 3.0, 2.2, 0.5);
const float roughness[8] = float[8](0.85, 0.6, 0.8, 0.85, 0.9, 0.75, 0.85, 0.5);

float height(ivec2 p, int layer) {
  int size = textureSize(material_colour, 0).x;
  return texelFetch(material_colour, ivec3((p + size) % size, layer), 0).a;
}

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  int size = imageSize(result).x;
  if (any(greaterThanEqual(p.xy, ivec2(size)))) return;
  float reach = float(size) / 256.0;
  vec2 slope = vec2(height(p.xy + ivec2(1, 0), p.z) - height(p.xy - ivec2(1, 0), p.z),
                    height(p.xy + ivec2(0, 1), p.z) - height(p.xy - ivec2(0, 1), p.z)) * steepness[p.z] * reach;
  vec3 n = normalize(vec3(-slope, 1.0));
  float around = 0.0;
  for (int k = 0; k < 8; ++k) {
    float angle = 0.785398 * float(k);
    around += height(p.xy + ivec2(round(6.0 * reach * vec2(cos(angle), sin(angle)))), p.z) / 8.0;
  }
  float occlusion = clamp(1.0 - 0.9 * (around - height(p.xy, p.z)), 0.45, 1.0);
  imageStore(result, p, vec4(n.xy * 0.5 + 0.5, roughness[p.z], occlusion));
}
