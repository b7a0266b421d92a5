// What the workbench lists in its command palette.
#include <utility>

#include "app/runs/registry.hpp"
#include "app/view/palette/palette.hpp"
#include "app/view/workbench.hpp"

namespace kinescope::app {
namespace {

// All but the palette itself, which is the first.
std::vector<PaletteEntry> command_entries(const Commands& commands) {
  std::vector<PaletteEntry> entries;
  for (const HelpLine& line : commands.help())
    for (const Command& command : line.commands)
      entries.push_back({command.title, command.detail, key_text(command.key), command.run});
  entries.erase(entries.begin());
  return entries;
}

}  // namespace

void Workbench::show_palette() {
  if (!session_.runner()) return;
  std::vector<PaletteEntry> entries = command_entries(commands_);
  const auto add = [&](PaletteEntry entry) { entries.push_back(std::move(entry)); };
  for (sim::Parameter* parameter : session_.parameters().all()) {
    const sim::Role role = session_.parameters().role(*parameter, session_.data().get());
    if (role == sim::Role::elsewhere || !session_.parameters().applies(*parameter)) continue;
    // The kind may be another one once this is chosen: set() ignores a name that it does not know.
    add({label_of(parameter->name()), "Parameter, now " + parameter->text(), "",
         [this, name = parameter->name()] {
           panels_.show_sides();
           right_tabs_.show("Parameters");
           parameter_panel_.reveal(ui_, session_, name);
         },
         [this, name = parameter->name()](const std::string& value) {
           try {
             parameter_panel_.set(session_, name, value);
           } catch (const sim::Error& error) {
             notices_.complain(error);
           }
         }});
  }
  const auto tab = [&](const std::string& title) {
    add({title, "Tab", "", [this, title] {
           panels_.show_sides();
           right_tabs_.show(title);
         }});
  };
  for (const char* title : {"Parameters", "View"}) tab(title);
  for (const Tab* each : contributors_.offered(&Contributions::tabs)) tab(each->title);
  const auto plot = [&](const std::string& title, std::size_t index) {
    add({title, "Plot", "", [this, index] {
           panels_.show_sides();
           corner_tab_ = index;
         }});
  };
  plot("Frame times", 0);
  for (std::size_t index = 1; const Tab* each : contributors_.offered(&Contributions::plots))
    plot(each->title, index++);
  for (const std::string& source : settings_.recent)
    add({short_name(source), "Recent data, " + source, "", [this, source] { opening_.open(source); }});
  for (const SampleData& sample : sample_data())
    add({sample.name, std::string("Sample data. ") + sample.help, "",
         [this, sample] { open_sample(session_, sample); }});
  palette_.show(std::move(entries));
}

}  // namespace kinescope::app
