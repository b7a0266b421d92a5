#include "app/cli/option_table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "app/runs/registry.hpp"

namespace kinescope::app {
namespace {

constexpr unsigned view = static_cast<unsigned>(Command::view), run = static_cast<unsigned>(Command::run),
                   list = static_cast<unsigned>(Command::list), bench = static_cast<unsigned>(Command::bench),
                   data = static_cast<unsigned>(Command::data), work = static_cast<unsigned>(Command::work),
                   everywhere = 127;

const OptionEntry own_entries[] = {
    {"--data", "FILE|synthetic:NAME", view | run | work,
     "a file, or sample data such as synthetic:grid,n=10000,h=8,noise=0"},
    {"--header", "auto|yes|no", view | run | data,
     "whether the first row of a table names its columns (default: auto)"},
    {"--skip-rows", "N", view | run | data, "a table begins after so many lines of its file"},
    {"--label", "COLUMN", view | run | data,
     "the column that colours the points, or none (default: one named class or label, else one of categories)"},
    {"--columns", "A,B,...", view | run | data, "use only these columns"},
    {"--categories", "A,B,...", view | run, "these columns of numbers are categories (metric=gower)"},
    {"--missing", "leave-out|mean", view | run | data,
     "what becomes of missing values (default: leave-out, row by row)"},
    {"--set", "NAME=VALUE", view | run, "a parameter, as list prints it; repeatable", true},
    {"--preset", "FILE.json", view | run, "parameters from a file; --set wins over it"},
    {"--backend", "auto|cpu|cuda", everywhere, "default auto: CUDA where a device is found, else the CPU"},
    {"--threads", "N", everywhere, "CPU threads (default: all)"},
    {"--seed", "N", view | run, "default 1; the same seed gives the same result, bit for bit"},
    {"--onto", "FILE", run, "glimmer: places the rows into this layout, which stays where it is"},
    {"--onto-data", "FILE", run, "the rows of that layout"},
    {"--workers", "N", view | run, "k-means: so many processes here compute; the result is the same"},
    {"--group", "STORE", run | work,
     "k-means: where further workers find the run (kinescope work): a folder, or redis://HOST:PORT/NAME"},
    {"--listen", "ADDRESS", run | work, "k-means: this machine's address for workers on others (default: none are)"},
    {"--timeout", "SECONDS", view | run, "k-means: a worker that is silent for so long is lost (default: 1)"},
    {"--resume", "", run, "k-means: goes on with the run that was lost in this --group"},
    {"--compare", "A,B,...", view, "further algorithms beside the first, on one clock; three at most"},
    {"--report", "FILE.json", view | run, "figures of the run"},
    {"--trace", "FILE.json", view | run, "spans of CPU and GPU work as Chrome trace events"},
    {"--at", "ITERATION", view | run, "the state after so many iterations; the window pauses there"},
    {"--headless", "", view, "no window: the same scene drawn into memory"},
    {"--frames", "N", view, "stop after N frames (headless: 240 unless given)"},
    {"--until-done", "", view, "stop when the simulation has converged"},
    {"--steps", "N", view, "iterations a frame instead of the pace of time (headless: 1 unless given)"},
    {"--size", "WxH", view, "window or picture size (default 1280x720)"},
    {"--screenshot", "FILE.png", view, "the last frame, without panels"},
    {"--with-panels", "", view, "the screenshot shows the panels too"},
    {"--record", "FILE.mp4|DIR/", view, "every frame: a video through ffmpeg if it is installed, else numbered PNGs"},
    {"--timings", "FILE.csv", view, "one row a frame"},
    {"--theme", "dark|light", view, "default: the window's last one; headless: dark"},
    {"--staged", "", view, "on CUDA: what is drawn is copied through the host instead of shared, to compare"},
    {"--test-ids", "", view, ""},
    {"--debug-opengl", "", view, ""},
    {"--csv", "FILE", bench, "the rows as CSV; those measured before Ctrl-C too"},
    {"--plot", "FILE.svg", bench, "quality against seconds"},
    {"--data-directory", "DIR", bench,
     "where published data are looked for (default: KINESCOPE_DATA of the environment)"},
    {"--quick", "", bench, "at most 2,000 points, each row measured once"},
    {"--markdown", "", list, ""},
    {"--help", "", everywhere, "this text; kinescope COMMAND --help for one command"},
    {"--version", "", everywhere, "the program's version"},
};

// "FILE.csv|.npy": the endings of all simulations that have this output.
std::string endings_of(const std::string& output) {
  std::vector<std::string> all;
  for (const sim::SimulationKind* kind : simulation_kinds())
    for (const sim::OutputKind& each : kind->outputs)
      for (const std::string& ending : each.endings)
        if (each.option == output && std::find(all.begin(), all.end(), ending) == all.end()) all.push_back(ending);
  return fmt::format("FILE{}", fmt::join(all, "|"));
}

std::vector<OptionEntry> all_entries() {
  std::vector<OptionEntry> entries(std::begin(own_entries), std::end(own_entries));
  auto place = std::find_if(entries.begin(), entries.end(), [](auto& entry) { return entry.name == "--report"; });
  for (const sim::SimulationKind* kind : simulation_kinds())
    for (const sim::OutputKind& output : kind->outputs) {
      const std::string name = "--" + output.option;
      const std::string meaning = output.option == "out" ? "the result" : kind->name + ": " + output.meaning;
      const auto known = std::find_if(entries.begin(), entries.end(), [&](auto& entry) { return entry.name == name; });
      if (known == entries.end())
        place = entries.insert(place, {name, endings_of(output.option), run, meaning}) + 1;
      else if (output.option != "out")
        known->meaning += "; " + meaning;
    }
  return entries;
}

constexpr CommandEntry command_entries[] = {
    {Command::view, "view", "kinescope [view] [SIMULATION|FILE] [options]",
     "the window; with no arguments: the sRGB colours laid out"},
    {Command::run, "run", "kinescope run SIMULATION [options]", "computes to the end, no graphics"},
    {Command::bench, "bench", "kinescope bench [NAME ...] [options]",
     "the published experiments on this machine, as tables"},
    {Command::list, "list", "kinescope list [SIMULATION]", "simulations, or the parameters of one"},
    {Command::data, "data", "kinescope data FILE", "what a file holds, and what would be made of it"},
    {Command::devices, "devices", "kinescope devices", "backends and devices found, OpenGL renderer and version"},
    {Command::work, "work", "kinescope work --group STORE", "computes for a run of k-means that has this group"},
};

std::string options_text(unsigned commands) {
  std::size_t width = 0;
  const auto shown = [&](const OptionEntry& entry) { return (entry.commands & commands) && !entry.meaning.empty(); };
  const auto head = [](const OptionEntry& entry) {
    return entry.takes_value() ? entry.name + " " + entry.value : entry.name;
  };
  for (const OptionEntry& entry : option_table())
    if (shown(entry)) width = std::max(width, head(entry).size());
  std::string text = "Options:\n";
  for (const OptionEntry& entry : option_table())
    if (shown(entry)) text += fmt::format("  {:{}}  {}\n", head(entry), width, entry.meaning);
  return text;
}

}  // namespace

const std::vector<OptionEntry>& option_table() {
  static const std::vector<OptionEntry> entries = all_entries();
  return entries;
}

const OptionEntry* find_option(std::string_view name) {
  const std::vector<OptionEntry>& entries = option_table();
  const auto found = std::find_if(entries.begin(), entries.end(), [&](auto& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::span<const CommandEntry> command_table() {
  return command_entries;
}

const char* command_name(Command command) {
  return std::find_if(std::begin(command_entries), std::end(command_entries),
                      [&](const CommandEntry& entry) { return entry.command == command; })
      ->name;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandEntry& entry : command_entries) names.emplace_back(entry.name);
  return names;
}

std::string help_text() {
  std::string text = "Kinescope runs simulations on the GPU, or on the CPU, and shows them live.\n\nUsage:\n";
  for (const CommandEntry& entry : command_entries) text += fmt::format("  {:46}  {}\n", entry.usage, entry.meaning);
  return text + "\n" + options_text(view | run | bench);
}

std::string help_text(Command command) {
  std::string text;
  for (const CommandEntry& entry : command_entries)
    if (entry.command == command) text = fmt::format("Usage: {}\n  {}\n\n", entry.usage, entry.meaning);
  return text + options_text(static_cast<unsigned>(command));
}

}  // namespace kinescope::app
