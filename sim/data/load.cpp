#include "kinescope/data/load.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include "kinescope/data/made.hpp"
#include "kinescope/error.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/graph/edge_list.hpp"
#include "sim/data/join.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/text.hpp"
#include "sim/data/transpose.hpp"

namespace kinescope::sim {
namespace {

// Throws if the format says more than which columns are texts or left out.
void refuse_format(const std::string& path, const TableFormat& format) {
  const std::string of_text = " only to text tables such as CSV";
  if (format.header != Header::automatic || format.skip_rows > 0)
    throw file_error(path, "--header and --skip-rows apply" + of_text);
  for (const auto& [given, option] :
       {std::pair(!format.skip_lines.empty(), "--skip-lines"), std::pair(format.separator != '\0', "--separator"),
        std::pair(format.quotes != Quotes::automatic, "--quote"),
        std::pair(format.decimal != DecimalMark::automatic, "--decimal"),
        std::pair(!format.numbers.empty(), "--numbers")})
    if (given) throw file_error(path, std::string(option) + " applies" + of_text);
}

// Leaves out columns, and turns numbers into texts.
void apply_to_columns(Table& table, const TableFormat& format) {
  if (table.picture && !(format.texts.empty() && format.drop.empty()))
    throw file_error(table.source, "--text and --drop cannot be used with the pixels of a picture");
  for (const std::string& name : format.texts) {
    auto& column = const_cast<Column&>(required_column(table, name));
    if (!column.is_text) turn_into_texts(column);
  }
  for (const std::string& name : format.drop) required_column(table, name);
  const TextViewSet dropped(format.drop.begin(), format.drop.end());
  std::erase_if(table.columns, [&](const Column& column) { return dropped.contains(column.name); });
  if (table.columns.empty() && !dropped.empty() && !table.sparse)
    throw file_error(table.source, "--drop leaves no column");
}

// Sparse rows of far more columns than values keep those that have a value: what is computed of each column, such as
// means, costs as much for an empty one. They are named by their numbers.
void leave_out_empty_columns(Table& table) {
  constexpr std::size_t always = 1 << 20, each_value = 4;
  if (!table.sparse || !table.sparse->names.empty()) return;
  if (table.sparse->columns <= std::max(always, each_value * table.sparse->index.size())) return;
  require_memory(table.source, 2.0 * static_cast<double>(table.sparse->bytes()));
  std::vector<std::uint32_t> used = table.sparse->index;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  auto kept = std::make_shared<SparseRows>(*table.sparse);
  for (std::uint32_t& index : kept->index)
    index = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), index) - used.begin());
  kept->columns = used.size();
  for (const std::uint32_t column : used) kept->names.push_back(numbered_name(column));
  table.remarks.push_back(with_commas(table.sparse->columns - used.size()) + " columns without a value left out");
  table.sparse = std::move(kept);
}

Table read_file(const DataRequest& request, LoadProgress* progress) {
  Inside place = split_inside(request.source);
  InputFile file(place.file, progress, place.member);
  if (!place.member.empty() && !file.took_member()) place.name = place.member;  // an archive of arrays
  const FileFormat& format = recognize(file);
  if (!place.name.empty() && !format.has_parts)
    throw file_error(place.file, std::string(format.name) + " have no parts to choose from");
  if (!format.takes_text_options) refuse_format(request.source, request.format);
  Table table = format.read({place, file, request, progress});
  file.require_unchanged();
  if (table.source.empty()) table.source = file.path();
  table.format += file.packings();
  if (!table.text_reading) apply_to_columns(table, request.format);
  leave_out_empty_columns(table);
  return table;
}

// Turns the table and joins the second one to it; make_dataset joins it to the nodes of a table of edges.
void finish_table(Table& table, const DataRequest& request, LoadProgress* progress) {
  if (request.transpose) table = transposed(std::move(table), progress);
  if (request.reading != Reading::graph || table.graph) join_metadata(table, request, progress);
}

}  // namespace

bool can_be_read_again(const std::string& source) {
  std::error_code error;
  return source == standard_input || std::filesystem::is_regular_file(split_inside(source).file, error);
}

Table load_table(const DataRequest& request, LoadProgress* progress) try {
  const bool made = is_made(request.source);
  if (made) refuse_format(request.source, request.format);
  Table table = made ? make_data(request.source, progress).table : read_file(request, progress);
  if (made) apply_to_columns(table, request.format);
  if (request.reading == Reading::graph && can_be_read_again(request.source)) {
    DataRequest again = request;
    if (!request.format.separator && words_are_edges(table)) {
      again.format.separator = ' ';
      table = read_file(again, progress);
    }
    if (request.format.header == Header::automatic && header_is_an_edge(table)) {
      again.format.header = Header::no;
      table = read_file(again, progress);
    }
    if (const auto texts = ends_to_read_as_texts(table, request.columns); !texts.empty()) {
      again.format.texts.insert(again.format.texts.end(), texts.begin(), texts.end());
      table = read_file(again, progress);
    }
    if (again.format.header != request.format.header)
      table.header_reason = "row 1 has nodes that are also in other rows";
  }
  finish_table(table, request, progress);
  if (progress) progress->fraction = 1;
  return table;
} catch (const std::bad_alloc&) {
  throw run_error(request.source + ": out of memory while reading; try a table with fewer rows or columns");
}

std::shared_ptr<Dataset> load_dataset(const DataRequest& request, LoadProgress* progress) try {
  if (!is_made(request.source)) return std::make_shared<Dataset>(make_dataset(load_table(request, progress), request));
  refuse_format(request.source, request.format);
  MadeData data = make_data(request.source, progress);
  apply_to_columns(data.table, request.format);
  finish_table(data.table, request, progress);
  DataRequest labelled = request;
  if (labelled.label.empty()) labelled.label = data.label;
  Dataset dataset = make_dataset(std::move(data.table), labelled);
  dataset.name = request.source;
  dataset.colours = std::move(data.colours);  // made data have no missing values, so all rows stay
  return std::make_shared<Dataset>(std::move(dataset));
} catch (const std::bad_alloc&) {
  throw run_error(request.source + ": out of memory while reading; try a table with fewer rows or columns");
}

}  // namespace kinescope::sim
