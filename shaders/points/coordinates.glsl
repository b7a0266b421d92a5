// Finds and reads a point's coordinates among the numbers of its row.
layout(std430, binding = 0) readonly buffer Positions { uint position_bits[]; };
uniform uint stride;  // numbers per row
uniform ivec2 columns_xy;
uniform int column_z;  // a column below 0 means 0 for all points

bool is_finite(uint bits) { return (bits & 0x7f800000u) != 0x7f800000u; }

// The bits of the coordinates, which are floats.
uvec3 load_coordinates(uint i) {
  const uint row = i * stride;
  return uvec3(columns_xy.x < 0 ? 0u : position_bits[row + uint(columns_xy.x)],
               columns_xy.y < 0 ? 0u : position_bits[row + uint(columns_xy.y)],
               column_z < 0 ? 0u : position_bits[row + uint(column_z)]);
}
