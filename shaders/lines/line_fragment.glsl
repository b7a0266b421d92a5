#version 450
uniform float half_width;
in float across;
in vec4 line_colour;
out vec4 colour;

void main() {
  const float cover = clamp(half_width + 0.5 - abs(across), 0.0, 1.0) * min(1.0, 2 * half_width);
  if (cover <= 0) discard;
  colour = cover * line_colour;
}
