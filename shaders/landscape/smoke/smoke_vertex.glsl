#version 450
// The smoke's surface as published by the simulation: three indices per triangle, fetched from buffers.
#include "landscape/frame.glsl"
layout(std430, binding = 0) readonly buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly buffer Normals { float normals[]; };
layout(std430, binding = 2) readonly buffer Indices { uint indices[]; };
out vec3 position, normal;

void main() {
  uint i = 3u * indices[gl_VertexID];
  position = vec3(positions[i], positions[i + 1u], positions[i + 2u]);
  normal = vec3(normals[i], normals[i + 1u], normals[i + 2u]);
  gl_Position = view.clip_from_world * vec4(position, 1.0);
}
