#version 450
// The wings of a Monarch, a blue Morpho or a white Morpho, drawn by formulas.
#include "landscape/frame.glsl"
#include "landscape/g_buffer/leave.glsl"
in vec3 position, normal;
in vec2 uv;
flat in int look;
flat in int part;

// How far inside the wing a place is; negative outside. The fore wing is above, the hind wing below, and both begin at
// the body (u = 0).
float wing(vec2 p) {
  vec2 fore = (p - vec2(0.46, 0.73)) / vec2(0.50, 0.25), hind = (p - vec2(0.36, 0.30)) / vec2(0.37, 0.29);
  fore = mat2(0.94, -0.34, 0.34, 0.94) * fore;
  return max(1.0 - dot(fore, fore), 1.0 - dot(hind, hind));
}

void main() {
  vec3 n = normalize(normal);
  vec3 to_camera = normalize(view.camera.xyz - position);
  if (dot(n, to_camera) < 0.0) n = -n;
  vec3 albedo = vec3(0.02);
  float shine = 0.0;
  if (part < 2) {
    float inside = wing(uv);
    if (inside < 0.0) discard;
    float edge = smoothstep(0.34, 0.22, inside);
    float angle = atan(uv.y - 0.52, uv.x + 0.05), r = length(uv - vec2(-0.05, 0.52));
    float veins = smoothstep(0.10, 0.03, abs(fract(angle * 3.6) - 0.5) * r) * smoothstep(0.15, 0.3, r);
    vec2 cell = fract(uv * 17.0) - 0.5;
    float spots = smoothstep(0.30, 0.22, length(cell)) * edge * step(0.06, inside);
    if (look == 0) {
      albedo = mix(vec3(0.72, 0.22, 0.02), vec3(0.95, 0.45, 0.05), uv.x);
      albedo = mix(albedo, vec3(0.012), max(edge, veins));
      albedo = mix(albedo, vec3(0.85), spots);
    } else if (look == 1) {
      float gleam = pow(max(dot(n, to_camera), 0.0), 2.0);
      albedo = mix(vec3(0.01, 0.08, 0.45), vec3(0.03, 0.38, 0.95), gleam);
      albedo = mix(albedo, vec3(0.01, 0.01, 0.015), max(edge, 0.35 * veins));
      shine = 0.5 * (1.0 - edge);
    } else {
      albedo = mix(vec3(0.78, 0.80, 0.74), vec3(0.90), uv.x);
      albedo = mix(albedo, vec3(0.30, 0.28, 0.24), max(0.6 * edge * edge, 0.35 * veins));
    }
  }
  leave(of_wing, albedo, n, shine, 1.0);
}
