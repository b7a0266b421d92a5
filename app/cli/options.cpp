#include "app/cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <limits>
#include <utility>

#include "app/cli/option_table.hpp"
#include "app/io/settings.hpp"
#include "app/runs/registry.hpp"
#include "kinescope/error.hpp"
#include "sim/core/suggest.hpp"

namespace kinescope::app {
namespace {

using sim::input_error;

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const OptionEntry& entry : option_table())
    if (!entry.meaning.empty()) names.emplace_back(entry.name);
  return names;
}

// CLI11 would take the next option for a missing value, and its messages have several lines. So errors in an option or
// its value are found here, before it parses.
void check_values_present(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") return;
    const std::size_t equals = argument.find('=');
    const OptionEntry* entry = find_option(argument.substr(0, equals));
    if (!entry) continue;
    const bool inside = equals != std::string_view::npos;
    if (!entry->takes_value()) {
      if (inside) throw input_error(fmt::format("{} takes no value", entry->name));
      continue;
    }
    const std::string_view value = inside ? argument.substr(equals + 1) : i + 1 < argc ? argv[++i] : "";
    if (value.empty() || (!inside && (value == "--" || find_option(value.substr(0, value.find('='))))))
      throw input_error(fmt::format("{0} needs a value: {0} {1}", entry->name, entry->value));
  }
}

// "; it is a parameter of k-means: --set clusters=3", if the simulation among the words has one of the option's name.
std::string parameter_hint(const std::vector<std::string>& words, std::size_t option) {
  for (const CommandEntry& each : command_table)
    if (words.front() == each.name && !find_option("--set")->belongs_to(each.command)) return "";
  const sim::SimulationKind* kind = simulation_kinds().front();
  for (const std::string& word : words)
    if (const sim::SimulationKind* found = find_simulation(word)) kind = found;
  const std::size_t equals = words[option].find('=');
  std::string name = words[option].substr(0, equals);
  name.erase(0, name.find_first_not_of('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  if (!kind->make_parameters()->find(name)) return "";
  std::string value = option + 1 < words.size() ? words[option + 1] : "VALUE";
  if (equals != std::string::npos) value = words[option].substr(equals + 1);
  return fmt::format("; it is a parameter of {}: --set {}={}", kind->name, name, value);
}

// Splits the arguments into options with their values and the words between them.
std::vector<std::string> split_arguments(int argc, char** argv, OptionValues& values) {
  check_values_present(argc, argv);
  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  for (const OptionEntry& entry : option_table()) {
    const std::string names = entry.name == "--help" ? "-h,--help" : entry.name;
    if (entry.takes_value())
      parser
          .add_option_function<std::vector<std::string>>(names,
                                                         [&, name = entry.name](auto& found) { values[name] = found; })
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    else
      parser.add_flag_function(names, [&, name = entry.name](auto) { values[name]; });
  }
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError&) {
    throw input_error("the command line cannot be read; see kinescope --help");
  }
  std::vector<std::string> words;
  bool words_only = false;
  const std::vector<std::string> remaining = parser.remaining();
  for (std::size_t i = 0; i < remaining.size(); ++i) {
    const std::string& word = remaining[i];
    if (!words_only && word == "--") {
      words_only = true;
    } else if (!words_only && word.size() > 1 && word.front() == '-') {
      const std::string name = word.substr(0, word.find('='));
      const std::string hint = parameter_hint(remaining, i);
      throw input_error(
          fmt::format("unknown option '{}'{}", name, hint.empty() ? sim::suggestion(name, option_names()) : hint));
    } else {
      words.push_back(word);
    }
  }
  return words;
}

template <class T>
T number(std::string_view name, std::string_view text, T minimum, T maximum, const char* what = "a whole number") {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= minimum && value <= maximum))
    throw input_error(fmt::format("{}: expected {} from {} to {}, found '{}'", name, what, minimum, maximum, text));
  return value;
}

template <class T>
T one_of(std::string_view name, std::string_view text, std::initializer_list<std::pair<std::string_view, T>> choices) {
  std::string expected;
  for (const auto& [choice, value] : choices) {
    if (choice == text) return value;
    expected += (expected.empty() ? "" : "|") + std::string(choice);
  }
  throw input_error(fmt::format("{}: expected one of {}, found '{}'", name, expected, text));
}

// Splits "A,B,...". A name in double quotes may hold commas, and a doubled quote in it stands for one quote.
std::vector<std::string> list_of_names(std::string_view option, std::string_view text) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      names.back() += text[i++];
    else if (text[i] == '"')
      quoted = !quoted;
    else if (text[i] == ',' && !quoted)
      names.emplace_back();
    else
      names.back() += text[i];
  }
  for (const std::string& name : names)
    if (name.empty() || quoted) throw input_error(fmt::format("{}: expected A,B,..., found '{}'", option, text));
  return names;
}

