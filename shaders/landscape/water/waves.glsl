// The long waves: sines in directions around the wind's (after Finch 2004), lower near the shore. Height and slope come
// from the same sums. `wind` is a unit vector.
const float highest_wave = 3.6;  // the sum of all crests, as a multiple of the amplitude

void long_waves(vec2 p, float amplitude, float t, vec2 wind, out float height, out vec2 slope) {
  height = 0.0;
  slope = vec2(0.0);
  const float turns[6] = float[6](0.0, 0.55, -0.7, 1.2, -1.35, 0.25);
  const float lengths[6] = float[6](19.0, 13.0, 8.7, 6.1, 4.3, 3.1);
  for (int i = 0; i < 6; ++i) {
    vec2 d = mat2(wind, -wind.y, wind.x) * vec2(cos(turns[i]), sin(turns[i]));
    float k = (2.0 * pi) / lengths[i], speed = sqrt(9.81 * k), a = amplitude * lengths[i] / 19.0;
    float phase = dot(d, p) * k - speed * t + float(i) * 1.7;
    float s = 0.5 + 0.5 * sin(phase);
    height += a * (2.0 * s * s - 0.75);
    slope += a * d * k * 2.0 * s * cos(phase);
  }
}
