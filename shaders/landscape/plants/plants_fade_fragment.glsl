// Masks the samples of a pixel that another level of detail shows; returns false if it shows all of them.
#include "landscape/plants/plants_fade.glsl"
uniform int samples;

bool keep_shown(float shown) {
#ifdef REDUCED
  return !hidden(shown, gl_FragCoord.xy, 0, 1);
#else
  int kept = 0;
  for (int i = 0; i < samples; ++i)
    if (!hidden(shown, gl_FragCoord.xy, i, samples)) kept |= 1 << i;
  gl_SampleMask[0] = kept;
  return kept != 0;
#endif
}
