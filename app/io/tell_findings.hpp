// Tells on stderr what was found in a file, where no window shows it.
#pragma once

#include "kinescope/data/load.hpp"
#include "kinescope/dataset.hpp"
#include "kinescope/parameter.hpp"

namespace kinescope::app {

// Prints what was found when the data were opened, and then each suggestion, on lines of their own; nothing for made
// data. `standardized`: settle_normalize decided so.
void tell_findings(const sim::DataRequest& request, const sim::Dataset& data, sim::ParameterSet& parameters,
                   bool standardized);

}  // namespace kinescope::app
