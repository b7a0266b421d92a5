#version 450
// Writes the depth of each pixel's first sample to OpenGL's depth buffer.
#include "landscape/frame.glsl"
#include "landscape/g_buffer/samples.glsl"

void main() { gl_FragDepth = sample_depth(ivec2(gl_FragCoord.xy), 0); }
