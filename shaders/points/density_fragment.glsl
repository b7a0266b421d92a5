#version 450
// The blurred counts as a picture: on a logarithmic scale by a colour map, or the points' mean colour.
layout(std430, binding = 3) readonly buffer Blurred { float blurred[]; };
layout(std430, binding = 4) readonly buffer Maximum { uint maximum; };
layout(binding = 0) uniform sampler2D colour_map;
uniform ivec2 canvas_origin, size;
uniform int pad;
uniform bool by_colour;
uniform float least;  // the blurred count where the picture has faded to the ground
out vec4 colour;

void main() {
  const ivec2 at = ivec2(gl_FragCoord.xy) - canvas_origin + pad;
  const int pixel = at.y * size.x + at.x, plane = size.x * size.y;
  const float amount = blurred[pixel], most = max(uintBitsToFloat(maximum), 2 * least);
  if (amount <= 0) discard;
  const float t = clamp(log(amount / least) / log(most / least), 0, 1);
  const float cover = clamp(amount / least, 0, 1);  // the rim of a lone point fades out
  if (by_colour) {
    const vec3 mean = vec3(blurred[plane + pixel], blurred[2 * plane + pixel], blurred[3 * plane + pixel]) / (255 * amount);
    colour = vec4(mean, 1) * cover * (0.3 + 0.7 * t);
  } else {
    colour = vec4(texture(colour_map, vec2((255 * t + 0.5) / 256, 0.5)).rgb, 1) * cover;
  }
}
