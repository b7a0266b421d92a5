// What the shaders of plants share: instances, lists, the wind, and the look of a vertex.
struct Instance {
  vec4 place;  // x, y, z, yaw
  vec4 more;   // scale, shape, tint, phase
};
layout(std430, binding = instances_binding) readonly buffer Instances { Instance instances[]; };
layout(std430, binding = sways_binding) buffer Sways { float sways[]; };  // for each instance, written by culling
// For each shape: radius, height, -, first instance.
layout(std430, binding = shapes_binding) readonly buffer Shapes { vec4 shapes[]; };

// An entry of a list: the instance (24 bits), how much of it this level of detail shows (7 bits), and whether this is
// the coarser of two levels that share it. If two levels share it, each pixel shows one of them.
uint entry_of(uint instance, float part, bool coarser) {
  return instance | uint(part * 127.0 + 0.5) << 24 | (coarser ? 0x80000000u : 0u);
}
uint instance_of(uint entry) { return entry & 0xffffffu; }
// The argument of hidden() in plants_fade.glsl.
float shown_of(uint entry) { return float(entry >> 24 & 127u) / 127.0 + float(entry >> 31) * 2.0; }

// Each plant leans a little its own way, and is a little wider or narrower (sim/landscape/plants/variants.hpp).
// `offset` is measured from its root, at its scale.
vec3 stood(vec3 offset, float phase) {
  vec2 parts = fract(phase * vec2(7.31, 3.17));
  return vec3(offset.xy * (0.9 + 0.2 * parts.y) + 0.05 * parts.x * vec2(cos(phase), sin(phase)) * offset.z, offset.z);
}

// How far the wind bends a plant now; gusts cross the land.
float sway_of(vec3 root, float phase) {
  float t = seconds();
  float gust = 0.6 + 0.4 * sin(dot(root.xy, frame.wind.xy) * 0.045 - t * 1.1);
  float swing = sin(t * 1.7 + phase * 6.28) * 0.45 + sin(t * 2.9 + phase * 17.0) * 0.2;
  return 0.3 * (0.4 + 0.6 * gust) * frame.wind.z * (0.7 + swing);
}
vec3 bent(vec3 offset, float sway) {
  return offset + vec3(frame.wind.xy, 0.0) * sway * (0.0016 * offset.z * offset.z + 0.004 * offset.z);
}
vec3 fluttered(vec3 offset, float phase) {
  return offset + frame.wind.z * 0.006 * sin(vec3(7.1, 8.3, 6.7) * seconds() + offset.yzx * 9.0 + phase * 20.0);
}
// Where the wind has moved a point of a plant's mesh.
vec3 moved(Instance self, vec3 at, bool leaf, float sway) {
  vec3 offset = bent(stood(turned(at, self.place.w) * self.more.x, self.more.w), sway);
  return self.place.xyz + (leaf ? fluttered(offset, self.more.w) : offset);
}

// How a vertex of a plant's mesh looks; `size` is the radius and height of its shape.
struct PlantLook {
  vec3 normal, tint, uv;  // uv.z: the kind as in MeshVertex; the uv.y of bark is the distance from the root
  float crown;            // how much light reaches this deep into it
};
vec3 tinted(vec3 colour, float tint) { return colour * mix(vec3(0.78, 0.85, 0.8), vec3(1.22, 1.12, 0.95), tint); }
float crown_of(vec3 at, vec2 size) {
  return clamp(0.45 + 0.75 * length(vec3(at.xy, at.z - 0.55 * size.y)) / max(size.x, 0.5 * size.y), 0.4, 1.0);
}
// Shades a crown as a whole rather than leaf by leaf; `offset` is measured from the root of a plant of this height.
vec3 crown_normal(vec3 normal, vec3 offset, float height) {
  vec3 round = normalize(offset - vec3(0.0, 0.0, 0.45 * height) + vec3(0.0, 0.0, 1e-3));
  return normalize(mix(normal, round, 0.65));
}
bool is_bark(float kind) { return kind < 0.0 && kind > -2.5; }
PlantLook look_of(Instance self, vec2 size, vec3 at, vec3 normal, vec2 uv, vec4 colour) {
  bool leaf = colour.a >= 0.0;
  vec3 n = turned(normal, self.place.w);
  if (leaf) n = crown_normal(n, turned(at, self.place.w) * self.more.x, size.y * self.more.x);
  return PlantLook(n, tinted(colour.rgb, self.more.z), vec3(uv.x, is_bark(colour.a) ? length(at) : uv.y, colour.a),
                   crown_of(at, size));
}
