// The tables of all options and commands. An option's entry holds its name, its value, the commands that take it, and
// its meaning.
#pragma once

#include <span>
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

std::span<const CommandEntry> command_table();  // in the order of --help

// The program's own options, and one for each output of the simulations.
const std::vector<OptionEntry>& option_table();
const OptionEntry* find_option(std::string_view name);  // nullptr if there is none

}  // namespace kinescope::app
