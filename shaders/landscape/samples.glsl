// Of each sample of the picture two numbers: its depth's bits, and the triangle that is seen where compute drew it
// (plant_triangles.glsl). After frame.glsl.
layout(std430, binding = 6) buffer Samples { uint samples[]; };
uniform vec2 sample_places[SAMPLES];  // in their pixel

const uint no_triangle = 0xffffffffu;

uint sample_index(ivec2 pixel, int i) {
  return 2u * ((uint(pixel.y) * uint(view.picture.x) + uint(pixel.x)) * uint(SAMPLES) + uint(i));
}
float sample_depth(ivec2 pixel, int i) { return uintBitsToFloat(samples[sample_index(pixel, i)]); }
