#version 450
// Draws only the terrain's depth, because light_compute.glsl finds its look from the position. Software lights the
// terrain here.
#ifdef REDUCED
in vec3 air_through, air_glow;
in float cloud_light, wide;
#include "landscape/lighting.glsl"
#include "landscape/land/terrain.glsl"
#include "landscape/land/materials.glsl"
#include "landscape/land/terrain_light.glsl"
#include "landscape/g_buffer/fragment.glsl"
layout(location = 0) out vec4 colour;

void main() { colour = vec4(terrain_radiance(fragment_position(), gl_FragCoord.xy), 1.0); }
#else
void main() {}
#endif
