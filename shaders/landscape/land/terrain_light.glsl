// The lit terrain: eight materials, blended by height above the sea, slope and noise; each covers those before it.
#include "landscape/lighting.glsl"
#include "landscape/land/terrain.glsl"
#include "landscape/land/materials.glsl"
layout(binding = material_colour_unit) uniform sampler2DArray material_colour;  // square root of the albedo, height
layout(binding = material_normal_unit) uniform sampler2DArray material_normal;  // normal x, y, roughness, occlusion

struct Look {
  vec4 colour;  // albedo, height
  vec4 normal;  // slopes x, y, roughness, occlusion
};

// A material at `p`, averaged over the pixel's footprint (dx, dy); all three are in the texture's plane.
Look look_from_side(int layer, vec2 p, vec2 dx, vec2 dy, float scale) {
  dx *= scale;
  dy *= scale;
  Look look = Look(texture_over(material_colour, vec3(p * scale, layer), dx, dy),
                   texture_over(material_normal, vec3(p * scale, layer), dx, dy));
#ifndef REDUCED
  // A second lookup at another size hides the repetition.
  const mat2 turn = 0.137 * mat2(0.8, -0.6, 0.6, 0.8);
  vec3 large = texture_over(material_colour, vec3(turn * p * scale, layer), turn * dx, turn * dy).rgb;
  vec3 mean = textureLod(material_colour, vec3(0.5, 0.5, layer), 20.0).rgb;
  look.colour.rgb *= mix(vec3(1.0), large / max(mean, 0.02), 0.55);
#endif
  look.colour.rgb *= look.colour.rgb;
  return look;
}

// Covers `blend` with `next` by `weight`; where the cover is thin, the higher of the two materials shows.
void cover(inout Look blend, Look next, float weight, vec3 tint) {
  float edge = weight * 2.0 - 1.0 + 0.6 * (next.colour.a - blend.colour.a);
  float amount = clamp(max(smoothstep(-0.35, 0.35, edge) * smoothstep(0.0, 0.05, weight), weight * 50.0 - 49.0), 0.0, 1.0);
  next.colour.rgb *= tint;
  blend.colour = mix(blend.colour, next.colour, amount);
  blend.normal = mix(blend.normal, next.normal, amount);
}

#ifdef REDUCED
// m between two heights up to which air and clouds are found at a triangle's corners: those of a wider one are too far
// from the ground at the eye's feet.
const float most_spacing_of_corners = 10.0;

// Uses only the two materials that show most.
Look materials(vec3 p, vec3 n, Cover c) {
  const int order[8] = int[8](grass, dry, forest, scree, rock, snow, sand, wet);
  float left = 1.0, first = -1.0, second = -1.0;
  int a = grass, b = grass;
  for (int k = 7; k >= 0; --k) {
    float shows = left * c.weight[order[k]];
    left -= shows;
    bool most = shows > first, more = shows > second;
    b = most ? a : more ? order[k] : b;
    second = most ? first : more ? shows : second;
    a = most ? order[k] : a;
    first = most ? shows : first;
  }
  vec2 side = n.z > 0.8 ? p.xy : abs(n.x) > abs(n.y) ? p.yz : p.xz;
  Look one = look_from_side(a, a == rock ? side : p.xy, vec2(0), vec2(0), 0.22),
       two = look_from_side(b, b == rock ? side : p.xy, vec2(0), vec2(0), 0.19);
  float share = second / max(first + second, 1e-4);
  one.colour.rgb *= a == grass ? c.meadow : vec3(1.0);
  two.colour.rgb *= b == grass ? c.meadow : vec3(1.0);
  return Look(mix(one.colour, two.colour, share), mix(one.normal, two.normal, share));
}
#else
void add(inout Look sum, Look look, float weight) {
  sum.colour += weight * look.colour;
  sum.normal += weight * look.normal;
}

// On slopes a map seen from above would be stretched, so rock is mapped from three sides.
Look look_around(int layer, vec3 p, vec3 n, float scale) {
  vec3 weight = pow(abs(n), vec3(5.0));
  weight *= step(0.02 * (weight.x + weight.y + weight.z), weight);  // a side that hardly shows is not looked up
  weight /= weight.x + weight.y + weight.z;
  Look sum = Look(vec4(0.0), vec4(0.0));
  if (weight.x > 0.0) add(sum, look_from_side(layer, p.yz, along_x.yz, along_y.yz, scale), weight.x);
  if (weight.y > 0.0) add(sum, look_from_side(layer, p.xz, along_x.xz, along_y.xz, scale), weight.y);
  if (weight.z > 0.0) add(sum, look_from_side(layer, p.xy, along_x.xy, along_y.xy, scale), weight.z);
  return sum;
}

Look look_from_above(int layer, vec3 p, float scale) {
  return look_from_side(layer, p.xy, along_x.xy, along_y.xy, scale);
}

