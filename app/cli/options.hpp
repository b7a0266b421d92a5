// What the command line said, in plain values; and the table of options that parsing, --help and the messages share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/data/load.hpp"

namespace kinescope::app {

enum class Command : unsigned { view = 1, run = 2, list = 4, data = 8, devices = 16, bench = 32, work = 64 };

inline constexpr Command all_commands[] = {Command::view, Command::run,     Command::bench, Command::list,
                                           Command::data, Command::devices, Command::work};
const char* command_name(Command command);
std::vector<std::string> command_names();

enum class BackendChoice { automatic, cpu, cuda };

struct Options {
  Command command = Command::view;
  bool command_named = false;  // false: view, because no word named a command
  std::string subject;         // the simulation (view, run, list) or the file (data); "" if none was named
  bool help = false, version = false;

  sim::DataRequest data;
  std::vector<std::string> set;  // "NAME=VALUE", in order
  std::string preset;
  BackendChoice backend = BackendChoice::automatic;
  int threads = 0;                             // 0: all
  std::optional<std::uint64_t> seed;           // not given: 1, or the session's
  std::map<std::string, std::string> outputs;  // values of --out, --centroids, ..., as sim::OutputKind names them
  std::string report, trace;
  std::vector<std::string> compare;  // algorithms beside the first
  std::string onto, onto_data;       // the layout into which rows are placed, and its rows

  int workers = 0;     // processes started here
  std::string group;   // the store in which workers find each other; "": a temporary folder
  std::string listen;  // this machine's address for workers on others; "": there are none
  double timeout = 0;  // seconds; 0: not given
  bool resume = false;

  bool headless = false, until_done = false, with_panels = false, test_ids = false;
  bool staged = false, debug_opengl = false;
  std::optional<bool> light;   // the theme, if it was named
  long frames = 0, steps = 0;  // 0: not given
  long at = -1;                // -1: not given
  int width = 1280, height = 720;
  std::string screenshot, record, timings;

  bool markdown = false;

  std::vector<std::string> experiments;  // of bench; empty: all
  std::string csv, plot;                 // of bench
  std::string data_directory;            // of bench: the option, else the environment's KINESCOPE_DATA, else ""
  bool quick = false;
};

// Throws sim::Error (input), one line, for anything that the interface does not know.
Options parse_options(int argc, char** argv);

// The text of --help: of one command, or of the whole program.
std::string help_text();
std::string help_text(Command command);

}  // namespace kinescope::app
