// The smoke's field as the simulation publishes it, in its cube. Include after frame.glsl.
layout(binding = smoke_field_unit) uniform sampler3D smoke_field;  // nodes, the outermost on the cube's sides
uniform vec4 cube;                                                 // its corner, its side

// The smoke's extinction (1/m) without its billows, at a place in the cube (0 … 1). Smoke spreads on its way from the
// chimney: the farther it has come, the thinner it is. It dissolves before it reaches the cube's sides.
float smoke_extinction(vec3 at) {
  vec3 nodes = vec3(textureSize(smoke_field, 0));
  float balls = textureLod(smoke_field, (at * (nodes - 1.0) + 0.5) / nodes, 0.0).r;
  vec2 aside = 2.0 * at.xy - 1.0;
  float across = length(aside), fade = (1.0 - smoothstep(0.15, 0.95, across)) * (1.0 - smoothstep(0.35, 0.98, at.z));
  float way = length(vec3(0.5 * aside, at.z)) * cube.w;  // from the chimney, m
  float width = 0.3 + 0.085 * min(way, 16.0);
  return min(0.012 * balls * fade / (width * width), 8.0);
}
