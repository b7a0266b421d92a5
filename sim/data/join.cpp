#include "sim/data/join.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

using Names = std::vector<std::string>;
// Looking for a column of names in each column would take time for each pair of columns of two wide tables.
constexpr std::size_t most_name_columns = 32;
constexpr std::size_t unmatched = std::numeric_limits<std::size_t>::max();

std::string_view without_blanks(std::string_view text) {
  return trimmed(text, " \t\r\n\xC2\xA0");
}

// "007" and "7.0" become "7"; what is no number stays, and so do whole numbers that doubles do not tell apart.
std::string as_number(std::string text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(std::abs(value) < 0x1p53)) return text;
  return number_text(value + 0.0);
}

// The names in a column: one for each row, "" where missing.
struct NameColumn {
  std::string title;
  Names names, values;   // values: of the names that are numbers their shortest text, of others the names
  bool numbers = false;  // they were read as numbers

  void add(std::string_view text) {
    names.emplace_back(without_blanks(text));
    values.push_back(as_number(names.back()));
  }
};

NameColumn names_in(const Column& column) {
  NameColumn found{column.name, {}, {}, column.texts.empty()};
  for (std::size_t row = 0; row < column.size(); ++row) found.add(written_cell(column, row));
  return found;
}

// For each value the first row whose name has it; `unmatched` if names of this value are written in several ways.
ByText<std::size_t> rows_by_value(const NameColumn& column) {
  ByText<std::size_t> rows;
  for (std::size_t row = 0; row < column.names.size(); ++row) {
    const auto [at, is_new] = rows.try_emplace(column.values[row], row);
    if (!is_new && at->second != unmatched && column.names[at->second] != column.names[row]) at.value() = unmatched;
  }
  return rows;
}

// A column of names of the second table. Names match as they are written. If one side has numbers, or nothing matches
// so, what is left matches by its value, where each side writes this value in one way only.
class Key {
 public:
  explicit Key(NameColumn key) : column(std::move(key)), values_(rows_by_value(column)) {
    for (std::size_t row = 0; row < column.names.size(); ++row) {
      if (column.names[row].empty()) continue;
      const auto [at, is_new] = rows_.try_emplace(column.names[row], row);
      if (!is_new && again_ == unmatched) first_ = at->second, again_ = row;
    }
  }
  // The row here of each name.
  std::vector<std::size_t> rows(const NameColumn& names) const {
    std::vector<std::size_t> found;
    for (const std::string& name : names.names) found.push_back(row(rows_, name));
    const bool any = std::ranges::any_of(found, [](std::size_t row) { return row != unmatched; });
    if (any && !names.numbers && !column.numbers) return found;
    const Rows there = rows_by_value(names);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] == unmatched && row(there, names.values[i]) != unmatched) found[i] = row(values_, names.values[i]);
    return found;
  }
  std::size_t matches(const NameColumn& names) const {
    return names.names.size() - std::size_t(std::ranges::count(rows(names), unmatched));
  }
  std::size_t matches_as_written(const Names& names) const {
    return std::size_t(std::ranges::count_if(names, [&](auto& name) { return row(rows_, name) != unmatched; }));
  }
  bool repeats() const { return again_ != unmatched; }
  std::size_t first() const { return first_; }  // the rows of the first name that is repeated
  std::size_t again() const { return again_; }

  NameColumn column;

 private:
  using Rows = ByText<std::size_t>;
  static std::size_t row(const Rows& rows, const std::string& name) {
    const auto found = name.empty() ? rows.end() : rows.find(name);
    return found == rows.end() ? unmatched : found->second;
  }

  Rows rows_, values_;
  std::size_t first_ = unmatched, again_ = unmatched;
};

// The names of the columns of numbers; of sparse rows their names.
NameColumn header_names(const Table& table) {
  NameColumn found;
  if (table.sparse)
    for (const std::string& name : table.sparse->names) found.add(name);
  for (std::size_t i = 0; i + table.joined < table.columns.size() && !table.sparse; ++i)
    if (!table.columns[i].is_text && !table.columns[i].annotates) found.add(table.columns[i].name);
  return found;
}

// The columns of the table that may have the names, the usual one first.
struct Candidate {
  NameColumn names;
  std::size_t matches = 0;
};

