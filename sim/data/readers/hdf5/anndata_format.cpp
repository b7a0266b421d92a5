// AnnData's tables of cells (.h5ad), 0.5 to today's: https://anndata.readthedocs.io ("On-disk format").
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/data/readers/hdf5/data_frame.hpp"
#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

bool is_anndata(const Hdf5File& file) {
  return file.has("/obs") && file.has("/var") &&
         (file.has("/X") || file.has("/layers") || file.has("/uns") || file.has("/obsm"));
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
Hdf5Table describe_frame(const DataFrame& frame) {
  Hdf5Table described;
  described.table.rows = frame.rows();
  for (const std::string& name : frame.columns())
    if (std::optional<Column> column = frame.read(name)) {
      column->annotates = false;
      described.table.columns.push_back(std::move(*column));
    }
  described.fill = [](Table&, LoadProgress*) {};
  return described;
}

// A layout of 0.5 and 0.6, whose obsm are records.
Hdf5Table describe_record(const Hdf5File& file, const std::string& name, const Hdf5Shape& shape) {
  Hdf5Table described;
  described.table.rows = shape.rows();
  described.table.columns.resize(shape.columns());
  for (std::size_t i = 0; i < shape.columns(); ++i) described.table.columns[i].name = numbered_name(i);
  described.fill = [&file, name, columns = shape.columns()](Table& table, LoadProgress*) {
    const std::vector<double> numbers = file.read_numbers({"/obsm", name});
    for (std::size_t i = 0; i < numbers.size(); ++i) table.columns[i % columns].numbers.push_back(numbers[i]);
  };
  return described;
}

// The frame of the genes of a matrix; "" if its columns are none.
std::string genes_of(const std::string& path) {
  if (path == "/raw/X") return "/raw/var";
  if (path == "/raw.X") return "/raw.var";
  return path == "/X" || path.starts_with("/layers/") ? "/var" : "";
}

Hdf5Table describe_part(const Hdf5File& file, const std::string& path) {
  constexpr std::string_view layouts = "/obsm/";
  if (path.starts_with(layouts) && !file.is_group("/obsm")) {
    const std::string name = path.substr(layouts.size());
    const auto shape = file.shape_of({"/obsm", name});
    if (shape && shape->numbers && shape->sizes.size() <= 2) return describe_record(file, name, *shape);
  }
  const DataFrame frame(file, path);
  if (frame.exists() && !frame.columns().empty()) return describe_frame(frame);
  const std::string chosen = choose_matrix(file, path);
  const std::string genes = genes_of(chosen);
  return describe_matrix(file, chosen, genes.empty() ? std::vector<std::string>() : DataFrame(file, genes).names());
}

Hdf5Table describe_anndata(const Hdf5File& file, const std::string& part) {
  std::string path = part.empty() ? "/X" : path_of(part);
  if (path == "/raw/X" && !file.has(path)) path = "/raw.X";
  if (part.empty() && !file.has("/X")) path = choose_matrix(file, "");
  Hdf5Table described = describe_part(file, path);
  described.table.format = "AnnData (HDF5), " + shown(path);
  const DataFrame obs(file, "/obs");
  const bool of_cells = !path.starts_with("/var") && path != "/obs" && obs.exists();
  if (of_cells && obs.rows() == described.table.rows)
    Annotations(file, described.table).add(obs, path);
  else if (of_cells)
    described.table.remarks.push_back("obs has " + count_of(obs.rows(), "row") + ", not " +
                                      with_commas(described.table.rows) + ": it is left out");
  tell_others(file, path, DataFrame(file, "/var"), described.table);
  return described;
}

}  // namespace

extern const FileFormat anndata_format = {
    .name = "AnnData files",
    .endings = ".h5ad",
    .fit = [](InputFile& file) { return fit_hdf5(file, is_anndata); },
    .read = [](const SourceFile& source) { return read_hdf5(source, describe_anndata); },
    .otherwise = "not an HDF5 file",
    .has_parts = true};

}  // namespace kinescope::sim
