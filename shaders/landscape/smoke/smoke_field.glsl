// The smoke's field as the simulation publishes it, in its cube. Include after frame.glsl.
layout(binding = smoke_field_unit) uniform sampler3D smoke_field;  // nodes, the outermost on the cube's sides
uniform vec4 cube;                                                 // its corner, its side

// The smoke's extinction (1/m) without its billows, at a place in the cube (0 … 1). A metaball is wider the higher it
// has risen, and its smoke thinner. The smoke dissolves before it reaches the cube's sides.
float smoke_extinction(vec3 at) {
  vec3 nodes = vec3(textureSize(smoke_field, 0));
  float balls = textureLod(smoke_field, (at * (nodes - 1.0) + 0.5) / nodes, 0.0).r;
  vec2 aside = abs(2.0 * at.xy - 1.0);
  float fade = (1.0 - smoothstep(0.4, 1.0, max(aside.x, aside.y))) * (1.0 - smoothstep(0.45, 1.0, at.z));
  float width = 0.3 + 0.06 * min(at.z * cube.w, 11.7);
  return min(0.012 * balls * fade / (width * width), 8.0);
}
