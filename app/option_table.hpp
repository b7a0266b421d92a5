// Every option once: its name, its value, the commands that take it, its meaning.
#pragma once

#include <span>
#include <string_view>

#include "app/options.hpp"

namespace kinescope::app {

struct OptionEntry {
  const char* name;     // "--data"
  const char* value;    // "FILE"; "" for a flag
  unsigned commands;    // a bit each, of Command
  const char* meaning;  // "" for one that --help does not show
  bool repeatable = false;

  bool takes_value() const { return *value != '\0'; }
  bool belongs_to(Command command) const { return (commands & static_cast<unsigned>(command)) != 0; }
};

std::span<const OptionEntry> option_table();
const OptionEntry* find_option(std::string_view name);  // nullptr if there is none

}  // namespace kinescope::app
