// Hashes and noises. The integer hash is exact on every GPU.
uint hash_u(uint x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16;
  return x;
}
uint hash_u(uvec2 v) { return hash_u(v.x + hash_u(v.y)); }
uint hash_u(uvec3 v) { return hash_u(v.x + hash_u(v.y + hash_u(v.z))); }
float hash_f(uint x) { return float(hash_u(x) >> 8) * (1.0 / 16777216.0); }
float hash_f(ivec2 v) { return float(hash_u(uvec2(v)) >> 8) * (1.0 / 16777216.0); }
float hash_f(ivec3 v) { return float(hash_u(uvec3(v)) >> 8) * (1.0 / 16777216.0); }
vec2 hash_2(ivec2 v) {
  uint h = hash_u(uvec2(v));
  return vec2(float(h & 0xffffu), float(h >> 16)) * (1.0 / 65535.0);
}
vec3 hash_3(ivec3 v) {
  uint h = hash_u(uvec3(v));
  return vec3(float(h & 1023u), float((h >> 10) & 1023u), float((h >> 20) & 1023u)) * (1.0 / 1023.0);
}

// Wraps a cell's index to 0 … period − 1. Uses floating point, because software renderers divide integers slowly.
ivec2 wrap(ivec2 v, int period) { return v - period * ivec2(floor((vec2(v) + 0.5) / float(period))); }
ivec3 wrap(ivec3 v, int period) { return v - period * ivec3(floor((vec3(v) + 0.5) / float(period))); }

// Value noise that repeats after `period` cells, 0 … 1.
float value_noise(vec2 p, int period, int seed) {
  ivec2 i = ivec2(floor(p));
  vec2 f = p - vec2(i);
  f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  ivec2 s = ivec2(seed * 131, seed * 71);
  float a = hash_f(wrap(i, period) + s), b = hash_f(wrap(i + ivec2(1, 0), period) + s);
  float c = hash_f(wrap(i + ivec2(0, 1), period) + s), d = hash_f(wrap(i + ivec2(1, 1), period) + s);
  return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

// Gradient noise that repeats after `period` cells, about -0.7 … 0.7.
float gradient_noise(vec2 p, int period, int seed) {
  ivec2 i = ivec2(floor(p));
  vec2 f = p - vec2(i);
  vec2 u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  ivec2 s = ivec2(seed * 131, seed * 71);
  float value[4];
  for (int k = 0; k < 4; ++k) {
    ivec2 o = ivec2(k & 1, k >> 1);
    value[k] = 1.25 * dot(2.0 * hash_2(wrap(i + o, period) + s) - 1.0, f - vec2(o));
  }
  return mix(mix(value[0], value[1], u.x), mix(value[2], value[3], u.x), u.y);
}

// Octaves of gradient noise on the unit square, which repeats; 0 … 1 with mean 0.5.
float fractal(vec2 uv, int period, int octaves, float gain, int seed) {
  float sum = 0.0, weight = 0.5;
  for (int k = 0; k < octaves; ++k) {
    sum += weight * gradient_noise(uv * float(period), period, seed + k);
    weight *= gain;
    period *= 2;
  }
  return clamp(0.5 + sum, 0.0, 1.0);
}
// Spreads the values of fractal(), which rarely come near 0 or 1, about their mean.
float contrast(float x) { return clamp(0.5 + 1.35 * (x - 0.5), 0.0, 1.0); }

// Cellular noise with one point per cell, which repeats after `period` cells. x, y: distances to the nearest and to the
// second nearest point; z: a random number, 0 … 1, that belongs to the nearest point.
vec3 cellular(vec2 p, int period, int seed) {
  ivec2 i = ivec2(floor(p));
  vec2 f = p - vec2(i);
  vec2 best = vec2(9.0);
  float id = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      ivec2 cell = wrap(i + ivec2(x, y), period) + ivec2(seed * 131, seed * 71);
      float d = length(vec2(x, y) + hash_2(cell) - f);
      if (d < best.x) {
        best = vec2(d, best.x);
        id = hash_f(cell + ivec2(17, 59));
      } else if (d < best.y) {
        best.y = d;
      }
    }
  return vec3(best, id);
}

// A pattern without visible structure, 0 … 1, for dithering and for offsets of rays (Jimenez 2014).
float gradient_dither(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }
// Dither that hides the steps of 8-bit colours, -1 … 1, with a triangular distribution. Its strength then does not
// depend on where between two steps a colour is, and no bands remain.
float triangular_dither(vec2 pixel) {
  return gradient_dither(pixel) + gradient_dither(pixel.yx + vec2(47.0, 113.0)) - 1.0;
}
