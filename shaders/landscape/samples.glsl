// The samples of the picture as compute draws on them. After frame.glsl.
struct Sample {
  uint triangle;  // which is seen, where compute drew it (plant_triangles.glsl), or no_triangle
  uint depth;     // its bits, which are in the order of depths
};
layout(std430, binding = 6) buffer Samples { Sample samples[]; };
uniform vec2 sample_places[SAMPLES];  // in their pixel

const uint no_triangle = 0u;

uint sample_index(ivec2 pixel, int i) {
  return (uint(pixel.y) * uint(view.picture.x) + uint(pixel.x)) * uint(SAMPLES) + uint(i);
}
float sample_depth(ivec2 pixel, int i) { return uintBitsToFloat(samples[sample_index(pixel, i)].depth); }
