// Where the presets of plants are. For each plant the first that exists is used: a user's own, the one in the program's
// folder (assets/plants in a checkout, share/kinescope/plants of an installed program), or the one built in.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kinescope/landscape/plant_grammar.hpp"

namespace kinescope::sim::landscape {

// The presets that were built into the program, as file name and text, in the order of their kinds.
const std::vector<std::pair<std::string, std::string>>& built_in_plants();

struct PlantFile {
  std::string name, text;
  std::string path;  // "" for a built-in preset
  bool own = false;  // true if it is a user's
};
// All presets, in the order of their kinds. Throws Error (input), one line, for a file that cannot be read.
std::vector<PlantFile> plant_files();
// The program's own text of a preset, even if the user has another.
PlantFile program_plant(const std::string& name);
// The grammars of plant_files(). Throws Error (input), one line.
std::vector<PlantGrammar> load_plants();

// $XDG_DATA_HOME/kinescope/plants, else ~/.local/share/kinescope/plants; "" if neither folder is known.
std::string own_plants_folder();
// Writes a preset into the user's own folder, completely or not at all; plant_files() then returns it. Returns its
// path. Throws Error (input), one line, if the text is no plant, or if the folder cannot be written or holds the
// program's own presets, which are never overwritten.
std::string save_own_plant(const std::string& name, const std::string& text);

}  // namespace kinescope::sim::landscape
