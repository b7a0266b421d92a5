#include "app/panels/data_panel.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <memory>
#include <vector>

#include "app/runs/registry.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/data/metric.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/text.hpp"
#include "sim/data/unread.hpp"

namespace kinescope::app {
namespace {

const SampleData samples[] = {
    {"Cities of Europe", "cities.csv", "The distances between 63 cities; their layout is the map of Europe", "matrix"},
    {"Small world", "synthetic:small-world", "A ring in which a few edges lead far away", "graph"},
    {"Grid graph", "synthetic:grid-graph", "Points of a square grid, each joined to its neighbours", "graph"},
    {"Sierpinski triangle", "synthetic:sierpinski", "Triangles made of triangles, as a graph", "graph"},
    {"Colours", "synthetic:colours,n=4096", "The sRGB cube in CIELAB, each point in its own colour"},
    {"Grid", "synthetic:grid,n=10000,h=8", "A square grid in eight dimensions"},
    {"Swiss roll", "synthetic:swissroll,n=1089", "A rolled-up sheet in space"},
    {"Simplex", "synthetic:simplex,n=100", "Points that are all equally far from each other"},
    {"Gaussians", "synthetic:gaussians,n=20000,k=3,clusters=6", "Six clouds in space"},
};

// The id of a suggestion's button, for GUI tests.
const char* suggestion_id(sim::Suggestion::Kind kind) {
  using Kind = sim::Suggestion::Kind;
  switch (kind) {  // the compiler names a kind that is missing
    case Kind::fill_missing:
      return "suggestion.fill-missing";
    case Kind::leave_out_incomplete:
      return "suggestion.leave-out-incomplete";
    case Kind::leave_out_counters:
      return "suggestion.leave-out-counters";
    case Kind::use_as_label:
      return "suggestion.use-as-label";
    case Kind::use_categories:
      return "suggestion.use-categories";
    case Kind::standardize:
      return "suggestion.standardize";
    case Kind::use_as_distances:
      return "suggestion.use-as-distances";
    case Kind::use_great_circles:
      return "suggestion.use-great-circles";
    case Kind::transpose:
      return "suggestion.transpose";
    case Kind::use_as_graph:
      return "suggestion.use-as-graph";
    case Kind::take_as_lengths:
      return "suggestion.take-as-lengths";
    case Kind::take_as_strengths:
      return "suggestion.take-as-strengths";
  }
  return "suggestion";
}

// Whether any simulation offers this metric.
bool offers_metric(const std::string& metric) {
  static const std::vector<std::string> known = [] {
    std::vector<std::string> options;
    for (const sim::SimulationKind* kind : simulation_kinds()) {
      const auto parameters = kind->make_parameters();
      if (const auto* choice = parameters->find<sim::MetricParameter>())
        options.insert(options.end(), choice->options().begin(), choice->options().end());
    }
    return options;
  }();
  return std::find(known.begin(), known.end(), metric) != known.end();
}

// The path of a file of assets/data, where the program was built or where it is installed; "" if it is in neither.
std::string sample_file(const std::string& name) {
  static std::map<std::string, std::string> known;
  const auto [found, is_new] = known.try_emplace(name);
  if (!is_new) return found->second;
  std::error_code error;
  const auto root = std::filesystem::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  for (const char* folder : {"assets/data", "share/kinescope/data"})
    if (const auto path = root / folder / name; std::filesystem::exists(path, error)) found->second = path.string();
  return found->second;
}

}  // namespace

std::vector<SampleData> sample_data() {
  std::vector<SampleData> offered;
  for (SampleData sample : samples) {
    if (sample.metric == "matrix") sample.source = sample_file(sample.source);
    if (!sample.source.empty() && (sample.metric.empty() || offers_metric(sample.metric))) offered.push_back(sample);
  }
  return offered;
}

void open_sample(Session& session, const SampleData& sample) {
  if (sample.metric.empty())
    session.open({.source = sample.source});
  else
    session.open({.source = sample.source}, {{sim::MetricParameter().name(), sample.metric}});
}

std::string short_name(const std::string& source) {
  return sim::is_made(source) ? source.substr(sim::made_prefix.size())
                              : std::filesystem::path(source).filename().string();
}

void DataPanel::draw(Ui& ui, Session& session, const Settings& settings, ParameterPanel& parameters,
                     const std::string& about, const DrawSections& sections) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  for (const sim::SimulationKind* kind : simulation_kinds()) {
    const bool shown = kind == &session.kind();
    if (list_row(ui, ("scene." + kind->name).c_str(), kind->title, kind->summary.c_str(), shown)) session.show(*kind);
    if (!shown) continue;
    gap(ui, 4);
    caption(ui, about.c_str());
    ui.ids.last_item("about");
    gap(ui, 8);
  }
  ImGui::PopStyleVar();
  gap(ui, 8);
  draw_open(ui);
  if (session.loading()) draw_loading(ui, session);
  if (session.data()) draw_data(ui, session, parameters, sections);
  draw_sources(ui, session, settings);
}

