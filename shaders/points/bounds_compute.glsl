#version 450
// The box around the points: each group reduces its own points, then makes one atomic operation for each bound. A
// float's bits are transformed so that they sort as whole numbers like the floats.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#include "points/coordinates.glsl"
layout(std430, binding = 1) readonly buffer Emphases { uint emphases[]; };
layout(std430, binding = 3) buffer Box { uint box[6]; };  // the largest of x, y, z and of their complements; 0: none
uniform uint count;
uniform bool has_emphasis;
shared uint group_box[6];

uint ordered(uint bits) { return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u; }

void main() {
  if (gl_LocalInvocationIndex < 6u) group_box[gl_LocalInvocationIndex] = 0u;
  barrier();
  const uint i = thread_index();
  if (i < count && (!has_emphasis || emphases[i] != 0u)) {
    const uvec3 bits = load_coordinates(i);
    if (is_finite(bits.x) && is_finite(bits.y) && is_finite(bits.z))
      for (int axis = 0; axis < 3; ++axis) {
        atomicMax(group_box[axis], ordered(bits[axis]));
        atomicMax(group_box[axis + 3], ~ordered(bits[axis]));
      }
  }
  barrier();
  if (gl_LocalInvocationIndex < 6u && group_box[gl_LocalInvocationIndex] != 0u)
    atomicMax(box[gl_LocalInvocationIndex], group_box[gl_LocalInvocationIndex]);
}
