// Lists of edges as networkx writes them: "a b {'weight': 3}", a line for each.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kinescope/error.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// An edge whose attributes are a dictionary of Python.
struct EdgeLine {
  std::string_view from, to, attributes;  // without the braces
  bool valid = false;
};

EdgeLine edge_line(std::string_view line) {
  const std::size_t open = line.find('{'), close = line.find_last_not_of(" \t\r");
  if (open == std::string_view::npos || close <= open || line[close] != '}') return {};
  std::string_view nodes = line.substr(0, open);
  EdgeLine found;
  found.from = next_word(nodes), found.to = next_word(nodes);
  found.attributes = line.substr(open + 1, close - open - 1);
  found.valid = !found.to.empty() && next_word(nodes).empty();
  return found;
}

// Cuts off the next key or value: what stands in quotes, which is not unescaped, or what ends before : or ,.
std::string_view next_part(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t:,"), rest.size()));
  if (rest.empty()) return {};
  const char quote = rest.front();
  if (quote != '\'' && quote != '"') {
    std::size_t end = 0;  // a comma in a list, a tuple or a dictionary does not end it
    for (int depth = 0; end < rest.size(); ++end) {
      const char c = rest[end];
      if (depth == 0 && (c == ':' || c == ',')) break;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
    }
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(part.size());
    return part.substr(0, part.find_last_not_of(" \t") + 1);
  }
  std::size_t end = 1;
  while (end < rest.size() && rest[end] != quote) end += rest[end] == '\\' ? 2 : 1;
  end = std::min(end, rest.size());
  const std::string_view part = rest.substr(1, end - 1);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

Table read_edge_list(const SourceFile& source) {
  GraphBuilder builder(source);
  builder.declares_nodes = false;
  TextLines lines(source.file);
  while (lines.next()) {
    std::string_view text = lines.text();
    const std::string_view first = next_word(text);
    if (first.empty() || first.starts_with('#')) continue;
    const GraphBuilder::Place place{lines.number()};
    const EdgeLine edge = edge_line(lines.text());
    if (!edge.valid) throw builder.error(place, "expected two nodes and {attributes}");
    const std::uint32_t from = builder.mention(edge.from, place);
    builder.add_edge(from, builder.mention(edge.to, place), lines.number());
    for (std::string_view rest = edge.attributes; !rest.empty();) {
      const std::string_view name = next_part(rest), value = next_part(rest);
      if (!name.empty()) builder.weigh(name, value);
    }
  }
  return builder.finish("edge list of networkx");
}

// The first line tells: a header may end with a unit in braces, but has no key and value there.
bool is_edge_list(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = next_line(head);
    std::string_view rest = line;
    const std::string_view word = next_word(rest);
    if (word.empty() || word.starts_with('#')) continue;
    const EdgeLine edge = edge_line(line);
    const bool dictionary = edge.attributes.find_first_not_of(" \t") == std::string_view::npos ||
                            edge.attributes.find(':') != std::string_view::npos;
    return edge.valid && dictionary && line.find('\0') == std::string_view::npos;
  }
  return false;
}

}  // namespace

extern const FileFormat edge_list_with_data_format = {
    .name = "networkx's edge lists with data",
    .endings = "",
    .fit = [](InputFile& file) { return fit_if(is_edge_list(file.head()), Fit::likely); },
    .read = read_edge_list,
    .is_graph = true};

}  // namespace kinescope::sim
