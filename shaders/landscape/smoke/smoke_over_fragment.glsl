#version 450
// For software: lays the small picture of the smoke over the picture. The mean of four places hides the dither; places
// that show something nearer or farther than this pixel count little, so that smoke behind leaves stays behind them.
#include "landscape/shared.glsl"
layout(binding = reflection_unit) uniform sampler2D smoke;
layout(binding = refraction_depth_unit) uniform sampler2D depth;
in vec4 clip;
layout(location = 0) out vec4 colour;

void main() {
  vec2 uv = 0.5 + 0.5 * clip.xy / clip.w, texel = 0.5 / vec2(textureSize(smoke, 0));
  float here = log2(max(textureLod(depth, uv, 0.0).r, 1e-5)), weights = 0.0;
  vec4 sum = vec4(0.0);
  for (int k = 0; k < 4; ++k) {
    vec2 place = uv + texel * vec2(k % 2 * 2 - 1, k / 2 * 2 - 1);
    float weight = exp2(-4.0 * abs(log2(max(textureLod(depth, place, 0.0).r, 1e-5)) - here)) + 1e-4;
    sum += weight * textureLod(smoke, place, 0.0);
    weights += weight;
  }
  colour = sum / weights;
}
