layout(binding = 2) uniform sampler2D noise_map;  // four independent noises, repeating
