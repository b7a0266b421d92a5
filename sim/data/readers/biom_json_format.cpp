// Tables of observations and samples in JSON, biom 1.0:
// https://biom-format.org/documentation/format_versions/biom-1.0.html The rows are the samples.
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

using Json = nlohmann::json;

bool begins_as_biom(InputFile& file) {
  const std::string_view head = file.head();
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || head[begin] != '{') return false;
  const auto has = [&](std::string_view part) { return head.find(part) != std::string_view::npos; };
  return has("Biological Observation Matrix") || has("biom-format.org") ||
         (has("\"matrix_type\"") && has("\"matrix_element_type\""));
}

Json parsed(InputFile& file) {
  constexpr double of_a_byte = 24;  // the parsed values of a byte of text, at most
  std::string text;
  std::vector<char> block(file.buffer_for(1 << 20));
  while (const std::size_t count = file.read(block.data(), block.size())) {
    text.append(block.data(), count);
    require_memory(file.path(), of_a_byte * static_cast<double>(text.size()));
  }
  try {
    std::ranges::replace(text, '\0', '\x01');  // else the parser takes a zero byte for the end
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw file_error(
        file.path(),
        std::size_t(1 +
                    std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(error.byte, text.size())), '\n')),
        "biom 1: not JSON, or cut off");
  } catch (const Json::out_of_range&) {
    throw file_error(file.path(), "biom 1: a number is too large");
  }
}

// The ids of one axis, and its metadata.
std::vector<std::string> ids_of(const std::string& path, const Json& json, const char* axis) {
  const auto found = json.find(axis);
  if (found == json.end() || !found->is_array()) throw file_error(path, std::string("biom 1: no list of ") + axis);
  std::vector<std::string> ids;
  for (const Json& each : *found) {
    const auto id = each.is_object() ? each.find("id") : each.end();
    if (!each.is_object() || id == each.end() || id->is_structured())
      throw file_error(path, std::string("biom 1: one of its ") + axis + " has no id");
    ids.push_back(id->is_string() ? id->get<std::string>() : id->dump());
  }
  if (ids.empty()) throw file_error(path, std::string("biom 1: it has no ") + axis);
  return ids;
}

void check_shape(const std::string& path, const Json& json, std::size_t observations, std::size_t samples) {
  const auto shape = json.find("shape");
  if (shape != json.end() && *shape != Json::array({observations, samples}))
    throw file_error(path, "biom 1: its shape is not that of " + count_of(observations, "row") + " and " +
                               count_of(samples, "column"));
}