// The column of the table that has the names; without matches: the one that people would look at.
Candidate find_names(const Table& table, const Key& key, bool is_matrix) {
  Candidate best;
  const std::size_t count = table.columns.size() - table.joined;
  const auto consider = [&](NameColumn names) {
    const std::size_t matches = key.matches(names);
    if (best.names.names.empty() || matches > best.matches) best = {std::move(names), matches};
  };
  if (table.graph && count > 0) consider(names_in(table.columns[0]));
  if (is_matrix && table.columns.size() == table.rows && !table.sparse) consider(header_names(table));
  for (std::size_t i = 0; i < count && best.matches == 0; ++i)
    if (equals_ignoring_case(without_blanks(table.columns[i].name), key.column.title))
      consider(names_in(table.columns[i]));
  if (best.matches > 0) return best;
  for (std::size_t i = 0; i < count; ++i)
    if (table.columns[i].is_text) consider(names_in(table.columns[i]));
  for (std::size_t i = 0; i < count && best.matches == 0; ++i)
    if (are_different_whole_numbers(table.columns[i])) consider(names_in(table.columns[i]));
  return best;
}

std::span<const Column> first_columns(const Table& table) {
  return std::span(table.columns).first(std::min(table.columns.size(), most_name_columns));
}

// Of a table of texts a first row that names no row of `open`, above rows that do, is a header.
bool has_unseen_header(const Table& metadata, const Table& open, bool is_matrix) {
  if (metadata.has_header || metadata.header_reason.empty()) return false;
  return std::ranges::any_of(first_columns(metadata), [&](const Column& column) {
    const Key key(names_in(column));
    const Candidate found = find_names(open, key, is_matrix);
    return found.matches > 0 && !found.names.numbers &&
           std::ranges::find(found.names.names, key.column.names.front()) == found.names.names.end();
  });
}

// The second table, its names as they are written if `by` names them.
Table read_metadata(const std::string& file, const std::string& by, const Table& open, bool is_matrix,
                    LoadProgress* progress) {
  DataRequest request{.source = file};
  if (!by.empty()) request.format.texts = {by};
  Table table = load_table(request, progress);
  if (table.picture || table.distances || table.columns.empty())
    throw file_error(file, "is no table that can be joined by name: it has no columns of names");
  if (!can_be_read_again(file) || !has_unseen_header(table, open, is_matrix)) return table;
  request.format.header = Header::yes;
  return load_table(request, progress);
}

const Column& key_column(const Table& metadata, const std::string& by) {
  if (!by.empty()) return required_column(metadata, by);
  const auto names = std::ranges::find_if(metadata.columns, [](auto& each) { return each.is_text && each.annotates; });
  return names == metadata.columns.end() ? metadata.columns.front() : *names;
}

// The names in a column of a file, as they are written: a table of text is read again if they were read as numbers.
NameColumn as_written(const Table& table, const Column& column, DataRequest request, LoadProgress* progress) {
  NameColumn found = names_in(column);
  if (!found.numbers || !table.text_reading || request.transpose || !can_be_read_again(request.source)) return found;
  request.metadata.clear();
  request.by.clear();
  request.format.texts = {column.name};
  request.format.numbers.clear();
  request.format.header = table.has_header ? Header::yes : Header::no;
  for (const Column& other : table.columns)
    if (&other != &column) request.format.drop.push_back(other.name);
  const Table again = load_table(request, progress);
  if (const Column* texts = again.find(column.name); texts && texts->size() == column.size())
    found.names = names_in(*texts).names;
  return found;
}

Error repeated(const Table& metadata, const Key& key) {
  const std::size_t first = key.first(), again = key.again();
  const bool lines = !metadata.row_lines.empty();
  return row_error(metadata, again,
                   "column " + shown(key.column.title) + ": the name " + shown(key.column.names[again]) +
                       " is also in " + (lines ? "line " : "row ") +
                       std::to_string(lines ? metadata.row_lines[first] : first + 1) +
                       "; names must be different to be joined by");
}

std::string examples(const Names& names) {
  Names some;
  TextViewSet seen;
  for (const std::string& name : names)
    if (!name.empty() && some.size() < 3 && seen.insert(name).second) some.push_back(name);
  return some.empty() ? "none" : list_of(some) + (seen.size() < names.size() ? ", …" : "");
}

