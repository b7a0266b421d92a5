#include "sim/data/readers/csv/dialect.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/readers/csv/csv_slabs.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/readers/written_number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view usual_separators = ",\t;| ";  // of two that are as good, the first is taken
constexpr std::size_t most_titles = 20;

using Records = std::vector<CsvSample::Record>;
using Cells = std::vector<std::string>;

// Reads the head's whole records; only the first if they are very long.
void cut(std::string_view head, bool whole, CsvSample& sample) {
  constexpr std::size_t most_records = 400, most_cells = 20'000;
  bool in_quotes = false;
  const std::size_t end = whole ? head.size() : end_of_records(head, sample.dialect, in_quotes);
  const bool part_of_one = end == 0;
  // The head may end within quotes. If much of it is within the last ones, they are none.
  constexpr std::size_t most_quoted = 4;  // the part of the head
  sample.broken_quotes = in_quotes && !part_of_one && most_quoted * (head.size() - end) > head.size();
  if (!part_of_one) head = head.substr(0, end);
  CsvShape shape;
  shape.dialect = sample.dialect;
  CsvRecords records(shape, head, 1);
  std::size_t cells = 0;
  const auto keep = [&] {
    sample.records.push_back({records.line(), {records.cells().begin(), records.cells().end()}});
    cells += records.cells().size();
  };
  try {
    while (sample.records.size() < most_records && (cells < most_cells || sample.records.size() < 3) && records.next())
      keep();
  } catch (const Error&) {
    sample.broken_quotes = true;
    if (sample.records.empty() && part_of_one) keep();
  }
}

// Finds how many cells most records have, and where these begin.
void count_columns(CsvSample& sample) {
  std::map<std::size_t, std::size_t> counts;
  for (const auto& record : sample.records) ++counts[record.cells.size()];
  std::size_t most = 0;
  for (const auto& [cells, count] : counts)
    if (count >= most) most = count, sample.columns = cells;
  const Records& records = sample.records;
  const auto table =
      std::ranges::find_if(records, [&](const auto& each) { return each.cells.size() == sample.columns; });
  sample.first = static_cast<std::size_t>(table - records.begin());
  // R's header is one name shorter than the rows; a header may also end with a separator that the rows don't have.
  const auto is_short = [&](const auto& record) {
    const std::size_t cells = record.cells.size();
    return (cells > 1 && cells + 1 == sample.columns) || cells == sample.columns + 1;
  };
  const bool other_header = sample.first == 1 && records.size() > 2 && is_short(records.front());
  const std::size_t rest = records.size() - sample.first;
  sample.alike = rest > 0 ? static_cast<double>(most) / static_cast<double>(rest) : 0;
  if (sample.first > most_titles) sample.alike = 0;
  if (other_header) sample.first = 0;
}

// How the numbers of a column, or of all columns, are written.
struct ColumnMarks {
  bool plain_points = false;          // "1.5"
  bool grouping_points = false;       // "1.500", which is 1500 if commas are decimal
  bool commas = false;                // "1,5"; not only such as separate thousands
  bool grouping_commas = false;       // "1,500"
  bool other_commas = false;          // commas in cells that are not numbers
  bool small = false, large = false;  // whole numbers without a mark, below a thousand and above
  // The digits after commas: the fewest and the most, whether some begin with a zero, and whether some end with one.
  std::size_t fewest = std::string::npos, most = 0;
  bool leading_zero = false, trailing_zero = false;
  std::string example;  // the first number with a comma
};

void note_comma(const std::string& cell, ColumnMarks& marks) {
  (is_grouped(cell) ? marks.grouping_commas : marks.commas) = true;
  const std::string_view digits = std::string_view(cell).substr(cell.find(',') + 1);
  marks.fewest = std::min(marks.fewest, digits.size());
  marks.most = std::max(marks.most, digits.size());
  // Thousands have such zeros too.
  marks.leading_zero = marks.leading_zero || (digits.size() > 1 && digits.front() == '0' && !is_grouped(cell));
  marks.trailing_zero = marks.trailing_zero || (digits.size() > 1 && digits.back() == '0');
  if (marks.example.empty()) marks.example = cell;
}

