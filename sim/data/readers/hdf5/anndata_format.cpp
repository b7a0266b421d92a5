// AnnData's tables of cells (.h5ad), 0.5 to today's: https://anndata.readthedocs.io ("On-disk format").
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/hdf5/hdf5_file.hpp"
#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

bool is_anndata(const Hdf5File& file) {
  return file.has("/obs") && file.has("/var") &&
         (file.has("/X") || file.has("/layers") || file.has("/uns") || file.has("/obsm"));
}

// Data frames, which are stored in different ways from version to version; for 0.5 to 0.7 the readers are in anndata's
// `_io/h5ad.py`.
class DataFrame {
 public:
  // `path` is a group (0.7 and later) or an array of records (0.5, 0.6).
  DataFrame(const Hdf5File& file, std::string path);

  bool exists() const { return records_ || group_; }
  std::uint64_t rows() const { return rows_; }
  // Of the columns, in their order, without the index.
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& index_name() const { return index_; }
  // The names of the rows; none if they are not texts.
  std::vector<std::string> names() const;
  // Categories, as texts, also of numbers; booleans as the texts True and False; nullable values. Nullopt if it holds
  // something else, or has not as many values as there are rows. Throws Error (input) for a code without a category.
  std::optional<Column> read(const std::string& column) const;

 private:
  Hdf5Place place(const std::string& column) const;
  std::optional<Column> categories(const std::string& name, const Hdf5Place& codes, const Hdf5Place& of) const;
  std::optional<Column> nullable(const std::string& name, const std::string& group) const;

  const Hdf5File& file_;
  std::string path_, index_;
  std::vector<std::string> columns_;
  std::uint64_t rows_ = 0;
  bool records_ = false, group_ = false;
};

DataFrame::DataFrame(const Hdf5File& file, std::string path) : file_(file), path_(std::move(path)) {
  if (const auto shape = file.shape_of({path_}); shape && !shape->fields.empty() && shape->sizes.size() == 1) {
    records_ = true;
    rows_ = shape->rows();
    columns_ = shape->fields;
    const bool named = std::find(columns_.begin(), columns_.end(), "index") != columns_.end();
    index_ = named ? "index" : columns_.front();
  } else if (file.is_group(path_)) {
    index_ = file.text_attribute(path_, "_index");
    if (index_.empty()) index_ = file.has(path_ + "/_index") || !file.has(path_ + "/index") ? "_index" : "index";
    const auto index = file.shape_of({path_ + "/" + index_});
    group_ = index && index->sizes.size() == 1;
    if (group_) rows_ = index->rows();
    columns_ = file.texts_attribute(path_, "column-order");
    std::erase_if(columns_, [&](const std::string& name) { return name.empty() || !file.has(path_ + "/" + name); });
    if (columns_.empty()) columns_ = file.names_in(path_);
  }
  std::erase_if(columns_, [&](const std::string& name) { return name == index_ || name == "__categories"; });
}

Hdf5Place DataFrame::place(const std::string& column) const {
  return records_ ? Hdf5Place{path_, column} : Hdf5Place{path_ + "/" + column};
}

std::vector<std::string> DataFrame::names() const {
  const auto shape = file_.list_at(place(index_), rows_);
  return shape && shape->texts ? file_.read_texts(place(index_)) : std::vector<std::string>();
}

std::optional<Column> DataFrame::read(const std::string& column) const {
  const Hdf5Place values = place(column);
  if (records_) {
    const std::string categories_of = "/uns/" + column + "_categories";
    const auto shape = file_.list_at(values, rows_);
    if (path_ == "/obs" && shape && shape->numbers && file_.shape_of({categories_of}))
      return categories(column, values, {categories_of});
    return annotation_at(file_, values, column, rows_);
  }
  const std::string& path = values.array;
  if (file_.is_group(path)) {
    if (!file_.has(path + "/codes")) return nullable(column, path);
    std::optional<Column> found = categories(column, {path + "/codes"}, {path + "/categories"});
    if (found && !file_.flag_attribute(path, "ordered")) found->order.clear();
    return found;
  }
  const std::string categories_of = path_ + "/__categories/" + column;
  if (file_.shape_of({categories_of})) {
    std::optional<Column> found = categories(column, values, {categories_of});
    if (found && !file_.flag_attribute(categories_of, "ordered")) found->order.clear();
    return found;
  }
  return annotation_at(file_, values, column, rows_);
}

