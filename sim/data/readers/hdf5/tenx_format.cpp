// 10x Genomics' matrices of counts (.h5 of Cell Ranger): version 3 in the group /matrix, version 2 in a group for each
// genome. https://www.10xgenomics.com/support/software/cell-ranger/latest/analysis/outputs/cr-outputs-h5-matrices
// Their columns are the barcodes, stored one after the other, so that the rows read here are the cells.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr const char* usual_type = "Gene Expression";

bool is_tenx_group(const Hdf5File& file, const std::string& group) {
  return file.has(group + "/barcodes") && file.has(group + "/indptr") && file.has(group + "/shape") &&
         (file.is_group(group + "/features") || file.has(group + "/gene_names"));
}

std::vector<std::string> tenx_groups(const Hdf5File& file) {
  std::vector<std::string> groups = file.names_in("/");
  std::erase_if(groups, [&](const std::string& name) { return !is_tenx_group(file, "/" + name); });
  return groups;
}

bool is_tenx(const Hdf5File& file) {
  return !tenx_groups(file).empty();
}

// Keeps the columns whose flag is set.
void keep_columns(SparseRows& rows, const std::vector<bool>& kept) {
  std::vector<std::uint32_t> place(kept.size());
  std::uint32_t count = 0;
  for (std::size_t column = 0; column < kept.size(); ++column) place[column] = kept[column] ? count++ : 0;
  std::uint64_t next = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::uint64_t first = std::exchange(rows.begin[row], next);
    for (std::uint64_t i = first; i < rows.begin[row + 1]; ++i)
      if (kept[rows.index[i]]) {
        rows.index[next] = place[rows.index[i]];
        rows.value[next++] = rows.value[i];
      }
  }
  rows.begin.back() = next;
  rows.index.resize(next);
  rows.value.resize(next);
  rows.columns = count;
}

Table read_tenx(const Hdf5File& file, const std::string& part, LoadProgress* progress) {
  const std::vector<std::string> groups = tenx_groups(file);
  const std::string asked = part.starts_with('/') ? part.substr(1) : part;
  std::string group = groups.front(), type = usual_type;
  if (groups.size() > 1 || std::find(groups.begin(), groups.end(), asked) != groups.end()) {
    if (std::find(groups.begin(), groups.end(), asked) == groups.end())
      throw no_such_part(file.path(), "genome", asked, list_of(groups), groups.front());
    group = asked;
  } else if (!asked.empty()) {
    type = asked;
  }
  const std::string path = "/" + group;
  const auto wrong = [&](const std::string& what) { return file_error(file.path(), shown(path) + ": " + what); };

  const std::string shape_path = path + "/shape";
  if (!file.list_at({shape_path}, 2) || !file.list_at({shape_path}, 2)->numbers)
    throw wrong("its 'shape' is not two numbers");
  std::array<std::int64_t, 2> shape{};
  file.read_rows<std::int64_t>(shape_path, 0, 2, shape);
  if (shape[0] < 1 || shape[1] < 1) throw wrong("it has no features, or no barcodes");
  const auto features = static_cast<std::uint64_t>(shape[0]), cells = static_cast<std::uint64_t>(shape[1]);

  const auto texts = [&](const std::string& name, std::uint64_t count) {
    const auto list = file.list_at({path + name}, count);
    return list && list->texts ? file.read_texts({path + name}) : std::vector<std::string>();
  };
  const bool recent = file.is_group(path + "/features");
  std::vector<std::string> names = texts(recent ? "/features/name" : "/gene_names", features);
  const std::vector<std::string> types =
      recent ? texts("/features/feature_type", features) : std::vector<std::string>();

  Table table;
  table.format = "10x Genomics (HDF5), " + shown(path);
  table.rows = cells;
  Column barcodes{"barcode", true, {}, texts("/barcodes", cells)};
  barcodes.annotates = true;
  if (barcodes.texts.empty()) throw wrong("its 'barcodes' are not " + count_of(cells, "text"));
  table.columns.push_back(std::move(barcodes));

  std::map<std::string, std::size_t> counts;
  for (const std::string& each : types) ++counts[each];
  if (asked.empty() && !counts.contains(type) && !counts.empty()) type = counts.begin()->first;
  const bool by_type = !asked.empty() && asked != group;
  if (by_type && !counts.contains(type)) {
    std::vector<std::string> known;
    for (const auto& [each, count] : counts) known.push_back(each);
    throw file_error(file.path(), "no features of type " + shown(asked) + "; it holds " + list_of(known));
  }
  std::vector<bool> kept;
  if (counts.size() > 1) {
    for (std::size_t i = 0; i < types.size(); ++i) kept.push_back(types[i] == type);
    std::string others, first;
    for (const auto& [each, count] : counts)
      if (each != type) {
        others += (others.empty() ? "" : ", ") + with_commas(count) + " of " + shown(each);
        if (first.empty()) first = each;
      }
    table.remarks.push_back(with_commas(counts[type]) + " features of " + shown(type) + " are read; left out: " +
                            others + ": '" + file_name(file.path()) + ":" + first + "' reads those");
    if (!names.empty()) {
      std::vector<std::string> fitting;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (kept[i]) fitting.push_back(std::move(names[i]));
      names = std::move(fitting);
    }
  }
  const std::shared_ptr<SparseRows> rows = read_sparse(file, {path, false, cells, features}, progress);
  if (!kept.empty()) keep_columns(*rows, kept);
  rows->names = std::move(names);
  table.sparse = rows;
  return table;
}

}  // namespace

extern const FileFormat tenx_format = {.name = "10x Genomics matrices",
                                       .endings = "",
                                       .fit = [](InputFile& file) { return fit_hdf5(file, is_tenx); },
                                       .read = [](const SourceFile& source) { return read_hdf5(source, read_tenx); },
                                       .has_parts = true};

}  // namespace kinescope::sim
