// One point of a cloud, as all shaders of this folder see it. Pixels are counted from the canvas's lower left corner, y
// up; the centre of its first pixel is (0.5, 0.5).
#include "points/coordinates.glsl"
#include "points/reach.glsl"
#include "points/coverage.glsl"
layout(std430, binding = 1) readonly buffer Emphases { uint emphases[]; };
layout(std430, binding = 2) readonly buffer Colours { uint colours[]; };  // r, g, b; highest byte 0: hidden

uniform uint count;
uniform int dimensions;
uniform bool has_emphasis;
uniform mat4 clip_from_world;
uniform vec2 picture_size;  // the whole picture's, of which the canvas may be a tile
uniform vec2 tile_origin;
uniform vec2 canvas_size;
uniform ivec2 canvas_origin;  // in the framebuffer, from which gl_FragCoord counts
uniform float radius;       // pixels
uniform float opacity;
uniform vec3 ink;           // the colour that stands out most from the background

const uint highlighted = 2u;

struct Point {
  vec2 pixel;
  float depth;  // 0 near … 1 far
  float radius;
  float reach;  // nothing of it is visible farther away
  vec3 colour;
  bool is_highlighted;
};

// Loads point i. Returns false if nothing of it is visible in the canvas.
bool load_point(uint i, out Point point) {
  const uint emphasis = has_emphasis ? emphases[i] : 1u;
  const uint colour = colours[i];
  if (emphasis == 0u || colour >> 24 == 0u) return false;
  const uvec3 bits = load_coordinates(i);
  if (!is_finite(bits.x) || !is_finite(bits.y) || !is_finite(bits.z)) return false;
  const vec4 clip = clip_from_world * vec4(uintBitsToFloat(bits), 1);
  const vec3 ndc = clip.xyz / clip.w;
  point.pixel = (0.5 * ndc.xy + 0.5) * picture_size - tile_origin;
  point.depth = clamp(0.5 * ndc.z + 0.5, 0.0, 1.0);
  point.is_highlighted = emphasis == highlighted;
  point.colour = unpackUnorm4x8(colour).rgb;
  point.radius = radius;
  point.reach = radius + 0.5;
  if (point.is_highlighted) {
    point.radius = highlighted_radius(radius);
    point.reach = highlighted_reach(radius);
    point.colour = mix(point.colour, ink, 0.4);
  }
#ifdef BEYOND  // the number of pixels around the canvas in which points count too
  const float outside = point.reach + BEYOND;
#else
  const float outside = point.reach;
#endif
  return all(greaterThan(point.pixel, vec2(-outside))) && all(lessThan(point.pixel, canvas_size + outside));
}

float coverage(Point point, float away) { return coverage_of(point.radius, point.reach, away); }

// The order of points, larger is above: in the plane by index, highlighted ones on top; in space by depth. Never 0.
uint rank(Point point, uint i) {
  if (dimensions == 3) return 0x3f800000u - floatBitsToUint(point.depth) + 1u;
  return (point.is_highlighted ? 0x80000000u : 0u) | (i + 1u);
}
