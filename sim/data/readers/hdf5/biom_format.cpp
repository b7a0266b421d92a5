// Tables of observations and samples, biom 2.0 and 2.1:
// https://biom-format.org/documentation/format_versions/biom-2.1.html The rows are the samples.
#include <string>
#include <utility>
#include <vector>

#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

bool is_biom(const Hdf5File& file) {
  return file.has("/observation/ids") && file.has("/sample/ids") &&
         (file.is_group("/sample/matrix") || file.is_group("/observation/matrix"));
}

std::vector<std::string> ids_of(const Hdf5File& file, const std::string& axis) {
  const auto shape = file.shape_of({axis + "/ids"});
  if (!shape || !shape->texts || shape->sizes.size() != 1)
    throw file_error(file.path(), shown(axis + "/ids") + " is not a list of texts");
  return file.read_texts({axis + "/ids"});
}

Table read_biom(const Hdf5File& file, const std::string& part, LoadProgress* progress) {
  Table table;
  if (!part.empty()) {
    const std::string path = choose_matrix(file, part);
    table = read_matrix(file, path, progress);
    table.format = "biom (HDF5), " + shown(path);
    return table;
  }
  std::vector<std::string> observations = ids_of(file, "/observation");
  Column samples{"sample", true, {}, ids_of(file, "/sample")};
  samples.annotates = true;
  table.format = "biom (HDF5)";
  table.rows = samples.texts.size();
  table.columns.push_back(std::move(samples));

  std::vector<std::string> unread;
  for (const std::string& name : file.names_in("/sample/metadata")) {
    const Hdf5Place place{"/sample/metadata/" + name};
    std::optional<Column> column = annotation_at(file, place, name, table.rows);
    if (!column) {
      unread.push_back("sample/metadata/" + name);
      continue;
    }
    if (drop_infinities(*column))
      table.remarks.push_back("infinities in " + shown(name) + " are read as missing values");
    while (table.find(column->name)) column->name += "_sample";
    table.columns.push_back(std::move(*column));
  }
  for (const std::string& name : file.names_in("/observation/metadata"))
    unread.push_back("observation/metadata/" + name);
  table.remarks.push_back("the rows are the samples, and the " + count_of(observations.size(), "observation") +
                          " their columns");
  if (!unread.empty()) table.remarks.push_back("not read: " + list_of(unread));

  // Both matrices are the same one; that of the samples has its rows in order.
  const bool by_samples = file.is_group("/sample/matrix");
  const Hdf5Sparse matrix{by_samples ? "/sample/matrix" : "/observation/matrix", !by_samples, table.rows,
                          observations.size()};
  const std::shared_ptr<SparseRows> rows = read_sparse(file, matrix, progress);
  rows->names = std::move(observations);
  table.sparse = rows;
  return table;
}

}  // namespace

extern const FileFormat biom_format = {.name = "biom tables",
                                       .endings = ".biom",
                                       .fit = [](InputFile& file) { return fit_hdf5(file, is_biom); },
                                       .read = [](const SourceFile& source) { return read_hdf5(source, read_biom); },
                                       .otherwise = "neither HDF5, as biom 2 is, nor JSON, as biom 1 is",
                                       .has_parts = true};

}  // namespace kinescope::sim
