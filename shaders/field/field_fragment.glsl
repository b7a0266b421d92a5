#version 450
// A grid of numbers as colours or as lines of equal value, or a grid of classes in their colours.
layout(std430, binding = 0) readonly buffer Values { uint bits[]; };  // [rows × columns]
// The colour map's 256 colours; or one colour for each class, with 0 in the highest byte if the class is hidden.
layout(std430, binding = 1) readonly buffer Palette { uint palette[]; };
uniform ivec2 size;  // columns, rows
uniform uint palette_size;
uniform bool is_classes, is_smooth, fill, fade_in;
uniform float low, high, gamma, opacity;
uniform float lines;  // number of contour lines, at equal steps of the colour map; 0: none
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

// The value at a place, interpolated between the values at the centres of four cells. `slope` is its change per cell.
float value_here(vec2 cell, out vec2 slope) {
  const vec2 between = cell - 0.5, part = fract(between);
  const ivec2 base = ivec2(floor(between));
  const float a = value_at(base), b = value_at(base + ivec2(1, 0)), c = value_at(base + ivec2(0, 1)),
              d = value_at(base + ivec2(1, 1));
  slope = vec2(mix(b - a, d - c, part.y), mix(c - a, d - b, part.x));
  return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}

void main() {
  if (is_classes) {
    const uint kind = at(ivec2(floor(place * vec2(size))));
    if (kind == 0xffffffffu || palette[kind % palette_size] >> 24 == 0u) discard;
    colour = vec4(unpackUnorm4x8(palette[kind % palette_size]).rgb, 1) * opacity;
    return;
  }
  const vec2 cell = place * vec2(size);
  vec2 slope;
  const float smooth_value = value_here(cell, slope);
  const float value = is_smooth ? smooth_value : value_at(ivec2(floor(cell)));
  const float part = high > low ? clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
  const float t = pow(part, gamma);
  const bool is_missing = isnan(value);
  colour = vec4(0);
  if (fill) {
    const float cover = opacity * (fade_in && !is_missing ? smoothstep(0.0, 0.08, t) : 1);
    colour = vec4(unpackUnorm4x8(is_missing ? missing : palette[uint(255 * t + 0.5)]).rgb, 1) * cover;
  }
  if (lines > 0 && !is_missing && part > 0 && part < 1) {
    const float level = t * (lines + 1), nearest = clamp(round(level), 1.0, lines);
    const float level_slope = (lines + 1) * gamma * t / (part * (high - low));  // d level / d value
    const float slope_here = level_slope * length(vec2(dot(slope, dFdx(cell)), dot(slope, dFdy(cell))));
    const float cover = opacity * clamp(half_width + 0.5 - abs(level - nearest) / max(slope_here, 1e-30), 0.0, 1.0);
    colour = colour * (1 - cover) + vec4(line_colour, 1) * cover;
  }
  if (colour.a <= 0) discard;
}
