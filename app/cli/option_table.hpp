// The tables of all options and commands. An option's entry holds its name, its value, the commands that take it, and
// its meaning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.hpp"

namespace kinescope::app {

struct OptionEntry {
  std::string name;     // "--data"
  std::string value;    // "FILE"; "" for a flag
  unsigned commands;    // a bit for each Command that takes it
  std::string meaning;  // "": --help does not show the option
  bool repeatable = false;

  bool takes_value() const { return !value.empty(); }
  bool belongs_to(Command command) const { return (commands & static_cast<unsigned>(command)) != 0; }
};

struct CommandEntry {
  Command command;
  const char* name;
  const char* usage;
  const char* meaning;
};

// In the order of --help.
inline constexpr CommandEntry command_table[] = {
    {Command::view, "view", "kinescope [view] [SIMULATION|FILE] [options]",
     "shows a simulation in a window; with no arguments: the colours of the sRGB cube"},
    {Command::run, "run", "kinescope run SIMULATION [options]", "computes to the end, without graphics"},
    {Command::bench, "bench", "kinescope bench [NAME ...] [options]",
     "runs the published experiments on this machine, and prints tables"},
    {Command::list, "list", "kinescope list [SIMULATION]", "lists the simulations, or the parameters of one"},
    {Command::data, "data", "kinescope data FILE", "shows what a file contains, and how a simulation would read it"},
    {Command::devices, "devices", "kinescope devices",
     "shows the backends and devices found, and the OpenGL renderer and version"},
    {Command::timings, "timings", "kinescope timings A.csv [B.csv]",
     "compares the frame times of two files of --timings, or sums up one"},
    {Command::work, "work", "kinescope work --group STORE", "joins the k-means run of this group as a worker"},
};

// The program's own options, and one for each output of the simulations.
const std::vector<OptionEntry>& option_table();
const OptionEntry* find_option(std::string_view name);  // nullptr if there is none

}  // namespace kinescope::app