// Programs write all numbers of a column with the same number of decimals, or leave out zeros at their end. Pairs of
// whole numbers, such as counts, do neither; nor does the second one begin with a zero.
bool are_pairs(const ColumnMarks& marks) {
  return marks.fewest < marks.most && marks.trailing_zero && !marks.leading_zero;
}

// Three digits after each comma, beside whole numbers that none of them would have needed it for.
bool are_thousands(const ColumnMarks& marks) {
  return marks.grouping_commas && !marks.commas && marks.small && !marks.large;
}

// The first of the records below the first, which may be a header, and below a second, which may hold units, if there
// are enough.
std::size_t first_row(const CsvSample& sample) {
  const std::size_t records = sample.records.size() - sample.first;
  return sample.first + (records > 3 ? 2 : records > 1 ? 1 : 0);
}

// Whether a cell is a number with a decimal comma, and decimals.
bool is_decimal(const std::string& cell) {
  return is_decimal_comma(cell) && cell.back() != ',';
}

struct DecimalCommas {
  bool are = false;
  std::string doubt;  // a sentence without a full stop; "" if there is none
};

// Commas are decimal if those of a column are all in numbers, and no number has a decimal point; with semicolons also
// if there are none. Between commas they are in quotes.
DecimalCommas decimal_commas(const CsvSample& sample) {
  ColumnMarks all;
  std::vector<ColumnMarks> columns(sample.columns);
  for (std::size_t i = first_row(sample); i < sample.records.size(); ++i) {
    const std::vector<std::string>& cells = sample.records[i].cells;
    for (std::size_t c = 0; c < std::min(cells.size(), columns.size()); ++c) {
      const std::string& cell = cells[c];
      const bool number = kind_of_cell(cell) == CellKind::number;
      if (is_decimal(cell))
        note_comma(cell, columns[c]);
      else if (cell.find(',') != std::string::npos)
        columns[c].other_commas = true;
      else if (cell.find('.') != std::string::npos && number)
        (is_grouped(cell, '.') ? all.grouping_points : all.plain_points) = true;
      else if (number)
        (cell.size() < 4 ? columns[c].small : columns[c].large) = true;
    }
  }
  std::erase_if(columns, [](const ColumnMarks& each) { return each.other_commas || each.example.empty(); });
  all.commas = std::ranges::any_of(columns, [](const ColumnMarks& each) { return each.commas; });
  all.leading_zero = std::ranges::any_of(columns, [](const ColumnMarks& each) { return each.leading_zero; });
  const bool points = all.plain_points || (all.grouping_points && !all.commas);
  const bool semicolons = sample.dialect.separator == ';';
  if (points || !(all.commas || semicolons)) return {};
  if (columns.empty() || (all.leading_zero && semicolons)) return {true, ""};
  if (const auto pairs = std::ranges::find_if(columns, are_pairs); pairs != columns.end())
    return {false, pairs->example + " may be two numbers: decimals would be equally many, or would not end with zeros"};
  // Between semicolons the decimals of one column speak for all.
  if (!(all.commas && semicolons))
    if (const auto thousands = std::ranges::find_if(columns, are_thousands); thousands != columns.end())
      return {false, thousands->example + " may be thousands"};
  if (all.leading_zero) return {true, ""};
  if (!all.commas) return {true, columns.front().example + " may be thousands"};
  return {true, semicolons ? "" : columns.front().example + " may be two numbers"};
}

// How much a cell looks like one of a table. Texts that hold separators, quotes or line ends look badly cut.
double cell_score(const std::string& cell, const Dialect& dialect) {
  if (is_decimal_comma(cell) && dialect.separator != ',' && cell.back() != ',') return 1;
  if (kind_of_cell(cell) != CellKind::text || days_to(cell)) return 1;
  if (cell.find_first_of("\r\n") != std::string::npos) return 0;
  if (is_number_with_signs(cell) || holds_digits_and_signs(cell)) return 0.95;
  if (cell.size() > 1 && cell.find_first_of(",;\t|\"") != std::string::npos) return 0.4;
  return 0.8;
}

double mean_cell_score(const CsvSample& sample) {
  const std::size_t from = sample.records.size() > sample.first + 1 ? sample.first + 1 : sample.first;
  double sum = 0;
  std::size_t cells = 0;
  for (std::size_t i = from; i < sample.records.size(); ++i)
    for (const std::string& cell : sample.records[i].cells) sum += cell_score(cell, sample.dialect), ++cells;
  return cells > 0 ? sum / static_cast<double>(cells) : 0;
}

