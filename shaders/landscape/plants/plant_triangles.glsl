// The triangles of plants that compute shaders draw (plant_raster_compute.glsl). Each has a number, from first_triangle
// on, made from its batch and its place in the batch. Include after frame.glsl and plants.glsl.
#include "landscape/plants/plant_batches.glsl"
#include "landscape/g_buffer/samples.glsl"
// 12 numbers for each vertex: MeshVertex.
layout(std430, binding = vertices_binding) readonly buffer Vertices { float vertices[]; };
layout(std430, binding = indices_binding) readonly buffer Indices { uint indices[]; };

uint number_of(uint batch, uint place) { return batch * batch_triangles + place + first_triangle; }
uint entry_of_triangle(uint triangle) { return batches[(triangle - first_triangle) / batch_triangles].x; }
uvec3 corners_of(uint triangle) {
  triangle -= first_triangle;
  uint first = 3u * ((batches[triangle / batch_triangles].y & 0xffffffu) + triangle % batch_triangles);
  return uvec3(indices[first], indices[first + 1u], indices[first + 2u]);
}
vec3 read_3(uint number) { return vec3(vertices[number], vertices[number + 1u], vertices[number + 2u]); }
vec3 position_at(uint corner) { return read_3(12u * corner); }
vec3 normal_at(uint corner) { return read_3(12u * corner + 3u); }
vec2 uv_at(uint corner) { return vec2(vertices[12u * corner + 6u], vertices[12u * corner + 7u]); }
vec4 colour_at(uint corner) { return vec4(read_3(12u * corner + 8u), vertices[12u * corner + 11u]); }

// Homogeneous pixels: pixels from the picture's corner times the distance, and the distance.
vec3 on_screen(vec3 world) {
  vec4 clip = view.clip_from_world * vec4(world, 1.0);
  return vec3((0.5 * clip.xy + 0.5 * clip.w) * view.picture.xy, clip.w);
}

// A triangle in homogeneous pixels (Olano and Greer 1997): corners may lie behind the eye.
struct Projected {
  vec2 origin;  // near the triangle, so that small triangles keep their precision
  mat3 weights;
  float extent;  // twice its area in pixels times its corners' distances; 0: nothing is visible
};
Projected projected(vec3 a, vec3 b, vec3 c, vec2 origin) {
  a.xy -= origin * a.z;
  b.xy -= origin * b.z;
  c.xy -= origin * c.z;
  vec3 n = cross(b, c);
  float extent = dot(a, n);
  return Projected(origin, mat3(n, cross(c, a), cross(a, b)) / (extent != 0.0 ? extent : 1.0), abs(extent));
}
// The corners' weights divided by the distance: their sum is 1 / distance, and inside the triangle none is negative.
vec3 weights_at(Projected t, vec2 place) { return vec3(place - t.origin, 1.0) * t.weights; }
