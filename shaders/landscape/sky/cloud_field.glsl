// Where clouds are: a field over the plane, made once as a map that repeats (cloud_field_compute.glsl). There are
// clouds where the field exceeds a threshold, the denser the more it does. The threshold falls as the cover grows.
#include "landscape/frame.glsl"
layout(binding = cloud_field_unit) uniform sampler2D cloud_field;

// The field's value over a place; the field moves with the clouds' drift.
float cloud_field_at(vec2 p) { return textureLod(cloud_field, (p - frame.clouds.zw) / cloud_field_extent, 0.0).r; }
float cloud_threshold() { return mix(0.74, 0.24, frame.air.z); }
// How dense the clouds are, 0 … 1, where the field has a value.
float cloud_cover_of(float field) { return smoothstep(0.0, 0.22, field - cloud_threshold()); }
