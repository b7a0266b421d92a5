#version 450
// One triangle over the whole picture, at the far end of the reversed depth.
out vec2 uv;
void main() {
  uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(2.0 * uv - 1.0, 0.0, 1.0);
}
