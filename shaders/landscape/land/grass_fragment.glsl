#version 450
#include "landscape/g_buffer/leave.glsl"
in vec3 normal, tint;

void main() { leave(of_grass, tint, normalize(normal), 0.9, 1.0); }
