// What the command line said, in plain values. option_table.hpp has the options themselves, for parsing, --help and
// messages.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/view/view.hpp"
#include "app/view/workers.hpp"
#include "kinescope/data/load.hpp"

namespace kinescope::app {

enum class Command : unsigned {
  view = 1,
  run = 2,
  list = 4,
  data = 8,
  devices = 16,
  bench = 32,
  work = 64,
  timings = 128
};

const char* command_name(Command command);
std::vector<std::string> command_names();

using OptionValues = std::map<std::string, std::vector<std::string>, std::less<>>;  // the values, by option name

enum class BackendChoice { automatic, cpu, cuda };

// Of ViewChoices, `at`, `report`, `trace` and `threads` also serve other commands.
struct Options : ViewChoices {
  Command command = Command::view;
  bool command_named = false;  // false: view, because no word named a command
  std::string subject;         // the simulation (view, run, list) or the file (data); "" if none was named
  bool help = false, version = false;

  sim::DataRequest data;
  OptionValues data_options;     // those from which `data` was read, without --data
  std::vector<std::string> set;  // "NAME=VALUE", in order
  std::string preset;
  std::string state;       // --state, or what a picture that was named without --data carries
  std::string state_from;  // that picture; "--state"
  bool yes = false;        // --yes
  BackendChoice backend = BackendChoice::automatic;
  std::optional<std::uint64_t> seed;           // not given: the preset's or the session's, else 1
  std::map<std::string, std::string> outputs;  // values of --out, --centroids, ..., as sim::OutputKind names them
  std::string onto, onto_data;                 // the layout into which rows are placed, and its rows

  WorkersSetup workers;  // without `threads`: workers_of() copies it
  bool timeout_given = false;

  bool markdown = false;

  std::vector<std::string> experiments;  // the names that bench is given; empty: all
  std::vector<std::string> recordings;   // the files of timings
  std::string csv, plot;                 // of bench and timings
  std::string data_directory;            // of bench: the option, else the environment's KINESCOPE_DATA, else ""
  bool longer = false;                   // --long
  bool quick = false;
};

// Throws sim::Error (input), one line, for anything that the interface does not know.
Options parse_options(int argc, char** argv);

// Sets in `request` what these options say about how data are read; the rest of it stays. Throws like parse_options.
void apply_data_options(const OptionValues& options, sim::DataRequest& request);

// The text of --help: of one command, or of the whole program.
std::string help_text();
std::string help_text(Command command);

}  // namespace kinescope::app