// Nothing matches: with what does, if anything does.
Error no_match(const Table& table, const Table& metadata, const Key& key, const Candidate& found, bool is_matrix) {
  const std::string said = "no row is named in " + shown(file_name(metadata.source)) + ": its " +
                           shown(key.column.title) + " has " + examples(key.column.names) + ", and " +
                           (found.names.names.empty()   ? "no column here names the rows"
                            : found.names.title.empty() ? "the header here has " + examples(found.names.names)
                                                        : "the names here, in " + shown(found.names.title) + ", are " +
                                                              examples(found.names.names));
  if (2 * key.matches(header_names(table)) > header_names(table).names.size())
    return file_error(table.source, said + "; they are the columns' names: `--transpose` makes these the rows")
        .with({.text = "Transpose", .transpose = true});
  for (const Column& column : first_columns(metadata)) {
    if (!column.is_text) continue;  // numbers name nothing by themselves
    const Key other(names_in(column));
    if (column.name == key.column.title || other.repeats()) continue;
    if (find_names(table, other, is_matrix).matches > 0)
      return file_error(table.source,
                        said + "; its " + shown(column.name) + " has names of rows: `--by " + shown(column.name) + "`")
          .with({.text = "Join by " + shown(column.name), .by = column.name});
  }
  return file_error(table.source, said);
}

// The column's values at these rows, missing where there is none.
Column picked(const std::string& source, const Column& column, const std::vector<std::size_t>& rows) {
  Column made{column.name, column.is_text};
  made.order = column.order;
  made.annotates = true;
  std::size_t bytes = 0;
  for (const std::string& text : column.texts) bytes += text.size();
  RepeatedTexts repeated;
  if (!column.texts.empty())
    for (const std::size_t row : rows) {
      made.texts.push_back(row == unmatched ? "" : column.texts[row]);
      repeated.add(source, bytes, made.texts.back().size());
    }
  if (column.is_text) return made;
  const auto fill = [&](auto into) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      into[i] = static_cast<typename decltype(into)::value_type>(rows[i] == unmatched ? NAN : column.numbers[rows[i]]);
  };
  if (column.numbers.single()) {
    fill(made.numbers.write_floats(rows.size()));
  } else {
    fill(made.numbers.write_doubles(rows.size()));
    made.numbers.settle();
  }
  return made;
}

// Says how many rows were matched, and names the first few that were not, of both tables.
void tell(Table& table, const std::string& source, const Key& key, const NameColumn& names,
          const std::vector<std::size_t>& rows) {
  const std::string file = shown(file_name(source));
  const auto missing = std::size_t(std::ranges::count(rows, unmatched));
  table.remarks.push_back(
      count_of(table.joined, "column") + " of " + file + " joined by name: " + with_commas(rows.size() - missing) +
      " of " + count_of(rows.size(), "row") + " found in its " + shown(key.column.title) +
      (names.title.empty() || names.title == key.column.title ? "" : " (" + shown(names.title) + " here)"));
  Names by_value;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row] != unmatched && names.names[row] != key.column.names[rows[row]])
      by_value.push_back(names.names[row] + " (" + key.column.names[rows[row]] + ")");
  if (!by_value.empty())
    table.remarks.push_back(count_of(by_value.size(), "row") + (by_value.size() == 1 ? " is" : " are") +
                            " found by number, which " + file + " writes in another way: " + list_of(by_value));
  const auto say = [&](const Names& all, const std::vector<bool>& found, const char* are, const std::string& where,
                       const std::string& of) {
    Names lacking;
    std::size_t blank = 0;
    for (std::size_t row = 0; row < all.size(); ++row)
      if (!found[row]) all[row].empty() ? void(++blank) : lacking.push_back(all[row]);
    if (!lacking.empty())
      table.remarks.push_back(count_of(lacking.size(), "row") + of + (lacking.size() == 1 ? " is" : " are") + are +
                              where + ": " + list_of(lacking));
    if (blank > 0) table.remarks.push_back(count_of(blank, "row") + of + (blank == 1 ? " has" : " have") + " no name");
  };
  std::vector<bool> found_here(rows.size()), found_there(key.column.names.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row] != unmatched) found_here[row] = found_there[rows[row]] = true;
  say(names.names, found_here, " not in ", file, "");
  say(key.column.names, found_there, " not ", "here", " of " + file);
}

// Texts and numbers of a few rows of metadata become as many in each row: that must have a limit.
void require_few_cells(const Table& table, const Table& metadata) {
  constexpr double always = 1 << 24, for_each_cell = 128;
  const auto cells_of = [](const Table& each) {
    return double(each.rows) * double(each.columns.size()) + (each.sparse ? double(each.sparse->index.size()) : 0);
  };
  const double cells = double(table.rows) * double(metadata.columns.size());
  if (cells <= std::max(always, for_each_cell * (cells_of(table) + cells_of(metadata)))) return;
  throw file_error(metadata.source,
                   "its " + count_of(metadata.columns.size(), "column") + ", joined to " + count_of(table.rows, "row") +
                       ", would be " + with_commas(std::size_t(cells)) +
                       " cells, more than 16 million and more than 128 for each cell of the two files");
}

