#include "sim/data/readers/records.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

NpyLayout type_of(const RecordField& field, bool swapped) {
  NpyLayout layout;
  layout.kind = field.kind, layout.value_bytes = field.bytes, layout.swapped = swapped;
  return layout;
}

// Whether float32 holds all values of the type.
bool is_float_type(const RecordField& field) {
  return field.bytes <= 2 || (field.kind == 'f' && field.bytes == 4);
}

}  // namespace

double field_value(const RecordField& field, const char* record, bool swapped) {
  return npy_decoder(type_of(field, swapped))(record + field.at, swapped);
}

void add_value(const RecordField& field, double value, Column& column) {
  is_float_type(field) ? column.numbers.push_back(static_cast<float>(value)) : column.numbers.push_back(value);
}

RecordColumns::RecordColumns(const std::vector<RecordField>& fields, std::size_t record_bytes, std::uint64_t rows,
                             bool swapped)
    : fields_(fields),
      record_bytes_(record_bytes),
      swapped_(swapped),
      columns_(fields.size()),
      floats_(fields.size()),
      doubles_(fields.size()) {
  for (std::size_t c = 0; c < fields.size(); ++c) {
    columns_[c].name = fields[c].name;
    is_float_type(fields[c]) ? void(floats_[c] = columns_[c].numbers.write_floats(rows))
                             : void(doubles_[c] = columns_[c].numbers.write_doubles(rows));
  }
}

void RecordColumns::put(std::size_t c, std::size_t row, const char* at, std::size_t step, std::size_t count) {
  const NpyLayout type = type_of(fields_[c], swapped_);
  doubles_[c].empty() ? npy_decode(type, at, step, count, floats_[c].data() + row)
                      : npy_decode(type, at, step, count, doubles_[c].data() + row);
}

// In tiles of records that stay in the cache while their columns are written.
void RecordColumns::decode(const char* records, std::size_t count) {
  constexpr std::size_t tile_bytes = 16 << 10, task_values = 1 << 14;
  const std::size_t tile = std::clamp<std::size_t>(tile_bytes / record_bytes_, 16, 1024);
  const std::size_t in_a_task = std::max<std::size_t>(1, task_values / (tile * fields_.size()));
  in_parallel((count + tile - 1) / tile, in_a_task, [&](std::size_t t) {
    const std::size_t begin = t * tile, rows = std::min(tile, count - begin);
    for (std::size_t c = 0; c < fields_.size(); ++c) {
      const std::size_t step = fields_[c].step > 0 ? fields_[c].step : record_bytes_;
      put(c, done_ + begin, records + begin * step + fields_[c].at, step, rows);
    }
  });
  done_ += count;
}

std::vector<Column> RecordColumns::finish() {
  in_parallel(columns_.size(), 1, [&](std::size_t i) { columns_[i].numbers.settle(); });
  return std::move(columns_);
}

std::vector<Column> read_records(InputFile& file, const std::vector<RecordField>& fields, std::size_t record_bytes,
                                 std::uint64_t rows, bool swapped, const LookAtRecords& look) {
  constexpr std::size_t block_bytes = 8 << 20;
  require_table(file.path(), rows, fields.size());
  const std::size_t block = std::max<std::size_t>(1, block_bytes / record_bytes);
  std::vector<char> bytes(std::min<std::uint64_t>(rows, block) * record_bytes);
  std::optional<RecordColumns> columns;
  for (std::uint64_t done = 0; done < rows;) {
    const std::size_t count = std::min<std::uint64_t>(block, rows - done);
    file.read_exactly(bytes.data(), count * record_bytes, "its data");
    if (!columns) columns.emplace(fields, record_bytes, rows, swapped);  // only now: the header may be false
    columns->decode(bytes.data(), count);
    if (look) look(bytes.data(), done, count, columns->columns());
    done += count;
  }
  return columns->finish();
}

void note_rest(InputFile& file, const std::string& what, std::vector<std::string>& remarks) {
  if (const std::uint64_t bytes = file.read_rest(); bytes > 0)
    remarks.push_back(count_of(bytes, "byte") + (bytes == 1 ? " follows " : " follow ") + what +
                      " that its header states: the file may be damaged");
}

}  // namespace kinescope::sim