// A character, or the name of one that is hard to type.
char separator(std::string_view option, std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "blank") return ' ';
  const bool divides = text.size() == 1 && text != "\"" && text != "\n" && text != "\r" &&
                       static_cast<unsigned char>(text.front()) < 0x80;
  if (!divides) throw input_error(fmt::format("{}: expected one character, tab or blank, found '{}'", option, text));
  return text.front();
}

void read_size(std::string_view text, Options& options) {
  const std::size_t cross = text.find_first_of("xX");
  const auto side = [&](std::string_view part) {
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool good = error == std::errc() && end == part.data() + part.size() && value >= 16 && value <= 16384;
    if (!good) throw input_error(fmt::format("--size: expected WxH, each from 16 to 16384, found '{}'", text));
    return value;
  };
  options.width = side(text.substr(0, cross));
  options.height = side(cross == std::string_view::npos ? "" : text.substr(cross + 1));
}

// The options that say how data are read, each with what sets its value in a request.
constexpr std::size_t most_lines = 1'000'000'000;
using ApplyOption = void (*)(const std::string& name, const std::string& value, sim::DataRequest& request);
constexpr std::pair<const char*, ApplyOption> data_options[] = {{"--label",
                                                                 [](auto&, auto& value, auto& request) {
                                                                   request.label = value;
                                                                 }},
                                                                {"--columns",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.columns = list_of_names(name, value);
                                                                 }},
                                                                {"--categories",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.categories = list_of_names(name, value);
                                                                 }},
                                                                {"--missing",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.missing = one_of<sim::Missing>(
                                                                       name, value,
                                                                       {{"leave-out", sim::Missing::leave_out},
                                                                        {"mean", sim::Missing::mean}});
                                                                 }},
                                                                {"--header",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.header = one_of<sim::Header>(
                                                                       name, value,
                                                                       {{"auto", sim::Header::automatic},
                                                                        {"yes", sim::Header::yes},
                                                                        {"no", sim::Header::no}});
                                                                 }},
                                                                {"--skip-rows",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.skip_rows =
                                                                       number<std::size_t>(name, value, 0, most_lines);
                                                                 }},
                                                                {"--skip-lines",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.skip_lines.clear();
                                                                   for (const std::string& line :
                                                                        list_of_names(name, value))
                                                                     request.format.skip_lines.push_back(
                                                                         number<std::size_t>(name, line, 0,
                                                                                             most_lines));
                                                                   std::ranges::sort(request.format.skip_lines);
                                                                 }},
                                                                {"--separator",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.separator = separator(name, value);
                                                                 }},
                                                                {"--quote",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.quotes = one_of<sim::Quotes>(
                                                                       name, value,
                                                                       {{"auto", sim::Quotes::automatic},
                                                                        {"none", sim::Quotes::none}});
                                                                 }},
                                                                {"--decimal",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.decimal = one_of<sim::DecimalMark>(
                                                                       name, value,
                                                                       {{"auto", sim::DecimalMark::automatic},
                                                                        {"point", sim::DecimalMark::point},
                                                                        {"comma", sim::DecimalMark::comma}});
                                                                 }},
                                                                {"--text",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.texts = list_of_names(name, value);
                                                                 }},
                                                                {"--numbers",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.numbers = list_of_names(name, value);
                                                                 }},
                                                                {"--drop",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.format.drop = list_of_names(name, value);
                                                                 }},
                                                                {"--transpose",
                                                                 [](auto&, auto&,
                                                                    auto& request) { request.transpose = true; }},
                                                                {"--metadata",
                                                                 [](auto&, auto& value,
                                                                    auto& request) { request.metadata = value; }},
                                                                {"--by", [](auto&, auto& value,
                                                                            auto& request) { request.by = value; }},
                                                                {"--similarities",
                                                                 [](auto&, auto&,
                                                                    auto& request) { request.similarities = true; }},
                                                                {"--mean-of-halves",
                                                                 [](auto&, auto&,
                                                                    auto& request) { request.mean_of_halves = true; }},
                                                                {"--edges-are",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.edges_are = one_of<sim::EdgesAre>(
                                                                       name, value,
                                                                       {{"length", sim::EdgesAre::lengths},
                                                                        {"strength", sim::EdgesAre::strengths},
                                                                        {"equal", sim::EdgesAre::equal}});
                                                                 }},
                                                                {"--components",
                                                                 [](auto& name, auto& value, auto& request) {
                                                                   request.components = one_of<sim::Components>(
                                                                       name, value,
                                                                       {{"all", sim::Components::all},
                                                                        {"largest", sim::Components::largest}});
                                                                 }}};

