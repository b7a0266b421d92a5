// Kinds of surfaces, and how their normals are kept.
const int of_terrain = 0, of_leaf = 1, of_bark = 2, of_grass = 3, of_wall = 4, of_window = 5, of_wing = 6;

// A sample: square roots of its colour; octahedral normal, kind / 255, and a number that depends on the kind
// (surface_light.glsl).
struct Drawn {
  float depth;
  vec4 albedo, normal;
};

// Maps unit vectors to the square (Meyer et al. 2010).
vec2 octahedral(vec3 n) {
  n /= abs(n.x) + abs(n.y) + abs(n.z);
  vec2 folded = (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
  return 0.5 + 0.5 * (n.z >= 0.0 ? n.xy : folded);
}
vec3 of_octahedral(vec2 e) {
  e = 2.0 * e - 1.0;
  vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
  float under = max(-n.z, 0.0);
  n.xy += vec2(n.x >= 0.0 ? -under : under, n.y >= 0.0 ? -under : under);
  return normalize(n);
}