// A column for each key of the samples' metadata. Lists and objects are not read.
std::vector<Column> metadata_of(const Json& samples, std::vector<std::string>& unread) {
  std::vector<std::string> names;
  TextSet known;
  for (const Json& sample : samples)
    if (const auto metadata = sample.find("metadata"); metadata != sample.end() && metadata->is_object())
      for (const auto& [name, value] : metadata->items())
        if (names.size() < maximum_columns && known.insert(name).second) names.push_back(name);
  std::vector<Column> columns;
  for (const std::string& name : names) {
    Column column{name};
    column.annotates = true;
    bool numbers = true, simple = true;
    const auto value_of = [&](const Json& sample) -> const Json& {
      static const Json none;
      const auto metadata = sample.find("metadata");
      if (metadata == sample.end() || !metadata->is_object()) return none;
      const auto value = metadata->find(name);
      return value == metadata->end() ? none : *value;
    };
    for (const Json& sample : samples) {
      const Json& value = value_of(sample);
      numbers = numbers && (value.is_number() || value.is_null());
      simple = simple && !value.is_structured();
    }
    if (!simple) {
      unread.push_back("columns' metadata " + name);
      continue;
    }
    column.is_text = !numbers;
    for (const Json& sample : samples) {
      const Json& value = value_of(sample);
      if (numbers)
        column.numbers.push_back(value.is_null() ? std::nan("") : value.get<double>());
      else
        column.texts.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

struct Entry {
  std::uint32_t sample, observation;
  float value;
};

// What is not 0, in no order.
std::vector<Entry> entries_of(const std::string& path, const Json& json, std::size_t observations,
                              std::size_t samples) {
  const auto wrong = [&](std::size_t entry, const std::string& what) {
    return file_error(path, "biom 1: entry " + std::to_string(entry + 1) + " of its data: " + what);
  };
  const auto data = json.find("data"), type = json.find("matrix_type");
  if (data == json.end() || !data->is_array()) throw file_error(path, "biom 1: no list of data");
  const bool dense = type != json.end() && *type == "dense";
  if (dense && data->size() != observations)
    throw file_error(
        path, "biom 1: " + count_of(data->size(), "row") + " of data, but " + count_of(observations, "observation"));
  require_memory(path, static_cast<double>(sizeof(Entry)) * static_cast<double>(data->size()) *
                           (dense ? static_cast<double>(samples) : 1));
  std::vector<Entry> entries;
  const auto add = [&](std::size_t entry, std::size_t row, std::size_t column, const Json& value) {
    if (!value.is_number()) throw wrong(entry, "a value is not a number");
    const double number = value.get<double>();
    if (!(std::abs(number) <= largest_float)) throw wrong(entry, "a value is beyond float32");
    if (const auto rounded = static_cast<float>(number); rounded != 0)
      entries.push_back({static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row), rounded});
  };
  for (std::size_t i = 0; i < data->size(); ++i) {
    const Json& each = (*data)[i];
    if (!each.is_array() || each.size() != (dense ? samples : 3))
      throw wrong(i, dense ? "not a value for each sample" : "not a row, a column and a value");
    if (dense) {
      for (std::size_t column = 0; column < samples; ++column) add(i, i, column, each[column]);
      continue;
    }
    if (!each[0].is_number_unsigned() || !each[1].is_number_unsigned() ||
        each[0].get<std::uint64_t>() >= observations || each[1].get<std::uint64_t>() >= samples)
      throw wrong(i, "there is no such row or column");
    add(i, each[0].get<std::size_t>(), each[1].get<std::size_t>(), each[2]);
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::pair(a.sample, a.observation) < std::pair(b.sample, b.observation);
  });
  const auto same = std::ranges::adjacent_find(
      entries, [](const Entry& a, const Entry& b) { return a.sample == b.sample && a.observation == b.observation; });
  if (same != entries.end())
    throw file_error(path, "biom 1: row " + std::to_string(same->observation) + " and column " +
                               std::to_string(same->sample) + " have two values");
  return entries;
}

Table read_biom_json(const SourceFile& source) {
  const std::string& path = source.file.path();
  const Json json = parsed(source.file);
  if (!json.is_object()) throw file_error(path, "biom 1: not an object");
  Table table;
  table.format = "biom 1 (JSON)";
  auto rows = std::make_shared<SparseRows>();
  rows->names = column_names(ids_of(path, json, "rows"));
  rows->columns = rows->names.size();
  table.columns.push_back(
      {.name = "sample", .is_text = true, .texts = ids_of(path, json, "columns"), .annotates = true});
  table.rows = table.columns.front().texts.size();
  check_shape(path, json, rows->columns, table.rows);
  std::vector<std::string> unread;
  for (Column& column : metadata_of(json["columns"], unread)) {
    while (table.find(column.name)) column.name += "_sample";
    table.columns.push_back(std::move(column));
  }
  for (const Json& observation : json["rows"])
    if (const auto metadata = observation.find("metadata"); metadata != observation.end() && !metadata->is_null()) {
      unread.emplace_back("rows' metadata");
      break;
    }
  for (const Entry& each : entries_of(path, json, rows->columns, table.rows)) {
    while (rows->begin.size() <= each.sample) rows->begin.push_back(rows->index.size());
    rows->index.push_back(each.observation);
    rows->value.push_back(each.value);
  }
  while (rows->begin.size() <= table.rows) rows->begin.push_back(rows->index.size());
  table.remarks.push_back("the rows are the samples, and the " + count_of(rows->columns, "observation") +
                          " their columns");
  if (!unread.empty()) table.remarks.push_back("not read: " + list_of(unread));
  table.sparse = std::move(rows);
  return table;
}

}  // namespace

extern const FileFormat biom_json_format = {
    .name = "biom 1 tables",
    .endings = ".biom .json",
    .fit = [](InputFile& file) { return fit_if(begins_as_biom(file), Fit::certain); },
    .read = read_biom_json};

}  // namespace kinescope::sim
