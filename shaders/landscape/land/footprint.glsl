// The footprint of a pixel on the surface that it shows. Compute shaders have no derivatives and use this for texture
// lookups. It is zero, which selects the finest level, until meets_surface() is called.
vec3 along_x = vec3(0.0), along_y = vec3(0.0);  // from the pixel's point to those of the next pixels, m

// Finds the footprint: intersects the rays of the next pixels with the plane through `p` with the normal `n`. Include
// after frame.glsl.
void meets_surface(vec3 p, vec3 n, vec2 pixel) {
  vec3 to = p - view.camera.xyz;
  float distance = length(to), facing = dot(n, to) / distance;
  if (facing > -0.03) n = normalize(n - (facing + 0.03) / distance * to);  // the plane is seen edge-on or from behind
  vec4 clip = view.clip_from_world * vec4(p, 1.0);
  float depth = clip.z / clip.w;
  vec2 place = (2.0 * pixel) * view.picture.zw - 1.0;
  vec4 a = view.world_from_clip * vec4(place + vec2(2.0 * view.picture.z, 0.0), depth, 1.0);
  vec4 b = view.world_from_clip * vec4(place + vec2(0.0, 2.0 * view.picture.w), depth, 1.0);
  vec3 to_a = a.xyz / a.w - view.camera.xyz, to_b = b.xyz / b.w - view.camera.xyz;
  float d = dot(n, to), least = -0.01 * distance;
  along_x = to_a * (d / min(dot(n, to_a), least)) - to;
  along_y = to_b * (d / min(dot(n, to_b), least)) - to;
}

// Looks a texture up over the pixel's footprint. (Software uses the neighbouring fragments' coordinates, which is
// quicker.)
#ifdef REDUCED
#define texture_over(map, p, dx, dy) texture(map, p)
#else
#define texture_over(map, p, dx, dy) textureGrad(map, p, dx, dy)
#endif
