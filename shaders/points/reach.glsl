// How far a point reaches; C++ reads this file too (render/points/point_frame.cpp).
// The largest coverage of one point: 1 would be an infinite optical depth. (A macro, so that C++ has it in double
// precision. It is defined once where several C++ files are compiled as one.)
#ifndef HEAVIEST
#define HEAVIEST 0.996

// A highlighted point is larger and has a halo as wide as its radius. Tiny points have none, because halos would cover
// crowds of them.
float highlighted_radius(float radius) { return 1.25 * radius + 0.25; }
float highlighted_reach(float radius) { return (radius >= 1.5 ? 2.0 : 1.0) * highlighted_radius(radius) + 0.5; }
#endif
