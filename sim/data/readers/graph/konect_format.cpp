// Edges as KONECT writes them: "% sym positive", then lines of two nodes and optionally a weight and a time.
#include <cstdint>
#include <string>
#include <string_view>

#include "kinescope/error.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// The words of the first line, "% sym unweighted".
struct KonectKind {
  std::string_view edges;  // sym, asym or bip; "": this is not a file of KONECT
  bool weighted = false;
};

KonectKind konect_kind(std::string_view line) {
  line = line.substr(0, line.find_first_of("\r\n"));
  if (next_word(line) != "%") return {};
  const std::string_view edges = next_word(line), weights = next_word(line);
  if ((edges != "sym" && edges != "asym" && edges != "bip") || !next_word(line).empty()) return {};
  for (const std::string_view each : {"unweighted", "positive", "posweighted", "signed", "multisigned", "weighted",
                                      "multiweighted", "multiposweighted", "dynamic"})
    if (weights == each) return {edges, each != "unweighted" && each != "dynamic"};
  return {};
}

Table read_konect(const SourceFile& source) {
  GraphBuilder builder(source);
  builder.declares_nodes = false;
  TextLines lines(source.file);
  KonectKind kind;
  std::string edges;
  while (lines.next()) {
    std::string_view rest = lines.text();
    if (edges.empty()) {
      kind = konect_kind(rest);
      edges = kind.edges;
      if (edges == "asym") builder.directed();
      if (edges == "bip") builder.remark("nodes of the second set are named r1, r2, …; those of the first l1, l2, …");
      continue;
    }
    const std::string_view from = next_word(rest), to = next_word(rest), weight = next_word(rest);
    if (from.empty() || from.starts_with('%')) continue;
    const GraphBuilder::Place place{lines.number()};
    if (to.empty()) throw builder.error(place, "expected two nodes, found one");
    const std::string left = edges == "bip" ? "l" : "", right = edges == "bip" ? "r" : "";
    const std::uint32_t a = builder.mention(left + std::string(from), place);
    builder.add_edge(a, builder.mention(right + std::string(to), place), lines.number());
    if (kind.weighted && !weight.empty()) builder.weigh("weight", weight);
  }
  return builder.finish("KONECT");
}

}  // namespace

extern const FileFormat konect_format = {
    .name = "KONECT",
    .endings = "",
    .fit = [](InputFile& file) { return fit_if(!konect_kind(file.head()).edges.empty(), Fit::certain); },
    .read = read_konect,
    .is_graph = true};

}  // namespace kinescope::sim
