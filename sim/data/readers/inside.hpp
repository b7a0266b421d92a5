// Names of what is inside a file: "data.npz:images", "cells.h5ad.gz:/obsm/X_pca", "tables.zip:a.csv".
#pragma once

#include <string>

namespace kinescope::sim {

struct Inside {
  std::string file;
  std::string name;         // of a part, such as an array; "" for the file as a whole
  std::string member = "";  // of a file in an archive (.zip), in which the part is; "" for its only one
};

// Splits at the colon after an ending of an archive, and after one of a file that holds several arrays (packed or not),
// else after the name of a file that exists; not if there is a file of the whole name.
Inside split_inside(const std::string& source);

}  // namespace kinescope::sim
