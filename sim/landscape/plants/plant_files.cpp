#include "sim/landscape/plants/plant_files.hpp"

#include <cstdlib>
#include <filesystem>

#include "kinescope/data/json_file.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"

namespace kinescope::sim::landscape {
namespace {

namespace files = std::filesystem;

// Folders in which the program's own presets may be; the first that exists is used.
std::vector<files::path> program_folders() {
  std::error_code ignored;
  const files::path program = files::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  return {program / "assets/plants", program / "share/kinescope/plants"};
}

}  // namespace

std::string own_plants_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (data && *data == '/') return (files::path(data) / "kinescope/plants").string();
  if (home && *home == '/') return (files::path(home) / ".local/share/kinescope/plants").string();
  return "";
}

PlantFile program_plant(const std::string& name) {
  std::error_code ignored;
  for (const files::path& folder : program_folders())
    if (files::exists(folder / name, ignored))
      return {name, read_text((folder / name).string()), (folder / name).string(), false};
  for (const auto& [built_in, text] : built_in_plants())
    if (built_in == name) return {name, text, "", false};
  throw input_error("there is no plant '" + name + "'");
}

std::vector<PlantFile> plant_files() {
  const std::string own = own_plants_folder();
  std::vector<PlantFile> found;
  for (const auto& [name, text] : built_in_plants()) {
    std::error_code ignored;
    const files::path path = files::path(own) / name;
    if (!own.empty() && files::exists(path, ignored))
      found.push_back({name, read_text(path.string()), path.string(), true});
    else
      found.push_back(program_plant(name));
  }
  return found;
}

std::vector<PlantGrammar> load_plants() {
  std::vector<PlantGrammar> grammars;
  for (const PlantFile& file : plant_files())
    grammars.push_back(parse_plant(file.text, file.path.empty() ? file.name : file.path));
  return grammars;
}

std::string save_own_plant(const std::string& name, const std::string& text) {
  program_plant(name);  // throws if there is no such plant
  parse_plant(text, name);
  if (text.size() > largest_text) throw input_error(name + ": is longer than 16 MiB, the limit for reading it again");
  const std::string own = own_plants_folder();
  if (own.empty()) throw input_error("no folder to save to: neither XDG_DATA_HOME nor HOME is set");
  std::error_code error;
  files::create_directories(own, error);
  for (const files::path& folder : program_folders())
    if (files::equivalent(own, folder, error))
      throw file_error(
          own, "holds the program's own plants, which are not overwritten: set XDG_DATA_HOME to a folder of yours");
  std::string path = (files::path(own) / name).string();
  write_bytes(path, text);
  return path;
}

}  // namespace kinescope::sim::landscape
