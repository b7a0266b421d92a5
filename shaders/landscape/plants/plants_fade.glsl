// Whether a sample of a plant is left to another level of detail. `shown` is the part of the plant that the finer level
// shows. 2 is added to it for the coarser level, which shows the rest (shown_of in plants.glsl).
#include "landscape/noise.glsl"

bool hidden(float shown, vec2 pixel, int i, int samples) {
  if (shown == 1.0) return false;
  float threshold = 0.004 + 0.992 * (gradient_dither(pixel) + float(i)) / float(samples);
  return shown < 1.5 ? threshold > shown : threshold <= shown - 2.0;
}
