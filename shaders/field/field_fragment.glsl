#version 450
// A grid of numbers as colours, or as lines of equal value; or a grid of classes in their colours.
layout(std430, binding = 0) readonly buffer Values { uint bits[]; };  // [rows × columns]
layout(std430, binding = 1) readonly buffer Palette { uint palette[]; };  // 256 of the map; or of the classes, highest byte 0: hidden
uniform ivec2 size;  // columns, rows
uniform uint palette_size;
uniform bool is_classes, is_smooth, fill, fade_in;
uniform float low, high, gamma, opacity;
uniform float lines;  // of equal value, at equal steps between low and high; 0: none
uniform float half_width;
uniform vec3 line_colour;
uniform uint missing;
in vec2 place;
out vec4 colour;

uint at(ivec2 cell) {
  const ivec2 inside = clamp(cell, ivec2(0), size - 1);
  return bits[inside.y * size.x + inside.x];
}
float value_at(ivec2 cell) { return uintBitsToFloat(at(cell)); }

// Values lie at the middles of cells.
float value_here() {
  const vec2 cell = place * vec2(size);
  if (!is_smooth) return value_at(ivec2(floor(cell)));
  const vec2 between = cell - 0.5, part = fract(between);
  const ivec2 base = ivec2(floor(between));
  return mix(mix(value_at(base), value_at(base + ivec2(1, 0)), part.x),
             mix(value_at(base + ivec2(0, 1)), value_at(base + ivec2(1, 1)), part.x), part.y);
}

void main() {
  if (is_classes) {
    const uint kind = at(ivec2(floor(place * vec2(size))));
    if (kind == 0xffffffffu || palette[kind % palette_size] >> 24 == 0u) discard;
    colour = vec4(unpackUnorm4x8(palette[kind % palette_size]).rgb, 1) * opacity;
    return;
  }
  const float value = value_here(), part = high > low ? (value - low) / (high - low) : 0.5;
  const float t = pow(clamp(part, 0, 1), gamma), level = t * (lines + 1);
  const float slope = length(vec2(dFdx(level), dFdy(level)));
  const bool is_missing = isnan(value);
  colour = vec4(0);
  if (fill) {
    const float cover = opacity * (fade_in && !is_missing ? smoothstep(0, 0.08, t) : 1);
    colour = vec4(unpackUnorm4x8(is_missing ? missing : palette[uint(255 * t + 0.5)]).rgb, 1) * cover;
  }
  if (lines > 0 && !is_missing && slope > 0) {
    const float nearest = clamp(round(level), 1, lines);
    const float cover = opacity * clamp(half_width + 0.5 - abs(level - nearest) / slope, 0, 1);
    colour = colour * (1 - cover) + vec4(line_colour, 1) * cover;
  }
  if (colour.a <= 0) discard;
}
