// The plants that compute shaders draw, in batches of triangles of their meshes. A batch has an entry as in the lists
// of plants.glsl, the first triangle (24 bits) and the number of triangles (8 bits).
layout(std430, binding = batches_binding) buffer Batches {
  uint batch_count, tile_count;  // may exceed the number that fits
  uvec2 batches[];
};

const uint batch_triangles = 128u;  // at most
