// A tuft of grass, as grass_compute.glsl writes it and grass_vertex.glsl reads it.
struct Tuft {
  vec4 root;   // xyz: where it stands, w: how tall
  vec4 shape;  // the terrain's normal x, y; direction of the first blade; half a blade's width
  vec4 look;   // how far the wind bends it; shades at the roots and at the tips (square roots, packed)
};
