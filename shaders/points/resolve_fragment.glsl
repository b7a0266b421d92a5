#version 450
// Turns what the passes have gathered into a premultiplied picture, to be blended over the canvas.
#include "points/point.glsl"
out vec4 colour;

#ifdef FROM_TEXTURE
layout(binding = 0) uniform sampler2D gathered;
#else
layout(std430, binding = 3) readonly buffer Nearest { uint nearest[]; };
layout(std430, binding = 4) readonly buffer Winners { uint winners[]; };
layout(std430, binding = 5) readonly buffer Sums { uint sums[]; };
#endif
uniform bool has_discs;  // opaque points: discs lie below the summed rims and halos
uniform bool has_sums;
uniform float fixed_point;

void main() {
  const ivec2 at = ivec2(gl_FragCoord.xy) - canvas_origin;
  colour = vec4(0);
  vec4 sum = vec4(0);
#ifdef FROM_TEXTURE
  sum = texelFetch(gathered, at, 0);
#else
  const int pixel = at.y * int(canvas_size.x) + at.x;
  if (has_discs && nearest[pixel] != 0u) {
    const uint index = (dimensions == 3 ? winners[pixel] : nearest[pixel] & 0x7fffffffu) - 1u;
    Point point;
    load_point(index, point);
    colour = vec4(point.colour, 1);
  }
  if (has_sums) sum = vec4(sums[4 * pixel], sums[4 * pixel + 1], sums[4 * pixel + 2], sums[4 * pixel + 3]);
#endif
  if (sum.a > 0) {
    const float cover = 1 - exp(-sum.a / fixed_point);
    colour = vec4(cover * sum.rgb / sum.a, cover) + (1 - cover) * colour;
  }
}
