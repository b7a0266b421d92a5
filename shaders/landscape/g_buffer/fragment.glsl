// The position of a fragment in the world. Include after frame.glsl.
vec3 fragment_position() {
  vec4 world = view.world_from_clip * vec4(2.0 * gl_FragCoord.xy * view.picture.zw - 1.0, gl_FragCoord.z, 1.0);
  return world.xyz / world.w;
}
