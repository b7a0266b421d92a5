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
                   timings = static_cast<unsigned>(Command::timings), everywhere = 255;

const OptionEntry own_entries[] = {
    {"--data", "FILE|-|synthetic:NAME", view | run | work,
     "a file, or sample data such as synthetic:grid,n=10000,h=8,noise=0"},
    {"--header", "auto|yes|no", view | run | data,
     "whether the first row of a table names its columns (default: auto)"},
    {"--skip-rows", "N", view | run | data, "skip N lines at the beginning of the file"},
    {"--skip-lines", "2,5", view | run | data, "skip these lines, counted from 1; 0: skip none, not even units"},
    {"--separator", ",|;|tab|blank|CHARACTER", view | run | data,
     "what separates the cells of a table of text (default: what makes the most like a table)"},
    {"--quote", "auto|none", view | run | data,
     "whether double quotes enclose cells, or are characters (default: auto)"},
    {"--decimal", "auto|point|comma", view | run | data,
     "whether a comma may stand before the decimals of a number: 1,5 (default: auto)"},
    {"--text", "A,B,...", view | run | data, "read these columns as texts"},
    {"--numbers", "A,B,...", view | run | data,
     "read these columns as numbers: separators, currency, percent and units are stripped, the rest is missing"},
    {"--drop", "A,B,...", view | run | data, "leave out these columns"},
    {"--label", "COLUMN", view | run | data,
     "the column that colours the points, or none (default: one of a usual name such as class, else the most telling)"},
    {"--columns", "A,B,...", view | run | data, "use only these columns"},
    {"--categories", "A,B,...", view | run, "treat these columns of numbers as categories (metric=gower)"},
    {"--missing", "leave-out|mean", view | run | data,
     "leave out rows with missing values (default), or fill in the column's mean"},
    {"--transpose", "", view | run | data, "turn rows into columns"},
    {"--metadata", "FILE", view | run | data,
     "a second table about the rows, joined by name: its columns colour, filter and label"},
    {"--by", "COLUMN", view | run | data, "the column of --metadata that has the names (default: its first)"},
    {"--similarities", "", view | run, "a matrix holds similarities: distances are the largest of them minus each"},
    {"--mean-of-halves", "", view | run, "the halves of a matrix differ: each distance is the mean of both"},
    {"--edges-are", "length|strength|equal", view | run,
     "what the weights of a graph's edges mean (default: their name or the format says so); strengths become lengths "
     "1/w; equal: each edge is 1 long"},
    {"--components", "all|largest", view | run,
     "which components of a graph are laid out (default: all, side by side)"},
    {"--set", "NAME=VALUE", view | run, "set a parameter (kinescope list SIMULATION names them); repeatable", true},
    {"--preset", "FILE.json", view | run, "parameters from a file, and a report's seed; --set and --seed override it"},
    {"--backend", "auto|cpu|cuda", everywhere,
     "where to compute (default auto: CUDA if a device is found, else the CPU)"},
    {"--threads", "N", everywhere, "CPU threads (default: all)"},
    {"--seed", "N", view | run,
     "seed of random numbers (default: 1); the same seed gives the same result, bit for bit"},
    {"--onto", "FILE", run, "glimmer: place the rows of --data into this layout, whose points do not move"},
    {"--onto-data", "FILE", run, "glimmer: the data that the layout of --onto was made from"},
    {"--workers", "N", view | run, "k-means: compute with N processes on this machine; the result is the same"},
    {"--group", "STORE", run | work,
     "k-means: where workers (kinescope work) find the run: a folder, or redis://HOST:PORT/NAME"},
    {"--listen", "ADDRESS", run | work,
     "k-means: this machine's address, for workers on other machines (default: all workers are here)"},
    {"--timeout", "SECONDS", view | run, "k-means: a worker that is silent for SECONDS counts as lost (default: 1)"},
    {"--long", "", run, "fitzhugh-nagumo: compute though it will last over an hour"},
    {"--resume", "", run, "k-means: continue the run of this --group that was killed"},
    {"--compare", "A,B,...", view,
     "up to three more runs side by side with the first: algorithms, or NAME=VALUE of any parameter"},
    {"--report", "FILE.json|-", view | run, "write figures of the run, such as its time and parameters"},
    {"--trace", "FILE.json", view | run, "write the times of CPU and GPU work as Chrome trace events"},
    {"--at", "ITERATION", view | run, "stop after exactly ITERATION iterations; the window pauses there"},
    {"--headless", "", view, "no window: draw the same scene into memory"},
    {"--frames", "N", view, "stop after N frames (headless default: 240)"},
    {"--until-done", "", view, "stop when the simulation has converged"},
    {"--steps", "N", view,
     "exactly N iterations per frame, instead of a pace in iterations per second (headless default: 1)"},
    {"--size", "WxH", view, "size of the window or picture (default: the last window's; headless: 1280x720)"},
    {"--scale", "N", view, "size of text, controls and marks, from 1 to 3 (default: the one used last; headless: 1)"},
    {"--screenshot", "FILE.png", view, "save the last frame, without panels"},
    {"--figure", "FILE.svg|.pdf|.png", view, "save the last frame as a figure for print"},
    {"--figure-width", "LENGTH", view, "its width: 85mm, 3.3in, 240pt, or pixels (default: 170mm)"},
    {"--figure-height", "LENGTH", view, "its height (default: three quarters of the width)"},
    {"--dpi", "N", view, "its dots per inch (default: 300)"},
    {"--font-size", "POINTS", view, "the size of its letters (default: 8)"},
    {"--title", "TEXT", view, "a title above it"},
    {"--legend", "PLACE", view,
     "its legend: beside (default), upper-right, upper-left, lower-right, lower-left or none"},
    {"--no-scale-bar", "", view, "it has no scale bar"},
    {"--transparent", "", view, "it has no background"},
    {"--no-state", "", view, "pictures do not carry the state that they show"},
    {"--state", "TEXT", view, "open a copied state; kinescope PICTURE.png opens the one that a picture carries"},
    {"--yes", "", view, "open a picture's state without asking (headless: needed)"},
    {"--with-panels", "", view, "the screenshot shows the panels too"},
    {"--record", "FILE.mp4|DIR/", view, "record every frame: as a video if ffmpeg is installed, else as numbered PNGs"},
    {"--timings", "FILE.csv", view, "write the times of each frame, one row per frame"},
    {"--theme", "dark|light", view, "colours of the window (default: those used last; headless: dark)"},
    {"--staged", "", view, "on CUDA: copy what is drawn through the host instead of sharing it, for comparison"},
    {"--test-ids", "", view, ""},
    {"--debug-opengl", "", view, ""},
    {"--csv", "FILE", bench | timings, "write the rows as CSV; after Ctrl-C, those measured so far"},
    {"--plot", "FILE.svg", bench | timings, "plot quality against seconds; of timings: how many frames took how long"},
    {"--data-directory", "DIR", bench,
     "the folder with the published data (default: the environment variable KINESCOPE_DATA)"},
    {"--quick", "", bench, "at most 2,000 points, each row measured once"},
    {"--markdown", "", list, ""},
    {"--help", "", everywhere, "show this text; kinescope COMMAND --help explains one command"},
    {"--version", "", everywhere, "show the program's version"},
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
  auto place = std::ranges::find(entries, "--report", &OptionEntry::name);
  for (const sim::SimulationKind* kind : simulation_kinds())
    for (const sim::OutputKind& output : kind->outputs) {
      const std::string name = "--" + output.option;
      const std::string meaning = output.option == "out" ? "the result" : kind->name + ": " + output.meaning;
      const auto known = std::ranges::find(entries, name, &OptionEntry::name);
      if (known == entries.end())
        place = entries.insert(place, {name, endings_of(output.option), run, meaning}) + 1;
      else if (output.option != "out")
        known->meaning += "; " + meaning;
    }
  return entries;
}

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
  const auto found = std::ranges::find(entries, name, &OptionEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

const char* command_name(Command command) {
  return std::ranges::find(command_table, command, &CommandEntry::command)->name;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandEntry& entry : command_table) names.emplace_back(entry.name);
  return names;
}

std::string help_text() {
  std::string text = "Kinescope runs simulations on the GPU, or on the CPU, and shows them live.\n\nUsage:\n";
  for (const CommandEntry& entry : command_table) text += fmt::format("  {:46}  {}\n", entry.usage, entry.meaning);
  return text + "\n" + options_text(view | run | bench);
}

std::string help_text(Command command) {
  const CommandEntry& entry = *std::ranges::find(command_table, command, &CommandEntry::command);
  return fmt::format("Usage: {}\n  {}\n\n", entry.usage, entry.meaning) + options_text(static_cast<unsigned>(command));
}

}  // namespace kinescope::app
