#version 450
// Copies OpenGL's depths into the samples on which compute shaders draw. It runs once when only the terrain is drawn,
// and again when everything is: a sample whose depth has changed in between does not show terrain.
#include "landscape/frame.glsl"
#include "landscape/g_buffer/samples.glsl"
#if SAMPLES > 1
layout(binding = drawn_depth_unit) uniform sampler2DMS drawn_depth;
#else
layout(binding = drawn_depth_unit) uniform sampler2D drawn_depth;
#endif
uniform bool terrain_only;
layout(local_size_x = 8, local_size_y = 8) in;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, ivec2(view.picture.xy)))) return;
  for (int i = 0; i < SAMPLES; ++i) {
    uint place = sample_index(pixel, i), depth = floatBitsToUint(texelFetch(drawn_depth, pixel, i).r);
    samples[place] = Sample(terrain_only || samples[place].depth == depth ? terrain : surface, depth);
  }
}
