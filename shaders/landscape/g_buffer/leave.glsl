// Outputs a drawn surface. On a GPU it is stored for light_compute.glsl, because data-centre GPUs have many times more
// cores for compute shaders than for drawing. Software gains nothing from this, so it lights the surface here.
#include "landscape/g_buffer/drawn.glsl"
#ifdef REDUCED
#include "landscape/lighting.glsl"
#include "landscape/g_buffer/surface_light.glsl"
#include "landscape/g_buffer/fragment.glsl"
layout(location = 0) out vec4 colour;

void leave(int kind, vec3 albedo, vec3 n, float own, float coverage) {
  vec3 at = fragment_position();
  colour = vec4(through_air(surface_radiance(kind, at, n, albedo, own), at), coverage);
}
void leave_window(vec3 look, vec3 n, float occlusion) {
  vec3 at = fragment_position();
  colour = vec4(through_air(window_radiance(at, n, look, occlusion), at), 1.0);
}
#else
layout(location = 0) out vec4 drawn_albedo;  // square roots of the colour, coverage
layout(location = 1) out vec4 drawn_normal;  // octahedral normal, kind, the kind's own number

void leave(int kind, vec3 albedo, vec3 n, float own, float coverage) {
  drawn_albedo = vec4(sqrt(albedo), coverage);
  drawn_normal = vec4(octahedral(n), float(kind) / 255.0, own);
}
// `look`: grey, glow, and 1 on glass or 0 on the bars.
void leave_window(vec3 look, vec3 n, float occlusion) { leave(of_window, look, n, occlusion, 1.0); }
#endif
