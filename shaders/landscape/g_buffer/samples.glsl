// The picture's samples, on which compute shaders draw. Include after frame.glsl.
struct Sample {
  uint seen;   // 0: terrain or sky, 1: another surface that OpenGL drew, else a triangle (plant_triangles.glsl)
  uint depth;  // bits of the depth, which sort like the depth
};
layout(std430, binding = samples_binding) buffer Samples { Sample samples[]; };
uniform vec2 sample_places[SAMPLES];  // within their pixel

const uint terrain = 0u, surface = 1u, first_triangle = 2u;

uint sample_index(ivec2 pixel, int i) {
  return (uint(pixel.y) * uint(view.picture.x) + uint(pixel.x)) * uint(SAMPLES) + uint(i);
}
float sample_depth(ivec2 pixel, int i) { return uintBitsToFloat(samples[sample_index(pixel, i)].depth); }
