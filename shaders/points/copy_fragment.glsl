#version 450
// Lays a premultiplied picture over the canvas.
layout(binding = 0) uniform sampler2D picture;
uniform ivec2 canvas_origin;
out vec4 colour;
void main() { colour = texelFetch(picture, ivec2(gl_FragCoord.xy) - canvas_origin, 0); }
