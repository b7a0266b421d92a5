// Loom files of cells: https://linnarssonlab.org/loompy/format. Their rows are genes; here the cells are the rows.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/by_text.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

bool is_loom(const Hdf5File& file) {
  return file.has("/matrix") && file.is_group("/row_attrs") && file.is_group("/col_attrs");
}

// The names of the genes, by the usual names of the attribute that has them.
std::vector<std::string> gene_names(const Hdf5File& file, std::uint64_t genes) {
  for (const char* name : {"Gene", "gene_names", "var_names", "gene", "GeneName", "Accession"}) {
    const Hdf5Place place{std::string("/row_attrs/") + name};
    if (const auto shape = file.list_at(place, genes); shape && shape->texts) return file.read_texts(place);
  }
  return {};
}

// Reads the matrix gene by gene, keeping what is not zero. The cells become sparse rows if less than half is kept,
// else columns of numbers.
void read_genes(const Hdf5File& file, const std::string& path, const std::vector<std::string>& genes, Table& table,
                LoadProgress* progress) {
  const std::uint64_t cells = table.rows, count = genes.size();
  SparseRows by_genes;
  by_genes.columns = cells;
  constexpr std::uint64_t loom_values = 1 << 22;
  const std::uint64_t together = std::min<std::uint64_t>(count, file.rows_together(path));
  std::uint64_t step = std::max<std::uint64_t>(1, loom_values / cells);
  step = std::min((step + together - 1) / together * together, count);
  require_memory(file.path(), 4.0 * static_cast<double>(step) * static_cast<double>(cells));
  std::vector<float> block(step * cells);
  for (std::uint64_t first = 0; first < count; first += step) {
    const std::uint64_t some = std::min(step, count - first);
    file.read_rows(path, first, some, std::span(block).first(some * cells));
    const auto kept =
        some * cells - static_cast<std::uint64_t>(
                           std::count(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(some * cells), 0.0f));
    require_memory(file.path(), 8.0 * static_cast<double>(kept));
    for (std::uint64_t gene = 0; gene < some; ++gene) {
      for (std::uint64_t cell = 0; cell < cells; ++cell) {
        const float value = block[gene * cells + cell];
        if (value == 0) continue;
        if (!std::isfinite(value))
          throw file_error(file.path(), shown(path) + ": a value that is not a number, infinite or beyond float32");
        by_genes.index.push_back(static_cast<std::uint32_t>(cell));
        by_genes.value.push_back(value);
      }
      by_genes.begin.push_back(by_genes.index.size());
    }
    tell_progress(progress, first + some, count);
  }
  block = {};
  if (2 * by_genes.value.size() < cells * count) {
    require_memory(file.path(), static_cast<double>(by_genes.bytes()));
    auto rows = std::make_shared<SparseRows>(transposed(by_genes));
    rows->names = genes;
    table.sparse = std::move(rows);
    return;
  }
  require_table(file.path(), cells, count);
  std::vector<Column> columns(count);
  for (std::size_t gene = 0; gene < count; ++gene) {
    columns[gene].name = genes[gene];
    std::vector<float> numbers(cells, 0.0f);
    for (std::size_t i = 0; i < by_genes.size_of(gene); ++i)
      numbers[by_genes.index_of(gene)[i]] = by_genes.value_of(gene)[i];
    columns[gene].numbers = std::move(numbers);
  }
  table.columns.insert(table.columns.begin(), std::make_move_iterator(columns.begin()),
                       std::make_move_iterator(columns.end()));
}

Table read_loom(const Hdf5File& file, const std::string& part, LoadProgress* progress) {
  const std::string path = part.empty() ? "/matrix" : path_of(part);
  if (path != "/matrix" && !path.starts_with("/layers/")) {
    Table table = read_matrix(file, choose_matrix(file, part), progress);
    table.format = "loom (HDF5), " + shown(path);
    return table;
  }
  const auto shape = file.shape_of({path});
  if (!shape || !shape->numbers || shape->sizes.size() != 2) {
    choose_matrix(file, part);  // it lists what there is
    throw file_error(file.path(), shown(path) + " is not a matrix of numbers");
  }
  const std::uint64_t count = shape->rows(), cells = shape->columns();
  if (count == 0 || cells == 0 || count > maximum_columns || cells > maximum_rows)
    throw file_error(file.path(), shown(path) + ": a matrix of " + std::to_string(count) + " × " +
                                      std::to_string(cells) + " is not supported");
  std::vector<std::string> genes = gene_names(file, count);
  genes.resize(count);
  for (std::size_t i = 0; i < genes.size(); ++i)
    if (genes[i].empty()) genes[i] = numbered_name(i);

  Table table;
  table.format = "loom (HDF5), " + shown(path);
  table.rows = cells;
  const TextViewSet taken(genes.begin(), genes.end());
  std::vector<std::string> unread, layers;
  for (const std::string& name : file.names_in("/col_attrs")) {
    const Hdf5Place place{"/col_attrs/" + name};
    std::vector<Column> columns = first_columns_at(file, place, name, cells);
    if (std::optional<Column> column = annotation_at(file, place, name, cells)) columns.push_back(std::move(*column));
    if (columns.empty()) unread.push_back("col_attrs/" + name);
    for (Column& column : columns) {
      if (drop_infinities(column))
        table.remarks.push_back("infinities in " + shown(column.name) + " are read as missing values");
      while (taken.contains(column.name)) column.name += "_cell";
      table.columns.push_back(std::move(column));
    }
  }
  table.remarks.push_back("the rows of the file are " + count_of(count, "gene") +
                          ", so it is transposed: the rows here are the cells");
  for (const std::string& name : file.names_in("/layers"))
    if ("/layers/" + name != path) layers.push_back("/layers/" + name);
  if (!layers.empty())
    table.remarks.push_back("the file also holds " + list_of(layers) + ": " + file_name(file.path()) + ":" +
                            layers.front() + " opens one");
  for (const std::string graphs : {"row_graphs", "col_graphs"})
    if (!file.names_in("/" + graphs).empty()) unread.push_back(graphs);
  if (!file.names_in("/row_attrs").empty()) unread.emplace_back("row_attrs");
  if (!unread.empty()) table.remarks.push_back("not read: " + list_of(unread));
  read_genes(file, path, genes, table, progress);
  return table;
}

}  // namespace

extern const FileFormat loom_format = {.name = "loom files",
                                       .endings = ".loom",
                                       .fit = [](InputFile& file) { return fit_hdf5(file, is_loom); },
                                       .read = [](const SourceFile& source) { return read_hdf5(source, read_loom); },
                                       .otherwise = "not an HDF5 file, as loom files are",
                                       .has_parts = true};

}  // namespace kinescope::sim