// Whether most columns of the file are columns of the open table too: another version of it.
bool is_same_kind(const Table& table, const Table& other) {
  TextViewSet known;
  for (std::size_t i = 0; i + table.joined < table.columns.size(); ++i) known.insert(table.columns[i].name);
  if (table.sparse) known.insert(table.sparse->names.begin(), table.sparse->names.end());
  std::size_t same = 0, all = other.columns.size();
  for (const Column& column : other.columns) same += known.contains(column.name);
  if (other.sparse) {
    all += other.sparse->names.size();
    for (const std::string& name : other.sparse->names) same += known.contains(name);
  }
  return same > 1 && 2 * same > all;
}

}  // namespace

void join_metadata(Table& table, const DataRequest& request, LoadProgress* progress) {
  if (request.metadata.empty()) {
    if (!request.by.empty()) throw input_error("--by needs --metadata, the table that has this column");
    return;
  }
  if (table.picture || table.distances)
    throw file_error(table.source, std::string("--metadata cannot be used with ") +
                                       (table.picture ? "pictures" : "distances in a file") +
                                       ", whose rows have no names");
  const bool is_matrix = request.reading == Reading::matrix;
  const Table metadata = read_metadata(request.metadata, request.by, table, is_matrix, progress);
  const Column& names = key_column(metadata, request.by);
  const Key key(as_written(metadata, names, {.source = request.metadata}, progress));
  if (key.repeats()) throw repeated(metadata, key);
  Candidate found = find_names(table, key, is_matrix);
  if (const Column* here = found.names.numbers ? table.find(found.names.title) : nullptr)
    found.names = as_written(table, *here, request, progress);
  const std::vector<std::size_t> rows = key.rows(found.names);
  if (std::size_t(std::ranges::count(rows, unmatched)) == rows.size())
    throw no_match(table, metadata, key, found, is_matrix);

  for (Column& column : table.columns)
    if (!table.graph && column.name == found.names.title) column.annotates = true;  // a name is no quantity
  require_few_cells(table, metadata);
  require_memory(table.source, double(rows.size()) * double(metadata.columns.size()) * sizeof(std::string));
  TextSet taken;
  for (const Column& column : table.columns) taken.insert(column.name);
  if (table.sparse) taken.insert(table.sparse->names.begin(), table.sparse->names.end());
  Names renamed;
  for (std::size_t i = 0; i < metadata.columns.size(); ++i) {
    if (progress && progress->cancelled) throw Cancelled{};
    if (&metadata.columns[i] == &names || is_empty(metadata.columns[i])) continue;
    Column column = picked(request.metadata, metadata.columns[i], rows);
    column.name = free_name(taken.contains(column.name) ? column.name + "_metadata" : column.name, taken, 2);
    if (column.name != metadata.columns[i].name) renamed.push_back(column.name);
    table.columns.push_back(std::move(column));
    ++table.joined;
  }
  tell(table, request.metadata, key, found.names, rows);
  if (!renamed.empty())
    table.remarks.push_back(list_of(renamed) + (renamed.size() == 1 ? " has its suffix" : " have their suffix") +
                            " because the name was taken");
}

std::optional<DataRequest> as_metadata(const std::string& file, const Table& open, const DataRequest& request,
                                       LoadProgress* progress) try {
  if (open.picture || open.distances) return std::nullopt;
  const Table metadata = read_metadata(file, "", open, request.reading == Reading::matrix, progress);
  if (is_same_kind(open, metadata)) return std::nullopt;
  DataRequest joined = request;
  joined.metadata = file;
  const NameColumn header = header_names(open);
  const bool may_turn = open.text_reading && !open.graph && !request.transpose && request.reading == Reading::rows;
  std::size_t most = 0;
  for (const Column& column : metadata.columns) {
    const Key key(names_in(column));
    if (key.repeats()) continue;
    const Candidate found = find_names(open, key, request.reading == Reading::matrix);
    const std::size_t here = found.names.numbers ? 0 : found.matches,
                      there = may_turn ? key.matches_as_written(header.names) : 0;
    const bool rows = 2 * here >= open.rows, columns = 2 * there >= header.names.size();
    if (!(rows || columns) || std::max(here, there) <= most) continue;
    most = std::max(here, there);
    joined.by = &column == &key_column(metadata, "") ? "" : column.name;
    joined.transpose = rows ? request.transpose : true;
  }
  if (most == 0) return std::nullopt;
  return joined;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace kinescope::sim