std::optional<Column> DataFrame::categories(const std::string& name, const Hdf5Place& codes_at,
                                            const Hdf5Place& of) const {
  const auto codes = file_.list_at(codes_at, rows_);
  const auto kinds = file_.shape_of(of);
  if (!codes || !codes->numbers || !kinds || kinds->sizes.size() > 1) return std::nullopt;
  Column column{name};
  column.annotates = column.is_text = true;
  if (kinds->texts) {
    column.order = file_.read_texts(of);
  } else if (kinds->numbers) {
    for (const double number : file_.read_numbers(of))
      column.order.push_back(kinds->booleans    ? number != 0 ? "True" : "False"
                             : kinds->fit_float ? number_text(static_cast<float>(number))
                                                : number_text(number));
  } else {
    return std::nullopt;
  }
  RepeatedTexts repeated;
  for (const double code : file_.read_numbers(codes_at)) {  // -1 is missing
    if (!(code >= -1 && code < static_cast<double>(column.order.size())))
      throw file_error(file_.path(), shown(codes_at.array) + ": the code " + number_text(code) + " has no category");
    column.texts.push_back(code < 0 ? "" : column.order[static_cast<std::size_t>(code)]);
    repeated.add(file_.path(), file_.size(), column.texts.back().size());
  }
  return column;
}

std::optional<Column> DataFrame::nullable(const std::string& name, const std::string& group) const {
  const auto mask = file_.list_at({group + "/mask"}, rows_);
  std::optional<Column> column = annotation_at(file_, {group + "/values"}, name, rows_);
  if (!mask || !mask->numbers || !column) return std::nullopt;
  const std::vector<double> missing = file_.read_numbers({group + "/mask"});
  for (std::size_t row = 0; row < rows_; ++row)
    if (missing[row] != 0)
      column->is_text ? column->texts[row].clear() : column->numbers.set(row, std::numeric_limits<float>::quiet_NaN());
  return column;
}

constexpr std::size_t most_frame_columns = 50;

// The members of `/obsm`, which is a group or, in 0.5 and 0.6, an array of records.
std::vector<std::string> layouts_in(const Hdf5File& file) {
  const auto shape = file.shape_of({"/obsm"});
  return shape ? shape->fields : file.names_in("/obsm");
}

Hdf5Place layout_at(const Hdf5File& file, const std::string& name) {
  return file.is_group("/obsm") ? Hdf5Place{"/obsm/" + name} : Hdf5Place{"/obsm", name};
}

// Adds the columns of `obs` and of `obsm` to a table of cells.
class Annotations {
 public:
  Annotations(const Hdf5File& file, Table& table) : file_(file), table_(table) {}

  void add(const DataFrame& obs, const std::string& shown_path) {
    const auto index = annotation_names(obs);
    if (index) append(*index);
    add_frame(obs, "", obs.columns().size());
    for (const std::string& name : layouts_in(file_))
      if (path_of("obsm/" + name) != shown_path) add_layout(name);
    if (!infinite_.empty())
      table_.remarks.push_back("infinities in " + list_of(infinite_) + " are read as missing values");
    if (!unread_.empty()) table_.remarks.push_back("not read, because of what they hold: " + list_of(unread_));
  }

 private:
  std::optional<Column> annotation_names(const DataFrame& obs) const {
    std::vector<std::string> names = obs.names();
    if (names.empty()) return std::nullopt;
    Column column{obs.index_name(), true, {}, std::move(names)};
    column.annotates = true;
    return column;
  }

  void append(Column column) {
    if (drop_infinities(column)) infinite_.push_back(column.name);
    while (table_.find(column.name)) column.name += "_obs";
    table_.columns.push_back(std::move(column));
  }

  void add_frame(const DataFrame& frame, const std::string& prefix, std::size_t most) {
    for (const std::string& name : frame.columns()) {
      std::optional<Column> column = most > 0 ? frame.read(name) : std::nullopt;
      if (!column) {
        unread_.push_back((prefix.empty() ? "obs/" : prefix) + name);
        continue;
      }
      column->name = prefix + column->name;
      append(std::move(*column));
      --most;
    }
  }

  void add_layout(const std::string& name) {
    const DataFrame frame(file_, "/obsm/" + name);
    if (file_.is_group("/obsm") && frame.exists() && frame.rows() == table_.rows) {
      add_frame(frame, name + ".", most_frame_columns);
      return;
    }
    std::vector<Column> columns = first_columns_at(file_, layout_at(file_, name), name, table_.rows);
    for (Column& column : columns) append(std::move(column));
    if (columns.empty()) unread_.push_back("obsm/" + name);
  }

