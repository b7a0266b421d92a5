#version 450
// From linear light to the screen: exposure, bloom, light shafts, a filmic curve (Narkowicz's fit of ACES, softened),
// a gentle vignette, and noise against banding.
#include "landscape/frame.glsl"
#include "landscape/noise.glsl"
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D bloom;
layout(binding = 2) uniform sampler2D shafts;
uniform float bloom_strength, shaft_strength;
uniform float noise;  // in steps of the screen
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) writeonly uniform image2D result;

vec3 filmic(vec3 x) {
  // A part of a strong colour's light spills into the other channels before the curve, as on film.
  x = mat3(0.90, 0.045, 0.045, 0.06, 0.90, 0.06, 0.04, 0.055, 0.895) * x;
  return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// From linear light to sRGB. For software by square roots, within 0.25 steps of the screen.
vec3 encoded(vec3 x) {
#ifdef REDUCED
  vec3 a = sqrt(x), b = sqrt(a), c = sqrt(b);
  return mix(12.92 * x, 0.662002687 * a + 0.684122060 * b - 0.323583601 * c - 0.0225411470 * x, step(0.0031308, x));
#else
  return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
#endif
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 uv = (vec2(pixel) + 0.5) / vec2(size);
#ifdef REDUCED
  vec3 radiance = texelFetch(picture, pixel, 0).rgb;
#else
  vec3 radiance = textureLod(picture, uv, 0.0).rgb;
#endif
  if (bloom_strength > 0.0) radiance = mix(radiance, textureLod(bloom, uv, 0.0).rgb, bloom_strength);
  if (shaft_strength > 0.0) {
    // The mean of four lookups is smoother than a single one between texels.
    vec2 texel = 0.5 / vec2(textureSize(shafts, 0));
    vec3 sum = vec3(0.0);
    for (int k = 0; k < 4; ++k) sum += textureLod(shafts, uv + texel * vec2(k % 2 * 2 - 1, k / 2 * 2 - 1), 0.0).rgb;
    radiance += 0.25 * shaft_strength * sum;
  }
  radiance *= light.exposure.x * frame.sun.w;
  vec2 from_centre = uv - 0.5;
  radiance *= 1.0 - 0.32 * dot(from_centre, from_centre);
  vec3 mapped = filmic(radiance * 0.8);
  float grey = dot(mapped, vec3(0.2126, 0.7152, 0.0722));
  float low = 1.0 - smoothstep(0.05, 0.25, abs(frame.sun.z));  // richer at dawn and dusk
  mapped = clamp(mix(vec3(grey), mapped, 1.08 + 0.09 * low), 0.0, 1.0);
  imageStore(result, pixel, vec4(encoded(mapped) + noise * triangular_dither(vec2(pixel) + 0.5) / 255.0, 1.0));
}