// Rock is rough at two sizes: stones, and crags that show from afar.
Look crags(vec3 p, vec3 n) {
  Look stones = look_around(rock, p, n, 1.0 / 9.0), large = look_around(rock, p * vec3(1.0, 1.0, 0.5), n, 1.0 / 95.0);
  vec3 mean = textureLod(material_colour, vec3(0.5, 0.5, rock), 20.0).rgb;
  stones.colour.rgb *= mix(vec3(1.0), large.colour.rgb / (mean * mean), 0.7);
  stones.normal.xy += 2.6 * (large.normal.xy - 0.5);
  stones.normal.w *= large.normal.w;
  return stones;
}

// Layers of rock, one on another and slightly bent, which show from afar.
float strata(vec3 p, Cover c) {
  float away = length(p - view.camera.xyz);
  vec2 q = vec2((p.z + 14.0 * c.local.r) / 105.0, (p.x + 0.6 * p.y) / 900.0);
  return textureLod(noise_map, q, max(0.0, log2(away / 260.0))).r;
}

// Materials that do not show are not looked up: cover() adds nothing of a material with a weight up to 1/40, and a
// material with a weight of 1 hides all materials below it.
Look materials(vec3 p, vec3 n, Cover c) {
  const float least = 0.025;
  float rocky = c.weight[rock];
  bool under_wet = c.weight[wet] < 1.0, under_sand = under_wet && c.weight[sand] < 1.0;
  bool under_snow = under_sand && c.weight[snow] < 1.0, under_rock = under_snow && rocky < 1.0;
  Look blend = Look(vec4(0.0), vec4(0.0));
  if (under_rock) {
    blend = look_from_above(grass, p, 1.0 / 2.3);
    blend.colour.rgb *= c.meadow;
    if (c.weight[dry] > least) cover(blend, look_from_above(dry, p, 1.0 / 4.1), c.weight[dry], vec3(0.75 + 0.5 * c.local.r));
    if (c.weight[forest] > least) cover(blend, look_from_above(forest, p, 1.0 / 5.2), c.weight[forest], vec3(1.0));
    if (c.weight[scree] > least) cover(blend, look_from_above(scree, p, 1.0 / 5.7), c.weight[scree], vec3(1.0));
  }
  if (under_snow && rocky > least) {
    float layer = strata(p, c);
    vec3 tint = mix(vec3(0.82, 0.86, 0.93), vec3(1.2, 1.1, 0.98), layer) * (0.62 + 0.32 * c.local.g + 0.5 * layer);
    cover(blend, crags(p, n), rocky, tint);
  }
  if (under_sand && c.weight[snow] > least) cover(blend, look_from_above(snow, p, 1.0 / 6.3), c.weight[snow], vec3(1.0));
  if (under_wet && c.weight[sand] > least) cover(blend, look_from_above(sand, p, 1.0 / 3.1), c.weight[sand], vec3(1.0));
  if (c.weight[wet] > least) cover(blend, look_from_above(wet, p, 1.0 / 4.3), c.weight[wet], vec3(1.0));
  return blend;
}
#endif

vec3 terrain_radiance(vec3 position, vec2 pixel) {
  float distance = length(position - view.camera.xyz);
#ifndef REDUCED
  float lod = log2(distance * view.picture.w / frame.terrain.y);
  meets_surface(position, normalize(vec3(-terrain_slope_level(position.xy, lod), 1.0)), pixel);
#endif
  vec2 slope = terrain_slope(position.xy);
  vec3 n = normalize(vec3(-slope, 1.0));
  Cover cover = covers(position, n);
  Look look = materials(position, n, cover);
  // Wet sand is darker and shines.
  vec3 albedo = look.colour.rgb * (1.0 - 0.45 * cover.damp);
  float roughness = look.normal.z * (1.0 - 0.6 * cover.damp);
  vec3 bumpy = normalize(n + vec3(2.0 * look.normal.xy - 1.0, 0.0) * mix(0.75, 0.35, smoothstep(30.0, 600.0, distance)));
  // Valleys see less of the sky than ridges.
#ifndef REDUCED
  float wide = wide_height(position.xy);
#endif
  float occlusion = clamp(1.0 + 0.035 * (position.z - wide), 0.55, 1.0) * mix(look.normal.w, 1.0, 0.3);
  Surface surface = Surface(position, bumpy, albedo, roughness, occlusion, 0.0);
#ifdef REDUCED
  bool coarse = frame.terrain.y > most_spacing_of_corners;
  float clouds = cloud_light;
  if (coarse) clouds = cloud_visibility(position);
  float visibility = min(hill_visibility(position), plant_visibility(position, n)) * clouds;
#else
  float visibility = key_visibility(position, n);
#endif
  if (position.z < sea_level()) visibility *= caustics(position);
  vec3 radiance = lit_surface(surface, visibility);
  if (frame.options.w == 4.0) radiance *= cascade_tint(position);
#if defined(REDUCED) && !defined(UNDER_WATER)
  if (!coarse) return radiance * air_through + air_glow;
#endif
  return through_air(radiance, position);
}
