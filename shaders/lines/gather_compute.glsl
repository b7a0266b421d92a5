#version 450
// Copies every `step_rows`-th row of a buffer.
layout(local_size_x = 128) in;
#include "common/index.glsl"
layout(std430, binding = 0) readonly buffer From { uint from[]; };
layout(std430, binding = 1) writeonly buffer To { uint to[]; };
uniform uint rows, row, step_rows, offset;  // rows to copy, numbers per row, step of the source, first index in `to`

void main() {
  const uint i = thread_index();
  if (i < rows * row) to[offset + i] = from[i / row * step_rows * row + i % row];
}
