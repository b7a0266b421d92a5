// Whether this pixel of a plant is left to another level of detail.
#include "landscape/noise.glsl"
flat in float shown;  // how much this level shows; 2 more where it is the coarser one, which shows the rest

bool hidden(vec2 pixel) {
  float threshold = 0.004 + 0.992 * gradient_dither(pixel);
  return shown < 1.5 ? threshold > shown : threshold <= shown - 2.0;
}