  const Hdf5File& file_;
  Table& table_;
  std::vector<std::string> infinite_, unread_;
};

// What else the file holds, which is not read.
void tell_others(const Hdf5File& file, const std::string& chosen, const DataFrame& var, Table& table) {
  std::vector<std::string> matrices, others;
  for (const std::string& name : file.names_in("/layers")) matrices.push_back("/layers/" + name);
  for (const std::string path : {"/X", "/raw/X", "/raw.X"})
    if (file.has(path)) matrices.push_back(path);
  std::erase(matrices, chosen);
  if (!matrices.empty())
    table.remarks.push_back("the file also holds " + list_of(matrices) + ": " + file_name(file.path()) + ":" +
                            matrices.front() + " opens one");
  if (!var.columns().empty()) others.emplace_back("var");
  for (const std::string name : {"varm", "obsp", "varp", "uns"}) {
    const auto shape = file.shape_of({"/" + name});
    if (!file.names_in("/" + name).empty() || (shape && shape->fields.size() > 0)) others.push_back(name);
  }
  if (!others.empty()) table.remarks.push_back("not read: " + list_of(others));
}

// A data frame as a table of its own.
Table read_frame(const DataFrame& frame) {
  Table table;
  table.rows = frame.rows();
  for (const std::string& name : frame.columns())
    if (std::optional<Column> column = frame.read(name)) {
      column->annotates = false;
      table.columns.push_back(std::move(*column));
    }
  return table;
}

// A layout of 0.5 and 0.6, whose obsm are records.
Table read_record(const Hdf5File& file, const std::string& name, const Hdf5Shape& shape) {
  Table table;
  table.rows = shape.rows();
  table.columns.resize(shape.columns());
  for (std::size_t i = 0; i < shape.columns(); ++i) table.columns[i].name = numbered_name(i);
  const std::vector<double> numbers = file.read_numbers({"/obsm", name});
  for (std::size_t i = 0; i < numbers.size(); ++i) table.columns[i % shape.columns()].numbers.push_back(numbers[i]);
  return table;
}

// The frame of the genes of a matrix; "" if its columns are none.
std::string genes_of(const std::string& path) {
  if (path == "/raw/X") return "/raw/var";
  if (path == "/raw.X") return "/raw.var";
  return path == "/X" || path.starts_with("/layers/") ? "/var" : "";
}

Table read_part(const Hdf5File& file, const std::string& path, LoadProgress* progress) {
  constexpr std::string_view layouts = "/obsm/";
  if (path.starts_with(layouts) && !file.is_group("/obsm")) {
    const std::string name = path.substr(layouts.size());
    const auto shape = file.shape_of({"/obsm", name});
    if (shape && shape->numbers && shape->sizes.size() <= 2) return read_record(file, name, *shape);
  }
  const DataFrame frame(file, path);
  if (frame.exists() && !frame.columns().empty()) return read_frame(frame);
  const std::string chosen = choose_matrix(file, path);
  const std::string genes = genes_of(chosen);
  return read_matrix(file, chosen, progress,
                     genes.empty() ? std::vector<std::string>() : DataFrame(file, genes).names());
}

Table read_anndata(const Hdf5File& file, const std::string& part, LoadProgress* progress) {
  std::string path = part.empty() ? "/X" : path_of(part);
  if (path == "/raw/X" && !file.has(path)) path = "/raw.X";
  if (part.empty() && !file.has("/X")) path = choose_matrix(file, "");
  Table table = read_part(file, path, progress);
  table.format = "AnnData (HDF5), " + shown(path);
  const DataFrame obs(file, "/obs");
  const bool of_cells = !path.starts_with("/var") && path != "/obs" && obs.exists();
  if (of_cells && obs.rows() == table.rows)
    Annotations(file, table).add(obs, path);
  else if (of_cells)
    table.remarks.push_back("obs has " + count_of(obs.rows(), "row") + ", not " + with_commas(table.rows) +
                            ": it is left out");
  tell_others(file, path, DataFrame(file, "/var"), table);
  return table;
}

}  // namespace

extern const FileFormat anndata_format = {
    .name = "AnnData files",
    .endings = ".h5ad",
    .fit = [](InputFile& file) { return fit_hdf5(file, is_anndata); },
    .read = [](const SourceFile& source) { return read_hdf5(source, read_anndata); },
    .otherwise = "not an HDF5 file",
    .has_parts = true};

}  // namespace kinescope::sim