// What the figure is to be. Without --size the frames have its shape, so that it shows what they were framed for.
void read_figure(const OptionValues& values, Options& options) {
  const auto given = [&](const std::string& name) { return values.find(name) != values.end(); };
  const auto text = [&](const std::string& name) { return values.find(name)->second.front(); };
  for (const char* name : {"--figure-width", "--figure-height", "--dpi", "--font-size", "--title", "--legend",
                           "--no-scale-bar", "--transparent"})
    if (given(name) && !given("--figure")) throw input_error(std::string(name) + " is for --figure FILE.svg");
  if (!given("--figure")) return;
  FigureOptions& figure = options.figure_options;
  if (given("--dpi")) figure.dpi = number("--dpi", text("--dpi"), least_dpi, most_dpi, "dots per inch");
  if (given("--font-size"))
    figure.font_size = number("--font-size", text("--font-size"), least_font_size, most_font_size, "points");
  const auto read_length = [&](const std::string& name, double& millimetres) {
    if (!given(name)) return;
    const std::optional<double> length = length_of(text(name), figure.dpi);
    if (!length) throw input_error(name + ": '" + text(name) + "' is no length, such as 85mm, 3.3in, 240pt or 1200px");
    millimetres = *length;
  };
  read_length("--figure-width", figure.width);
  read_length("--figure-height", figure.height);
  if (given("--legend"))
    figure.legend = one_of<LegendPlace>("--legend", text("--legend"),
                                        {{"upper-right", LegendPlace::upper_right},
                                         {"upper-left", LegendPlace::upper_left},
                                         {"lower-right", LegendPlace::lower_right},
                                         {"lower-left", LegendPlace::lower_left},
                                         {"beside", LegendPlace::beside},
                                         {"none", LegendPlace::none}});
  figure.scale_bar = !given("--no-scale-bar");
  check(figure);
  const glm::vec2 frame = glm::vec2(figure.pixels()) / figure.scale();
  options.width = std::clamp(int(std::lround(frame.x)), 16, 8192);
  options.height = std::clamp(int(std::lround(frame.y)), 16, 8192);
}

