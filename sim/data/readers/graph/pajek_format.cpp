// Graphs of Pajek (.net): *Vertices, then *Arcs, *Edges, *Arcslist, *Edgeslist or *Matrix, in any case of letters.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view blanks = " \t\r";

// Cuts off the first word, or what stands in quotes.
std::string_view pajek_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  if (!rest.starts_with('"')) return next_word(rest);
  const std::size_t end = std::min(rest.find('"', 1), rest.size());
  const std::string_view word = rest.substr(1, end - 1);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

class PajekReader {
 public:
  explicit PajekReader(const SourceFile& source) : source_(source), builder_(source), lines_(source.file) {}

  Table read() {
    while (!second_ && lines_.next()) {
      std::string_view rest = lines_.text();
      const std::size_t begin = rest.find_first_not_of(blanks);
      if (begin == std::string_view::npos || rest[begin] == '%') continue;
      if (rest[begin] != '*') {
        read_line(rest);
        continue;
      }
      const std::string_view name = pajek_word(rest);
      check_matrix();
      begin_section(name, rest);
    }
    check_matrix();
    return builder_.finish("Pajek");
  }

 private:
  enum class Section { none, vertices, edges, lists, matrix, skipped };

  Error error(const std::string& message) const { return builder_.error({lines_.number()}, message); }

  void begin_section(std::string_view name, std::string_view rest) {
    const auto is = [&](std::string_view other) { return equals_ignoring_case(name, other); };
    if (is("*network")) {
      section_ = Section::none;
      if (nodes_ > 0) begin_second();
      return;
    }
    if (is("*vertices")) return begin_vertices(rest);
    const bool directed = is("*arcs") || is("*arcslist");
    if (directed || is("*edges") || is("*edgeslist") || is("*matrix")) {
      if (nodes_ == 0) throw error(shown(std::string(name)) + " stands before *Vertices");
      if (directed && !std::exchange(directed_, true)) builder_.directed();
      begin_relation(pajek_word(rest));
      matrix_row_ = 0;
      section_ = is("*matrix") ? Section::matrix : is("*arcs") || is("*edges") ? Section::edges : Section::lists;
      return;
    }
    builder_.remark(shown(std::string(name)) + " is not read");
    section_ = Section::skipped;
  }

  // Edges belong to a relation if the section is named `*Arcs :2 "name"` or if they begin with `2:`.
  void begin_relation(std::string_view word) {
    std::string number(word);
    std::erase(number, ':');
    if (number.empty()) return;
    if (!relation_.empty() && relation_ != number) builder_.remark("the edges of all relations are read as one graph");
    relation_ = std::move(number);
  }

  void begin_vertices(std::string_view rest) {
    if (section_ == Section::skipped) return;  // of a partition or a vector
    if (nodes_ > 0) return begin_second();
    const std::string_view word = pajek_word(rest);
    double count = 0;
    if (is_no_number(word, count) || count < 1 || count != std::floor(count) || count > 4294967295.0)
      throw error("expected the number of vertices, found " + shown(std::string(word)));
    constexpr double bytes_of_node = 128;
    require_memory(source_.path(), bytes_of_node * count);
    nodes_ = static_cast<std::size_t>(count);
    // A vertex needs no line of its own; each costs as much as 16 values.
    if (const std::uint64_t bytes = source_.file.plain_size(); bytes > 0)
      require_density(source_.path(), 16 * std::uint64_t{nodes_}, "values of vertices", bytes);
    for (std::size_t node = 1; node <= nodes_; ++node) builder_.declare(std::to_string(node), {lines_.number()});
    section_ = Section::vertices;
    // Of two sets of vertices the second number is how many are in the first; a matrix has a row for each of these.
    double first = 0;
    if (!is_no_number(pajek_word(rest), first) && first >= 1 && first < count && first == std::floor(first)) {
      rows_ = static_cast<std::size_t>(first);
      columns_begin_ = rows_;
    } else {
      rows_ = nodes_;
    }
  }

  void begin_second() {
    builder_.remark("only the first of several networks is read");
    second_ = true;
  }

  void check_matrix() const {
    if (section_ == Section::matrix && matrix_row_ != rows_)
      throw error("the matrix is cut off: " + count_of(matrix_row_, "row") + " of " + std::to_string(rows_));
  }

  // Whether the word is no number.
  static bool is_no_number(std::string_view word, double& value) { return parse_cell(word, value) != CellKind::number; }

