// The kinds of surfaces, and the format in which drawn surfaces are stored.
const int of_terrain = 0, of_leaf = 1, of_bark = 2, of_grass = 3, of_wall = 4, of_window = 5, of_wing = 6;

// What a sample shows. `albedo` holds the square roots of the colour. `normal` holds the octahedral normal (x, y), kind
// / 255 (z), and a number whose meaning depends on the kind (w; see surface_light.glsl).
struct Drawn {
  float depth;
  vec4 albedo, normal;
};

// Maps unit vectors to the unit square (Meyer et al. 2010); of_octahedral() maps them back.
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
