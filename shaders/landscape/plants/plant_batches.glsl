// The plants that compute draws, in batches of triangles of their meshes: an entry as in the lists of plants.glsl, and
// the first triangle (24 bits) and how many there are.
layout(std430, binding = batches_binding) buffer Batches {
  uint batch_count, tile_count;  // may be more than there is room for
  uvec2 batches[];
};

const uint batch_triangles = 128u;  // at most