bool are_mostly_numbers(const CsvSample& sample) {
  std::size_t cells = 0, numbers = 0;
  for (std::size_t i = first_row(sample); i < sample.records.size(); ++i)
    for (const std::string& cell : sample.records[i].cells)
      ++cells, numbers += is_decimal(cell) || kind_of_cell(cell) != CellKind::text || is_number_with_signs(cell);
  return 2 * numbers >= cells;
}

CsvSample sample_of(std::string_view head, bool whole, char separator, bool quotes) {
  CsvSample sample;
  sample.dialect.separator = separator;
  sample.dialect.quotes = quotes;
  cut(head, whole, sample);
  if (sample.records.empty()) return sample;
  count_columns(sample);
  const bool must_be_alike = separator == ' ' || separator == '|';
  constexpr double alike_enough = 0.66;
  const auto with_titles = static_cast<double>(sample.first) / static_cast<double>(sample.records.size());
  if (sample.columns < 2 || (must_be_alike && sample.alike - with_titles < alike_enough)) return sample;
  if (separator == ' ' && !are_mostly_numbers(sample)) return sample;
  constexpr double with_title = 0.9;  // a table that needs no title is more likely
  sample.score = sample.alike * sample.alike * mean_cell_score(sample) * (sample.first > 0 ? with_title : 1);
  return sample;
}

// Whether this is one column of numbers with decimal commas below its name, whether a comma seems to separate them or
// not.
bool is_column_of_decimals(const CsvSample& sample) {
  const Records& records = sample.records;
  if (sample.dialect.separator != ',' || records.size() < 2 || records.front().cells.size() != 1) return false;
  if (kind_of_cell(records.front().cells.front()) != CellKind::text) return false;
  bool any = false;
  return std::all_of(records.begin() + 1, records.end(),
                     [&](const CsvSample::Record& record) {
                       const Cells& cells = record.cells;
                       const std::string number = cells.size() == 2 ? cells[0] + "," + cells[1] : cells[0];
                       any = any || is_decimal(number);
                       return cells.size() <= 2 && (is_decimal(number) || kind_of_cell(number) != CellKind::text);
                     }) &&
         any;
}

// Whether a cell has several words that are not all numbers.
bool has_texts_with_blanks(const CsvSample& sample) {
  const auto is_text = [](std::string_view cell) {
    if (cell.find(' ') == std::string_view::npos) return false;
    for (std::string_view word = next_word(cell); !word.empty(); word = next_word(cell))
      if (kind_of_cell(word) == CellKind::text) return true;
    return false;
  };
  return std::any_of(sample.records.begin() + static_cast<std::ptrdiff_t>(sample.first), sample.records.end(),
                     [&](const CsvSample::Record& record) { return std::ranges::any_of(record.cells, is_text); });
}

// How many numbers the cell has between blanks, if there are several and no other text; else 0.
std::size_t numbers_between_blanks(const std::string& cell) {
  std::string_view rest = cell;
  std::size_t words = 0;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest), ++words)
    if (kind_of_cell(word) == CellKind::text) return 0;
  return words > 1 && !is_number_with_signs(cell) ? words : 0;  // "1 500" is one
}

// How many columns there are if blanks separate those numbers of which a column has several in each cell, and nothing
// else. 0 if there is no such column.
std::size_t columns_with_numbers_apart(const CsvSample& sample) {
  std::size_t columns = 0;
  for (std::size_t c = 0; c < sample.columns; ++c) {
    std::size_t numbers = 0;
    for (std::size_t i = sample.first; i < sample.records.size(); ++i) {
      const Cells& cells = sample.records[i].cells;
      numbers = c < cells.size() ? numbers_between_blanks(cells[c]) : 0;  // a first record may be shorter
      if (numbers == 0) break;
    }
    columns += std::max<std::size_t>(numbers, 1);
  }
  return columns > sample.columns ? columns : 0;
}

