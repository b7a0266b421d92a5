// kinescope list: the simulations, or the parameters of one.

#include "app/cli/commands/commands.hpp"
#include "app/io/output.hpp"
#include "app/io/streams.hpp"
#include "app/runs/registry.hpp"

namespace kinescope::app {
namespace {

Rows parameter_rows(sim::ParameterSet& parameters) {
  Rows rows = {{"name", "type", "range", "default", "unit", "meaning"}};
  const auto cell = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
  for (const sim::Parameter* parameter : parameters.all())
    rows.push_back({parameter->name(), parameter->type_name(), cell(parameter->range_text()),
                    cell(parameter->default_text()), cell(parameter->unit()), parameter->meaning()});
  return rows;
}

// The same as a table of Markdown, for the pages of docs/manual.
std::string markdown(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i]) {
      text += "| ";
      for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " ";
    }
    text += "|\n";
    if (i == 0) {
      for (std::size_t column = 0; column < rows[i].size(); ++column) text += "|---";
      text += "|\n";
    }
  }
  return text;
}

}  // namespace

void list_command(const Options& options) {
  choose_processor(options.backend);  // --backend cuda without a device is an error everywhere
  if (options.subject.empty()) {
    Rows rows = {{"simulation", "default data", "what it is"}};
    for (const sim::SimulationKind* kind : simulation_kinds())
      rows.push_back({kind->name, kind->default_data.empty() ? "-" : kind->default_data, kind->summary});
    return print_text(options.markdown ? markdown(rows) : aligned(rows));
  }
  const sim::SimulationKind& kind = choose_simulation(options.subject);
  const Rows rows = parameter_rows(*kind.make_parameters());
  if (options.markdown) return print_text(markdown(rows));
  print("{}: {}\n", kind.name, kind.summary);
  if (!kind.default_data.empty()) print("default data: {}\n", kind.default_data);
  print("figure of merit: {}\n\n{}", kind.figure_name, aligned(rows));
}

}  // namespace kinescope::app