void DataPanel::draw_loading(Ui& ui, Session& session) {
  heading(ui, "Opening");
  caption(ui, short_name(session.loading_name()).c_str());
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(4);
  ImGui::Dummy({width, ui.px(8)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, {low.x + width, low.y + height}, ui.theme->control_hovered, height / 2);
  list->AddRectFilled(low, {low.x + width * std::clamp(session.loading_fraction(), 0.02f, 1.f), low.y + height},
                      ui.theme->accent, height / 2);
  if (button(ui, "cancel-loading", "Cancel", "Stop opening the file; the present data stay open", ButtonKind::plain,
             -1))
    session.cancel();
  gap(ui, 16);
}

void DataPanel::draw_data(Ui& ui, Session& session, ParameterPanel& parameters, const DrawSections& sections) {
  const sim::Dataset& data = *session.data();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  ImFont* font = ui.fonts.caption;
  const float room = ImGui::GetContentRegionAvail().x - ui.px(48);
  heading(ui, "Data", shortened(font, short_name(session.request().source), room).c_str());
  if (data.findings) {
    std::string decided = session.request().source + "\n";
    for (const std::string& sentence : data.findings->sentences()) decided += upper_first(sentence) + ".\n";
    decided.pop_back();
    help_for_last_item(ui, decided.c_str());
  }
  std::string points = sim::with_commas(data.points), help = "Points";
  if (!data.distances()) points += " × " + sim::with_commas(data.dimensions), help += " × dimensions";
  if (!data.rows_left_out.empty()) {
    points += ", " + sim::count_of(data.rows_left_out.size(), data.graph ? "node" : "row") + " left out";
    help += data.graph ? "; nodes of smaller components are not used" : "; rows with missing values are not used";
  }
  fact(ui, "Points", points);
  help_for_last_item(ui, help.c_str());
  if (data.distances()) caption(ui, upper_first(data.distances()->description()).c_str());
  if (data.sparse()) {
    fact(ui, "Nonzero values",
         sim::with_commas(data.sparse()->value.size()) + ", " + sim::bytes_text(data.sparse()->bytes()));
    help_for_last_item(ui, "The number of nonzero values, and the memory that they take");
  }
  gap(ui, 4);
  draw_findings(ui, session, parameters);
  sections(Section::Panel::data);
  for (sim::Parameter* parameter : session.parameters().all()) {
    if (session.parameters().role(*parameter, session.data().get()) != sim::Role::data) continue;
    if (auto* normalize = dynamic_cast<sim::NormalizeParameter*>(parameter))
      draw_normalize(ui, session, *normalize, parameters);
    else
      parameters.draw_parameter(ui, session, *parameter);
  }
  sections(Section::Panel::below_data);
  ImGui::PopStyleVar();
  gap(ui, 16);
}

// Draws suggestions for reading the file better, each with a button that applies it, and remarks on far-off rows and on
// columns that were read as text.
void DataPanel::draw_findings(Ui& ui, Session& session, ParameterPanel& parameters) {
  const std::shared_ptr<const sim::Findings> findings = session.data()->findings;
  if (!findings) return;
  bool any = draw_tables(ui, session);
  for (const sim::Suggestion& suggestion : findings->suggestions) {
    if (!applies(suggestion, session.parameters())) continue;
    any = true;
    const std::string help =
        fmt::format("{}.\n{}: {}", upper_first(suggestion.sentence), suggestion.action, suggestion.option);
    if (!offer(ui, suggestion_id(suggestion.kind), suggestion.brief, suggestion.brief_action, help)) continue;
    if (!suggestion.parameter.empty())
      parameters.set(session, suggestion.parameter, suggestion.value);
    else
      session.open(apply(suggestion, session.request()));
  }
  if (hides_the_rest(*findings, session.parameters())) {
    any = true;
    caption(ui, "Far-off rows hide the others");
    ui.ids.last_item("far-rows");
    help_for_last_item(ui, (upper_first(findings->far_rows) + ".").c_str());
  }
  std::string unread, help;
  for (const sim::ColumnFinding& column : findings->columns) {
    if (column.unread.empty()) continue;
    unread += (unread.empty() ? "Read as text: " : ", ") + column.name;
    help += upper_first(column.unread_sentence) + ".\n";
  }
  if (!unread.empty()) {
    any = true;
    help.pop_back();
    caption(ui, shortened(ui.fonts.caption, unread, ImGui::GetContentRegionAvail().x).c_str());
    ui.ids.last_item("unread");
    help_for_last_item(ui, help.c_str());
  }
  if (any) gap(ui, 4);
}

// Says that the table is transposed and that a second one is joined, each with a button that undoes it.
bool DataPanel::draw_tables(Ui& ui, Session& session) {
  const sim::DataRequest& request = session.request();
  const auto open = [&](sim::DataRequest changed) {
    changed.label.clear();  // the columns are others
    changed.columns.clear();
    changed.categories.clear();
    session.open(std::move(changed));
  };
  if (request.transpose && offer(ui, "transposed", "Transposed", "Turn back",
                                 "The columns of the file are the rows here.\nTurn back: open it as it is (without "
                                 "--transpose)")) {
    sim::DataRequest changed = request;
    changed.transpose = false;
    changed.metadata.clear();  // it tells of the rows as they were
    changed.by.clear();
    open(std::move(changed));
  } else if (!request.metadata.empty()) {
    std::string help = request.metadata + "\n";
    for (const std::string& remark : session.data()->table.remarks) help += upper_first(remark) + ".\n";
    if (offer(ui, "joined", "Joined: " + short_name(request.metadata), "Remove",
              help + "Remove: open the data without this table (without --metadata)")) {
      sim::DataRequest changed = request;
      changed.metadata.clear();
      changed.by.clear();
      open(std::move(changed));
    }
  }
  return request.transpose || !request.metadata.empty();
}

void DataPanel::draw_normalize(Ui& ui, Session& session, const sim::NormalizeParameter& normalize,
                               ParameterPanel& parameters) {
  if (session.data()->sparse() || session.data()->distances() || !session.parameters().applies(normalize)) return;
  std::size_t index = normalize.index();
  std::vector<std::string> names = normalize.labels();
  if (session.standardized_by_itself() && index == 0) names[0] = "Standardized";
  if (choice(ui, "parameter.normalize", "Normalize",
             "How columns are made comparable before distances are computed.\nAutomatic: standardize if one column "
             "alone makes more than 90 % of the squared distances, unless columns are places.\nStandardize: mean 0, "
             "standard deviation 1.\nChanging this restarts the run.",
             normalize.labels(), index, names))
    parameters.set(session, normalize.name(), normalize.options()[index]);
}

void DataPanel::draw_open(Ui& ui) {
  wants_dialog_ = button(ui, "open-file", "Open…", "Choose a file (Ctrl O)") || wants_dialog_;
  ImGui::SameLine();
  if (text_field(ui, "open-path", "or type a path",
                 "Type a path and press Enter, or drop a file on the window. Sample data also work, such as "
                 "synthetic:grid,n=10000,h=8",
                 typed_) &&
      !typed_.empty()) {
    wanted_ = typed_;
    typed_.clear();
  }
}

void DataPanel::draw_sources(Ui& ui, Session& session, const Settings& settings) {
  heading(ui, "Other data");
  const auto open = [&](const std::string& source) { wanted_ = source; };
  const auto section = [&](const char* title) {
    gap(ui, 12);
    caption(ui, title);
    gap(ui, 4);
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  if (!offered_.path.empty()) {
    section("Last session");
    if (list_row(ui, "last-session", offered_.title, "Open it as it was left: data, parameters, camera, colours",
                 false))
      open(offered_.path);
  }
  if (!settings.recent.empty()) {
    section("Recent");
    for (std::size_t i = 0; i < settings.recent.size(); ++i)
      if (list_row(ui, fmt::format("recent.{}", i).c_str(), short_name(settings.recent[i]), settings.recent[i].c_str(),
                   settings.recent[i] == whole_path(session.request().source)))
        open(settings.recent[i]);
  }
  section("Sample data");
  for (const SampleData& sample : sample_data())
    if (list_row(ui, fmt::format("made.{}", sample.name).c_str(), sample.name, sample.help,
                 session.request().source == sample.source))
      open_sample(session, sample);
  ImGui::PopStyleVar();
}

}  // namespace kinescope::app
