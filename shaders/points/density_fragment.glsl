#version 450
// The blurred counts as a picture: on a logarithmic scale by a colour map, or the points' mean colour.
layout(std430, binding = 3) readonly buffer Blurred { float blurred[]; };
layout(std430, binding = 4) readonly buffer Maximum { uint maximum; };
layout(binding = 0) uniform sampler2D colour_map;
uniform ivec2 canvas_origin, tile_origin, size;
uniform int pad, cell, planes;
uniform float least;  // the blurred count at which the picture fades to the background
out vec4 colour;

// Interpolates between the four cells around this pixel.
vec4 amounts() {
  const ivec2 pixel = ivec2(gl_FragCoord.xy) - canvas_origin;
  const vec2 place = (vec2(pixel + tile_origin) + 0.5) / float(cell) - vec2(tile_origin / cell) + float(pad) - 0.5;
  const ivec2 low = ivec2(floor(place));
  const vec2 part = place - vec2(low);
  vec4 amount = vec4(0);
  for (int plane = 0; plane < planes; ++plane) {
    const int at = plane * size.x * size.y + low.y * size.x + low.x;
    if (cell == 1)
      amount[plane] = blurred[at];
    else
      amount[plane] = mix(mix(blurred[at], blurred[at + 1], part.x),
                          mix(blurred[at + size.x], blurred[at + size.x + 1], part.x), part.y);
  }
  return amount;
}

void main() {
  const vec4 amount = amounts();
  if (amount.x <= 0) discard;
  const float most = max(uintBitsToFloat(maximum), 2 * least);
  const float t = clamp(log(amount.x / least) / log(most / least), 0.0, 1.0);
  const float cover = clamp(amount.x / least, 0.0, 1.0);  // the rim of a lone point fades out
  if (planes > 1)
    colour = vec4(amount.yzw / (255 * amount.x), 1) * cover * (0.3 + 0.7 * t);
  else
    colour = vec4(texture(colour_map, vec2((255 * t + 0.5) / 256, 0.5)).rgb, 1) * cover;
}
