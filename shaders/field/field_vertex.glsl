#version 450
// A rectangle in the world.
uniform mat4 clip_from_world;
uniform vec2 picture_size, tile_origin, canvas_size;
uniform vec4 rectangle;  // low x, low y, high x, high y
out vec2 place;          // 0 … 1 from the rectangle's lower left corner

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  const vec4 clip = clip_from_world * vec4(mix(rectangle.xy, rectangle.zw, place), 0, 1);
  const vec2 pixel = (0.5 * clip.xy / clip.w + 0.5) * picture_size - tile_origin;
  gl_Position = vec4(2 * pixel / canvas_size - 1, 0, 1);
}
