#version 450
// The published heights, as a texture.
layout(local_size_x = 8, local_size_y = 8) in;
layout(r32f, binding = 0) writeonly uniform image2D result;
layout(std430, binding = 0) readonly buffer Heights { float heights[]; };

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(p, size))) return;
  imageStore(result, p, vec4(heights[p.y * size.x + p.x], 0.0, 0.0, 0.0));
}
