// The surface that a sample shows of a triangle drawn by compute shaders, in the format that leave.glsl would store.
#include "landscape/plants/plants.glsl"
#include "landscape/plants/plant_triangles.glsl"
#include "landscape/plants/plant_albedo.glsl"
#include "landscape/g_buffer/drawn.glsl"
layout(binding = leaf_shapes_unit) uniform sampler2DArray leaf_shapes;  // shade, outline

Drawn plant_seen(uint triangle, float depth, vec2 place) {
  uint entry = entry_of_triangle(triangle);
  Instance self = instances[instance_of(entry)];
  float sway = sways[instance_of(entry)];
  vec2 size = shapes[uint(self.more.y)].xy;
  uvec3 corner = corners_of(triangle);
  bool leaf = colour_at(corner.x).a >= 0.0;
  vec3 at[3];
  PlantLook looks[3];
  for (int k = 0; k < 3; ++k) {
    at[k] = moved(self, position_at(corner[k]), leaf, sway);
    looks[k] = look_of(self, size, position_at(corner[k]), normal_at(corner[k]), uv_at(corner[k]),
                       colour_at(corner[k]));
  }
  Projected shape = projected(on_screen(at[0]), on_screen(at[1]), on_screen(at[2]), floor(place));
  vec3 weights = weights_at(shape, place), right = weights_at(shape, place + vec2(1.0, 0.0)),
       up = weights_at(shape, place + vec2(0.0, 1.0));
  mat3x2 uvs = mat3x2(looks[0].uv.xy, looks[1].uv.xy, looks[2].uv.xy);
  float sum = dot(weights, vec3(1.0));
  vec2 uv = uvs * weights / sum, dx = uvs * right / dot(right, vec3(1.0)) - uv, dy = uvs * up / dot(up, vec3(1.0)) - uv;
  weights /= sum;
  vec3 tint = mat3(looks[0].tint, looks[1].tint, looks[2].tint) * weights;
  vec3 n = normalize(mat3(looks[0].normal, looks[1].normal, looks[2].normal) * weights);
  if (!leaf && dot(cross(at[1] - at[0], at[2] - at[0]), view.camera.xyz - at[0]) < 0.0) n = -n;
  vec3 albedo = leaf ? leaf_albedo(tint, textureGrad(leaf_shapes, vec3(uv, looks[0].uv.z), dx, dy).r)
                     : body_albedo(looks[0].uv.z, tint, uv, dx, dy);
  float crown = dot(vec3(looks[0].crown, looks[1].crown, looks[2].crown), weights);
  return Drawn(depth, vec4(sqrt(albedo), 1.0), vec4(octahedral(n), float(leaf ? of_leaf : of_bark) / 255.0, crown));
}
