#include "landscape/shared.glsl"
layout(binding = noise_map_unit) uniform sampler2D noise_map;  // four independent noises, repeating