  std::uint32_t node(std::string_view word) {
    double number = 0;
    if (is_no_number(word, number) || number < 1 || number > static_cast<double>(nodes_) ||
        number != std::floor(number))
      throw error("expected a vertex, 1 … " + std::to_string(nodes_) + ", found " + shown(std::string(word)));
    return builder_.mention(std::to_string(static_cast<std::size_t>(number)), {lines_.number()});
  }

  // Of a line with edges, which may begin with the number of a relation.
  std::uint32_t first_node(std::string_view& rest) {
    const std::string_view word = pajek_word(rest);
    if (!word.ends_with(':')) return node(word);
    begin_relation(word);
    return node(pajek_word(rest));
  }

  void read_line(std::string_view rest) {
    switch (section_) {
      case Section::none:
        builder_.remark("what stands before *Vertices is not read");
        return;
      case Section::vertices:
        return read_vertex(rest);
      case Section::edges:
        return read_edge(rest);
      case Section::lists:
        return read_list(rest);
      case Section::matrix:
        return read_row(rest);
      case Section::skipped:
        return;
    }
  }

  // Number, label, and up to three coordinates; what follows is how Pajek draws the vertex.
  void read_vertex(std::string_view rest) {
    const std::uint32_t at = node(pajek_word(rest));
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    if (rest.empty()) return;
    builder_.label(at, std::string(pajek_word(rest)));
    for (const char* name : {"x", "y", "z"}) {
      const std::string_view word = pajek_word(rest);
      double value = 0;
      if (is_no_number(word, value)) return;
      builder_.set(at, name, word);
    }
  }

  void read_edge(std::string_view rest) {
    const std::uint32_t from = first_node(rest), to = node(pajek_word(rest));
    builder_.add_edge(from, to, lines_.number());
    const std::string_view weight = pajek_word(rest);
    double value = 0;
    if (!weight.empty() && !is_no_number(weight, value)) builder_.weigh("length", weight);
  }

  void read_list(std::string_view rest) {
    const std::uint32_t from = first_node(rest);
    for (std::string_view word = pajek_word(rest); !word.empty(); word = pajek_word(rest))
      builder_.add_edge(from, node(word), lines_.number());
  }

  void read_row(std::string_view rest) {
    if (++matrix_row_ > rows_) throw error("the matrix has more than " + count_of(rows_, "row"));
    const std::size_t columns = nodes_ - columns_begin_;
    const std::uint32_t from = node(std::to_string(matrix_row_));
    std::size_t column = 0;
    for (std::string_view word = pajek_word(rest); !word.empty(); word = pajek_word(rest)) {
      double value = 0;
      if (is_no_number(word, value)) throw error("expected a number, found " + shown(std::string(word)));
      if (++column > columns) break;
      if (value == 0) continue;
      builder_.add_edge(from, node(std::to_string(columns_begin_ + column)), lines_.number());
      builder_.weigh("length", word);
    }
    if (column != columns || !next_word(rest).empty())
      throw error("expected " + count_of(columns, "number") + " in a row of the matrix");
  }

  const SourceFile& source_;
  GraphBuilder builder_;
  TextLines lines_;
  Section section_ = Section::none;
  std::size_t nodes_ = 0;
  std::size_t rows_ = 0, columns_begin_ = 0;  // of a matrix: its rows, and the vertex before that of its first column
  std::size_t matrix_row_ = 0;
  std::string relation_;  // the last one
  bool directed_ = false, second_ = false;
};

// Whether one of the first lines begins a section; what people wrote above it is short.
bool is_pajek(std::string_view head) {
  constexpr int most_lines_above = 5;
  for (int above = 0; !head.empty() && above <= most_lines_above;) {
    std::string_view rest = without_mark(next_line(head));
    const std::string_view word = next_word(rest);
    if (word.empty() || word.starts_with('%')) continue;
    if (std::ranges::any_of(std::array{"*vertices", "*network", "*partition", "*vector", "*cluster", "*permutation"},
                            [&](std::string_view each) { return equals_ignoring_case(word, each); }))
      return true;
    ++above;
  }
  return false;
}

}  // namespace

extern const FileFormat pajek_format = {
    .name = "Pajek",
    .endings = ".net .paj",
    .fit = [](InputFile& file) { return fit_if(is_pajek(file.head()), Fit::certain); },
    .read = [](const SourceFile& source) { return PajekReader(source).read(); },
    .is_graph = true};

}  // namespace kinescope::sim