void read_values(const OptionValues& values, Options& options) {
  const auto given = [&](std::string_view name) { return values.find(name) != values.end(); };
  const auto text = [&](std::string_view name) {
    return given(name) ? values.find(name)->second.front() : std::string();
  };
  const std::pair<const char*, bool*> switches[] = {{"--help", &options.help},
                                                    {"--version", &options.version},
                                                    {"--resume", &options.workers.resume},
                                                    {"--headless", &options.headless},
                                                    {"--until-done", &options.until_done},
                                                    {"--with-panels", &options.with_panels},
                                                    {"--test-ids", &options.test_ids},
                                                    {"--staged", &options.staged},
                                                    {"--debug-opengl", &options.debug_opengl},
                                                    {"--markdown", &options.markdown},
                                                    {"--long", &options.longer},
                                                    {"--no-state", &options.no_state},
                                                    {"--transparent", &options.figure_options.transparent},
                                                    {"--yes", &options.yes},
                                                    {"--quick", &options.quick}};
  for (const auto& [name, place] : switches) *place = given(name);
  const std::pair<const char*, std::string*> texts[] = {{"--preset", &options.preset},
                                                        {"--report", &options.report},
                                                        {"--trace", &options.trace},
                                                        {"--onto", &options.onto},
                                                        {"--onto-data", &options.onto_data},
                                                        {"--group", &options.workers.group},
                                                        {"--listen", &options.workers.listen},
                                                        {"--screenshot", &options.screenshot},
                                                        {"--figure", &options.figure},
                                                        {"--title", &options.figure_options.title},
                                                        {"--record", &options.record},
                                                        {"--timings", &options.timings},
                                                        {"--state", &options.state},
                                                        {"--csv", &options.csv},
                                                        {"--plot", &options.plot},
                                                        {"--data", &options.data.source}};
  for (const auto& [name, place] : texts) *place = text(name);
  for (const auto& each : data_options)
    if (given(each.first)) options.data_options.insert(*values.find(each.first));
  apply_data_options(options.data_options, options.data);
  if (given("--set")) options.set = values.find("--set")->second;
  if (given("--backend"))
    options.backend = one_of<BackendChoice>(
        "--backend", text("--backend"),
        {{"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}});
  if (given("--threads")) options.threads = number("--threads", text("--threads"), 1, 4096);
  if (given("--seed"))
    options.seed = number<std::uint64_t>("--seed", text("--seed"), 0, std::numeric_limits<std::uint64_t>::max());
  for (const sim::SimulationKind* kind : simulation_kinds())
    for (const sim::OutputKind& output : kind->outputs)
      if (given("--" + output.option)) options.outputs[output.option] = text("--" + output.option);
  if (given("--compare")) options.compare = list_of_names("--compare", text("--compare"));
  if (given("--workers")) options.workers.count = number("--workers", text("--workers"), 1, 1024);
  options.timeout_given = given("--timeout");
  if (options.timeout_given) options.workers.timeout = number("--timeout", text("--timeout"), 0.2, 3600.0, "seconds");
  if (given("--theme")) options.light = one_of<bool>("--theme", text("--theme"), {{"dark", false}, {"light", true}});
  if (given("--frames")) options.frames = number("--frames", text("--frames"), 1l, 1'000'000'000l);
  if (given("--steps")) options.steps = number("--steps", text("--steps"), 1l, 1'000'000'000l);
  if (given("--at")) options.at = number("--at", text("--at"), 0l, 1'000'000'000l);
  if (given("--at") && given("--frames"))
    throw input_error("--at and --frames both set the end of the run: give only one of them");
  read_figure(values, options);
  options.size_given = given("--size");
  if (options.size_given) read_size(text("--size"), options);
  if (given("--scale")) options.scale = number("--scale", text("--scale"), least_scale, most_scale, "a number");
  const char* published = std::getenv("KINESCOPE_DATA");
  options.data_directory = given("--data-directory") ? text("--data-directory") : published ? published : "";
}

// Which commands an option is for: "view", "view and run", "view, run and work".
std::string commands_of(const OptionEntry& entry) {
  std::string text, last;
  for (const CommandEntry& each : command_table) {
    if (!entry.belongs_to(each.command)) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = each.name;
  }
  return text.empty() ? last : text + " and " + last;
}

}  // namespace

void apply_data_options(const OptionValues& options, sim::DataRequest& request) {
  for (const auto& [name, set] : data_options)
    if (const auto found = options.find(name); found != options.end())
      set(name, found->second.empty() ? "" : found->second.front(), request);
}

Options parse_options(int argc, char** argv) {
  Options options;
  OptionValues values;
  std::vector<std::string> words = split_arguments(argc, argv, values);
  for (const CommandEntry& each : command_table)
    if (!words.empty() && words.front() == each.name) {
      options.command = each.command;
      options.command_named = true;
      words.erase(words.begin());
      break;
    }
  for (const auto& [name, found] : values) {
    const OptionEntry& entry = *find_option(name);
    if (!entry.belongs_to(options.command))
      throw input_error(
          fmt::format("{} is an option of {}, not of {}", name, commands_of(entry), command_name(options.command)));
    if (found.size() > 1 && !entry.repeatable) throw input_error(fmt::format("{} is given more than once", name));
  }
  read_values(values, options);
  if (std::find(words.begin(), words.end(), "") != words.end()) throw input_error("an argument is empty");
  if (!options.command_named && words.size() > 1 && !find_simulation(words.front()))
    throw input_error(
        fmt::format("there is no command '{0}'{1}", words.front(), sim::suggestion(words.front(), command_names())));
  if (options.command == Command::bench) {
    options.experiments = std::move(words);
    return options;
  }
  const std::size_t taken = options.command == Command::devices || options.command == Command::work ? 0
                            : options.command == Command::timings                                   ? 2
                                                                                                    : 1;
  if (words.size() > taken) {
    const std::string& word = words[taken];
    std::error_code error;
    const bool is_file = taken > 0 && std::filesystem::exists(word, error);
    throw input_error(fmt::format("unexpected argument '{}' after {}{}", word,
                                  taken > 0 ? "'" + words[taken - 1] + "'" : command_name(options.command),
                                  is_file ? "; to use the file as data: --data " + word : ""));
  }
  if (!words.empty()) options.subject = words.front();
  if (options.command == Command::timings) {
    if (words.empty() && !options.help && !options.version)
      throw input_error("timings needs one or two files of --timings: kinescope timings A.csv [B.csv]");
    options.recordings = std::move(words);
    return options;
  }
  if (options.command == Command::data && words.empty() && !options.help && !options.version)
    throw input_error("data needs a file: kinescope data FILE");
  return options;
}

}  // namespace kinescope::app