// A word and its numbers in every record, as word2vec and GloVe write them; the first record may count both.
bool are_word_vectors(const CsvSample& sample) {
  constexpr std::size_t fewest_columns = 3, fewest_records = 3;
  if (sample.dialect.separator != ' ' || sample.columns < fewest_columns || sample.alike < 1) return false;
  if (sample.records.size() < sample.first + fewest_records) return false;
  std::size_t words = 0, fractions = 0;
  for (std::size_t i = sample.first; i < sample.records.size(); ++i) {
    const std::vector<std::string>& cells = sample.records[i].cells;
    words += kind_of_cell(cells.front()) == CellKind::text;
    for (std::size_t c = 1; c < cells.size(); ++c) {
      if (kind_of_cell(cells[c]) != CellKind::number) return false;
      fractions += cells[c].find_first_of(".e") != std::string::npos;
    }
  }
  const std::size_t records = sample.records.size() - sample.first;
  return 2 * words > records && 2 * fractions > records * (sample.columns - 1);
}

// Whether quotes stand where those of cells don't. If all records are alike with quotes, these are where they should
// be.
bool quotes_are_data(const CsvSample& on, const CsvSample& off) {
  if (off.score == 0 || off.alike < 1 || off.records.size() < off.first + 2) return false;
  return on.broken_quotes || are_word_vectors(off) || (on.alike < 1 && off.score > on.score);
}

}  // namespace

char named_separator(std::string_view head) {
  constexpr std::string_view key = "sep=";
  head = without_mark(head);
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  if (line.size() != key.size() + 1 || !equals_ignoring_case(line.substr(0, key.size()), key)) return '\0';
  const bool divides = !std::isalnum(static_cast<unsigned char>(line.back())) && line.back() != '"';
  return divides ? line.back() : '\0';
}

DialectChoice weigh_dialects(std::string_view head, char known, const TableFormat& format, bool whole) {
  head = without_mark(head);
  const bool any_quote = head.find('"') != std::string_view::npos;
  DialectChoice choice;
  std::vector<CsvSample> samples;
  for (const char separator : known ? std::string(1, known) : std::string(usual_separators)) {
    CsvSample on = sample_of(head, whole, separator, format.quotes == Quotes::automatic);
    if (on.dialect.quotes && any_quote) {
      CsvSample off = sample_of(head, whole, separator, false);
      if (quotes_are_data(on, off)) on = std::move(off);
    }
    if (on.broken_quotes) on.score /= 2;
    samples.push_back(std::move(on));
  }
  // Blanks within the cells that tabs separate are part of texts, unless they separate numbers.
  const auto sample_by = [&](char separator) {
    return std::ranges::find_if(samples, [&](const auto& each) { return each.dialect.separator == separator; });
  };
  const auto by_tabs = sample_by('\t'), by_blanks = sample_by(' ');
  if (by_tabs != samples.end() && by_tabs->score > 0 && by_tabs->alike == 1 && by_blanks != samples.end() &&
      has_texts_with_blanks(*by_tabs)) {
    const bool numbers = by_blanks->score > 0 && by_blanks->alike == 1 && by_blanks->first == 0 &&
                         by_blanks->columns == columns_with_numbers_apart(*by_tabs);
    samples.erase(numbers ? by_tabs : by_blanks);
  }
  std::ranges::stable_sort(samples, [](const auto& a, const auto& b) { return a.score > b.score; });
  if (!known && is_column_of_decimals(samples.front()))  // anything but a comma may separate what is one cell
    samples.insert(samples.begin(), sample_of(head, whole, ';', format.quotes == Quotes::automatic));
  choice.best = std::move(samples.front());
  Dialect& dialect = choice.best.dialect;
  if (format.decimal == DecimalMark::automatic) {
    DecimalCommas commas = decimal_commas(choice.best);
    dialect.decimal_comma = commas.are;
    choice.about_commas = std::move(commas.doubt);
  } else {
    dialect.decimal_comma = format.decimal == DecimalMark::comma;
  }
  if (format.quotes == Quotes::automatic && !dialect.quotes)
    choice.about_quotes = "the records are alike only if quotes are characters like any other";
  if (are_word_vectors(choice.best) && (!any_quote || !dialect.quotes)) {
    dialect.word_vectors = true;
    dialect.quotes = false;
  }
  constexpr double close = 0.2, least = 0.2;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].score < least) continue;
    choice.sure = choice.sure && samples[i].score + close < choice.best.score;
    samples[i].records.clear();
    choice.others.push_back(std::move(samples[i]));
  }
  choice.sure = choice.sure && choice.best.alike == 1;
  return choice;
}

}  // namespace kinescope::sim
