// Sample data that are rows of numbers; made.hpp says what each holds.
#pragma once

#include <string>

#include "sim/data/made.hpp"
#include "sim/data/made_keys.hpp"

namespace kinescope::sim {

MadeData make_grid(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_swissroll(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_simplex(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_colours(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_gaussians(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_topics(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_documents(const std::string& source, const Keys& keys, LoadProgress* progress);

}  // namespace kinescope::sim
