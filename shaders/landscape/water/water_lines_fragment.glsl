#version 450
layout(location = 0) out vec4 colour;

void main() { colour = vec4(0.02, 0.22, 0.32, 1.0); }
