#version 450
uniform ivec2 canvas_origin;
uniform vec3 background;
uniform float ring_scale;
flat in vec2 centre;
flat in float ring_radius;
flat in vec3 ring_colour;
out vec4 colour;

float band(float away, float width) { return clamp(0.5 * width + 0.5 - abs(away - ring_radius), 0.0, 1.0); }

void main() {
  const float away = distance(gl_FragCoord.xy - vec2(canvas_origin), centre);
  const float line = band(away, 2 * ring_scale), edge = band(away, 5 * ring_scale);
  if (edge <= 0) discard;
  // An edge of the background's colour keeps the ring legible over points.
  colour = vec4(mix(background, ring_colour, line), 1) * edge;
}
