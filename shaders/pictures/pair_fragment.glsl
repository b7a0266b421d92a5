#version 450
// One of two pictures of the same size: which one depends on the side of the divider. Both have the left one's opacity;
// a chequered ground shows through.
layout(std430, binding = 0) readonly buffer Left { uint left_pixels[]; };
layout(std430, binding = 1) readonly buffer Right { uint right_pixels[]; };
layout(std430, binding = 2) readonly buffer Rows { uint row_of_pixel[]; };  // where it is in right_pixels
uniform ivec2 size;           // of each picture, in pixels
uniform vec2 canvas_origin;   // the canvas's lower left corner in the framebuffer
uniform vec2 tile_origin;     // the canvas's lower left corner in the whole picture
uniform float canvas_height;  // the whole picture's height, of which the canvas may be a tile
uniform vec2 corner;          // the point of the pictures at the upper left corner of the whole picture
uniform float scale;          // picture pixels per canvas pixel
uniform float divider;        // canvas pixels from the left
uniform bool has_right;
uniform bool has_rows;
uniform vec3 ground[2];  // the colours of the chequers, sRGB
out vec4 colour;

vec3 unpack(uint rgba) { return vec3(rgba & 255u, rgba >> 8 & 255u, rgba >> 16 & 255u) / 255.0; }

vec3 decoded(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045))); }
vec3 encoded(vec3 c) { return mix(c * 12.92, 1.055 * pow(c, vec3(1 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308))); }

const float chequer = 8;  // side of a square, in canvas pixels

void main() {
  const vec2 from_below = gl_FragCoord.xy - canvas_origin + tile_origin;
  const vec2 at = vec2(from_below.x, canvas_height - from_below.y);
  const bool right = has_right && at.x > divider;
  // If the pictures are shown reduced, a fragment has the mean colour of the area it covers, from up to 8 × 8 samples.
  const int samples = clamp(int(ceil(scale)), 1, 8);
  vec3 sum = vec3(0);
  float covered = 0, inside = 0;
  for (int j = 0; j < samples; ++j)
    for (int i = 0; i < samples; ++i) {
      const vec2 place = corner + scale * (at - 0.5 + (vec2(i, j) + 0.5) / samples);
      const ivec2 pixel = ivec2(floor(place));
      if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, size))) continue;
      const int index = pixel.y * size.x + pixel.x;
      inside += 1;
      const float opacity = float(left_pixels[index] >> 24) / 255.0;
      if (opacity == 0) continue;
      const vec3 here = unpack(right ? right_pixels[has_rows ? row_of_pixel[index] : index] : left_pixels[index]);
      sum += opacity * (samples > 1 ? decoded(here) : here);
      covered += opacity;
    }
  if (inside == 0) discard;
  const ivec2 square = ivec2(floor((at + corner / scale) / chequer));
  const vec3 under = ground[(square.x + square.y) & 1];
  const vec3 mean = covered > 0 ? sum / covered : vec3(0);
  colour = vec4(mix(under, samples > 1 ? encoded(mean) : mean, covered / inside), 1);
}
