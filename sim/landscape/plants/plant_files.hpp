// Where the presets of plants lie. Of each, the first that exists counts: a user's own, the one beside the program
// (assets/plants in a checkout, share/kinescope/plants of an installed program), the one built in.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/landscape/plants/plant_grammar.hpp"

namespace kinescope::sim::landscape {

// The presets that were built into the program, as file name and text, in the order of their kinds.
const std::vector<std::pair<std::string, std::string>>& built_in_plants();

struct PlantFile {
  std::string name, text;
  std::string path;  // "": it is built in
  bool own = false;  // a user's
};
// All presets, in the order of their kinds. Throws Error (input), one line, for a file that cannot be read.
std::vector<PlantFile> plant_files();
// The program's own text of a preset, whatever a user has.
PlantFile program_plant(const std::string& name);
// The grammars of plant_files(). Throws Error (input), one line.
std::vector<PlantGrammar> load_plants();

// $XDG_DATA_HOME/kinescope/plants, else ~/.local/share/kinescope/plants; "" where neither is known.
std::string own_plants_folder();
// Writes a preset into the user's own folder, whole or not at all; from then on plant_files() has it. Returns its path.
// Throws Error (input), one line: for a text that is no plant, a folder that cannot be written, and for one that holds
// the program's own presets, which are never overwritten.
std::string save_own_plant(const std::string& name, const std::string& text);

}  // namespace kinescope::sim::landscape
