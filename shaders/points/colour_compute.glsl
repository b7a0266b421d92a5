#version 450
// The colour of every point, renewed when the data, the palette or the selection change. The other shaders then read
// one number per point, whatever colours it.
layout(local_size_x = 128) in;
#include "common/index.glsl"
layout(std430, binding = 2) writeonly buffer Colours { uint colours[]; };
layout(std430, binding = 3) readonly buffer Values { uint values[]; };       // class, bits of a number, or r g b
// One colour for each class, with 0 in the highest byte if the class is hidden; or a colour map's 256 colours.
layout(std430, binding = 4) readonly buffer Palette { uint palette[]; };
layout(std430, binding = 5) readonly buffer Selection { uint selection[]; };  // one bit per point

uniform uint count, value_count, palette_size;
uniform int colour_by;  // 0 uniform, 1 classes, 2 numbers, 3 own
uniform uint uniform_colour, missing;
uniform float low, high;
uniform bool has_selection;
uniform vec3 background;

void main() {
  const uint i = thread_index();
  if (i >= count) return;
  uint colour = uniform_colour;
  if (i < value_count) {
    const uint value = values[i];
    if (colour_by == 1) {
      if (value != 0xffffffffu) colour = palette[value % palette_size];
    } else if (colour_by == 2) {
      const float number = uintBitsToFloat(value);
      const bool is_missing = (value & 0x7fffffffu) > 0x7f800000u;
      const float t = high > low ? clamp((number - low) / (high - low), 0.0, 1.0) : 0.5;
      colour = is_missing ? missing : palette[uint(255 * t + 0.5)];
    } else if (colour_by == 3) {
      colour = value | 0xff000000u;
    }
  }
  if (has_selection && (selection[i >> 5] >> (i & 31u) & 1u) == 0u) {
    vec4 shown = unpackUnorm4x8(colour);
    shown.rgb = mix(shown.rgb, background, 0.75);
    colour = packUnorm4x8(shown);
  }
  colours[i] = colour;
}
