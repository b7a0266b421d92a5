#include "sim/fitzhugh_nagumo/make_fitzhugh_nagumo.hpp"
namespace kinescope::sim {
std::vector<BenchmarkExperiment> fitzhugh_nagumo_experiments() { return {}; }
}
