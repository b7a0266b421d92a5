#version 450
// Smooths the remaining edges along the direction in which brightness changes least (after FXAA, Lottes 2009).
layout(binding = 0) uniform sampler2D picture;
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) writeonly uniform image2D result;

const vec3 weights = vec3(0.299, 0.587, 0.114);

float bright(vec2 p) { return dot(textureLod(picture, p, 0.0).rgb, weights); }

// The colour of a pixel at `p` that differs from its neighbours, smoothed along the edge.
vec3 smoothed(vec2 p, vec2 pixel, float nw, float ne, float sw, float se, float low, float high) {
  vec2 along = vec2(-((nw + ne) - (sw + se)), (nw + sw) - (ne + se));
  float reduce = max((nw + ne + sw + se) * 0.03125, 1.0 / 128.0);
  along = clamp(along / (min(abs(along.x), abs(along.y)) + reduce), vec2(-8.0), vec2(8.0)) * pixel;
  vec3 near = 0.5 * (textureLod(picture, p - along / 6.0, 0.0).rgb + textureLod(picture, p + along / 6.0, 0.0).rgb);
  vec3 wide = 0.5 * near + 0.25 * (textureLod(picture, p - 0.5 * along, 0.0).rgb + textureLod(picture, p + 0.5 * along, 0.0).rgb);
  float w = dot(wide, weights);
  return w < low || w > high ? near : wide;
}
bool is_edge(float low, float high) { return high - low >= max(0.04, 0.12 * high); }

void main() {
  ivec2 place = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(place, size))) return;
  vec2 pixel = 1.0 / vec2(textureSize(picture, 0)), p = (vec2(place) + 0.5) / vec2(size);
  vec3 here = textureLod(picture, p, 0.0).rgb;
  float m = dot(here, weights);
  float nw = bright(p + vec2(-1, 1) * pixel), ne = bright(p + pixel), sw = bright(p - pixel), se = bright(p + vec2(1, -1) * pixel);
  float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
  imageStore(result, place, vec4(is_edge(low, high) ? smoothed(p, pixel, nw, ne, sw, se, low, high) : here, 1.0));
}
