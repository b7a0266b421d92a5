// How much of a pixel a point covers, for GLSL and for C++ (render/points/host_passes.cpp). `away` is the distance of the
// pixel's centre from the point, in pixels; `radius` and `reach` are those of struct Point (point.glsl).

// The part of the pixel that the disc covers, or the halo, which fades outwards.
float coverage_of(float radius, float reach, float away) {
  const float disc = clamp(radius + 0.5f - away, 0.0f, 1.0f);
  const float halo_width = reach - radius - 0.5f;
  if (halo_width <= 0.0f) return disc;
  const float fade = clamp((reach - away) / halo_width, 0.0f, 1.0f);
  return max(disc, 0.3f * fade * fade);
}

// Transmittances multiply, so their logarithms add up, in any order.
float optical_depth(float cover) { return -log(1.0f - min(cover, float(HEAVIEST))); }
