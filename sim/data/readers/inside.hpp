// Names of what is inside a file: "data.npz:images", "cells.h5ad:/obsm/X_pca".
#pragma once

#include <string>

namespace kinescope::sim {

struct Inside {
  std::string file;
  std::string name;  // "" for the file as a whole
};

// Splits at the colon after an ending of a file that holds several arrays, unless there is a file of the whole name.
Inside split_inside(const std::string& source);

}  // namespace kinescope::sim
