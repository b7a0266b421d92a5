// Which of the eight materials covers which part of the terrain. Include after lighting.glsl and terrain.glsl.
const int sand = 0, wet = 1, grass = 2, dry = 3, forest = 4, rock = 5, scree = 6, snow = 7;

float logistic(float x) { return 1.0 / (1.0 + exp(-x)); }

// How much each material covers the ones before it.
struct Cover {
  float weight[8];
  float damp;
  vec4 local;
  vec3 meadow;
};

Cover covers(vec3 p, vec3 n) {
  vec4 broad = texture_over(noise_map, p.xy / 610.0, along_x.xy / 610.0, along_y.xy / 610.0),
       local = texture_over(noise_map, p.xy / 83.0, along_x.xy / 83.0, along_y.xy / 83.0);
  float above = p.z - sea_level(), noise = broad.r - 0.5 + 0.5 * (local.g - 0.5);
  float steep = 1.0 - n.z, summit = max(frame.terrain.w - sea_level(), 60.0);
  Cover c;
  c.local = local;
  c.meadow = (0.75 + 0.5 * local.r) * mix(vec3(0.88, 0.97, 0.9), vec3(1.2, 1.05, 0.85), broad.g);
  c.weight[grass] = 1.0;
  float arid = logistic((above - 0.42 * summit + 260.0 * noise) / (0.07 * summit));
  c.weight[dry] = max(arid, smoothstep(0.57, 0.68, broad.b * 0.55 + local.b * 0.45) * 0.85);
  c.weight[forest] = 0.9 * smoothstep(0.52, 0.62, 0.65 * broad.a + 0.35 * local.a) * (1.0 - smoothstep(0.55, 0.75, above / summit));
  float stones = smoothstep(0.13, 0.24, steep + 0.10 * noise) + logistic((above - 0.80 * summit + 170.0 * noise) / 14.0);
  c.weight[scree] = clamp(stones, 0.0, 1.0);
  c.weight[rock] = smoothstep(0.22, 0.36, steep + 0.12 * noise + 0.04 * (local.b - 0.5));
  float frost = logistic((p.z - frame.water.w + 150.0 * noise - 130.0 * (steep - 0.1)) / 11.0);
  c.weight[snow] = frost * (1.0 - smoothstep(0.30, 0.48, steep + 0.05 * noise));
  float beach = 1.0 - smoothstep(1.6, 4.2, above + 4.5 * noise + 16.0 * max(steep - 0.03, 0.0));
  c.weight[sand] = beach * (1.0 - smoothstep(0.25, 0.4, steep));
  c.weight[wet] = 1.0 - smoothstep(-7.0, -1.2, above + 5.0 * noise);
  c.damp = (1.0 - smoothstep(0.15, 0.75, above - 0.8 * noise)) * smoothstep(-6.0, -0.5, above + 20.0);
  return c;
}
