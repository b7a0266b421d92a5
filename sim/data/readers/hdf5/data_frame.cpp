#include "sim/data/readers/hdf5/data_frame.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/data/limits.hpp"
#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

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

}  // namespace kinescope::sim
