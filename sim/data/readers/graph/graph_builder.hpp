// What the readers of graphs with attributes share: from identifiers, attributes and edges in any order to a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/graph/read_graph.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"

namespace kinescope::sim {

inline constexpr std::size_t deepest_graph = 256;  // nesting of what a file holds

// All bytes of a file. Throws Error (run) if memory is too small, and what InputFile::read throws.
std::string read_whole(InputFile& file);

// Adding anything throws Error (run) if memory is too small, Error (input) if a graph has too many nodes or edges, and
// Cancelled. Texts that are not UTF-8 are read as Windows-1252.
class GraphBuilder {
 public:
  explicit GraphBuilder(const SourceFile& source) : source_(source) {}

  // What errors say about a place: its line, or any other words before the message, or nothing if both are absent.
  struct Place {
    std::size_t line = 0;
    std::string words = {};
  };
  Error error(const Place& place, const std::string& message) const;

  // The node with this identifier. `declare` throws Error (input) if it was declared before; `mention` makes a node
  // that should be declared too, unless `declares_nodes` is false.
  std::uint32_t declare(std::string_view id, const Place& place);
  std::uint32_t mention(std::string_view id, const Place& place);
  std::size_t nodes() const { return ids_.size(); }
  std::size_t edges() const { return edges_.size(); }

  // An attribute of a node; the last value of a name stays. `label` is what people call the node.
  void set(std::uint32_t node, std::string_view name, std::string_view value);
  void label(std::uint32_t node, std::string text);
  // The value of nodes that have none.
  void set_default(std::string_view name, std::string_view value);

  void add_edge(std::uint32_t from, std::uint32_t to, std::size_t line);
  // An attribute of the last edge, which may be its weight (the last value of a name stays); and that of edges that
  // have none.
  void weigh(std::string_view name, std::string_view value);
  void weigh_default(std::string_view name, std::string_view value);
  // Which of the names of weights this is, in the order in which they are looked for.
  std::optional<std::size_t> weight_place(std::string_view name) const;

  // Throws Error (input) if what a file writes once, such as a name around others, became too many long texts.
  void repeat(std::size_t text_bytes) { names_.add(source_.path(), source_.file.bytes_read(), text_bytes); }

  void remark(std::string text);
  void directed() { remark("the edges are directed: their directions are ignored"); }

  // Nodes are named by their labels if these differ, else by their identifiers; attributes become columns of numbers if
  // all their values are numbers, else of texts. The first of the usual names whose values are all numbers gives the
  // weights. Nodes that were mentioned and never declared are told. Throws what table_of_graph throws.
  Table finish(const std::string& format);

  bool declares_nodes = true;
  // Names of weights that come before the usual ones: of lengths.
  std::string_view lengths_first = "";

 private:
  struct Attribute {
    std::string name, other;  // its name, and the value of nodes that have none
    std::vector<std::pair<std::uint32_t, std::string>> values;
  };
  struct Weights {
    std::vector<std::pair<std::uint32_t, float>> values;
    std::optional<double> other;  // what the file says of edges that have none; else 1
    std::string name;             // as the file writes it; "" if it does not occur
    std::string no_number;        // the first value that is none
  };

  void grow(std::size_t bytes);
  void tell_undeclared();
  Attribute& attribute(std::string_view name);
  Weights* weights(std::string_view name, double& number, std::string_view value);
  void name_by_attribute();
  Column name_nodes();
  void read_weights(GraphInFile& graph);
  Column column_of(Attribute& attribute);

  const SourceFile& source_;
  std::deque<std::string> ids_;      // of nodes
  ByTextView<std::uint32_t> index_;  // of nodes, by identifier
  std::vector<bool> declared_;
  RepeatedTexts repeated_;  // values, defaults and labels
  RepeatedTexts names_{RepeatedTexts::of_names};
  std::vector<std::pair<std::uint32_t, std::string>> labels_;
  ByText<std::size_t> attribute_index_;
  std::vector<Attribute> attributes_;
  std::uint64_t values_set_ = 0;  // of attributes
  std::vector<Edge> edges_;
  std::vector<std::size_t> lines_;
  std::vector<Weights> weights_;
  std::vector<std::string> remarks_;
  TextSet told_;  // the same
  std::size_t bytes_ = 0, checked_ = 0;
};

}  // namespace kinescope::sim
