#version 450
// One direction of a Gaussian blur over the planes of counts: first along x over whole numbers, then along y over the
// result.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#ifdef ALONG_X
layout(std430, binding = 3) readonly buffer Source { uint source[]; };
#else
layout(std430, binding = 3) readonly buffer Source { float source[]; };
layout(std430, binding = 5) buffer Maximum { uint maximum; };  // bits of the largest count, which sort like the counts
#endif
layout(std430, binding = 4) writeonly buffer Target { float target[]; };
layout(std430, binding = 6) readonly buffer Kernel { float kernel[]; };  // [pad + 1], from the middle outwards

uniform ivec2 size;  // in cells, with the pad
uniform int pad, planes;

void main() {
  const int i = int(thread_index()), plane = size.x * size.y;
  if (i >= plane * planes) return;
  const ivec2 at = ivec2(i % size.x, i / size.x % size.y);
#ifdef ALONG_X
  const int stride = 1, place = at.x, length = size.x;
#else
  const int stride = size.x, place = at.y, length = size.y;
#endif
  float sum = kernel[0] * float(source[i]);
  for (int k = 1; k <= pad; ++k) {
    const float before = place >= k ? float(source[i - k * stride]) : 0;
    const float after = place + k < length ? float(source[i + k * stride]) : 0;
    sum += kernel[k] * (before + after);
  }
  target[i] = sum;
#ifndef ALONG_X
  if (i < plane && all(greaterThanEqual(at, ivec2(pad))) && all(lessThan(at, size - pad)) &&
      floatBitsToUint(sum) > maximum)
    atomicMax(maximum, floatBitsToUint(sum));
#endif
}
