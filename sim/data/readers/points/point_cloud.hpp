// What readers of point clouds share.
#pragma once

#include "kinescope/table.hpp"

namespace kinescope::sim {

// If there are columns x, y and z, the others only annotate: they take part only where they are asked for. Says so in
// the remarks.
void let_places_take_part(Table& table);

}  // namespace kinescope::sim
