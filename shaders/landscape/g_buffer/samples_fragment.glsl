#version 450
// The first samples' depths, for OpenGL to draw on.
#include "landscape/frame.glsl"
#include "landscape/g_buffer/samples.glsl"

void main() { gl_FragDepth = sample_depth(ivec2(gl_FragCoord.xy), 0); }
