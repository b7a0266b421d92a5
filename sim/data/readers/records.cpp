#include "sim/data/readers/records.hpp"

#include <algorithm>
#include <span>

#include "sim/core/error.hpp"
#include "sim/core/in_parallel.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

NpyDecode decoder_of(const RecordField& field) {
  NpyLayout layout;
  layout.kind = field.kind, layout.value_bytes = field.bytes;
  return npy_decoder(layout);
}

}  // namespace

bool is_float_type(const RecordField& field) {
  return field.bytes <= 2 || (field.kind == 'f' && field.bytes == 4);
}

double field_value(const RecordField& field, const char* record, bool swapped) {
  return decoder_of(field)(record + field.at, swapped);
}

std::vector<Column> read_records(InputFile& file, const std::vector<RecordField>& fields, std::size_t record_bytes,
                                 std::uint64_t rows, bool swapped,
                                 void (*check)(const std::string&, const char*, std::size_t, std::size_t)) {
  constexpr std::size_t block_bytes = 8 << 20, rows_of_task = 1024;
  require_table(file.path(), rows, fields.size());
  // Records of a tile stay in the cache while their columns are written.
  const std::size_t tile = std::clamp<std::size_t>((16 << 10) / record_bytes, 1, rows_of_task);
  const std::size_t block = std::max<std::size_t>(1, block_bytes / record_bytes);
  std::vector<char> bytes(std::min<std::uint64_t>(rows, block) * record_bytes);
  std::vector<Column> columns;
  std::vector<std::span<float>> floats(fields.size());
  std::vector<std::span<double>> doubles(fields.size());
  std::vector<NpyDecode> decode;
  for (std::uint64_t done = 0; done < rows;) {
    const std::size_t count = std::min<std::uint64_t>(block, rows - done);
    file.read_exactly(bytes.data(), count * record_bytes, "its data");
    if (check) check(file.path(), bytes.data(), count, record_bytes);
    if (columns.empty())  // only now: the header may be false
      for (std::size_t c = 0; c < fields.size(); ++c) {
        Column& column = columns.emplace_back();
        column.name = fields[c].name;
        is_float_type(fields[c]) ? void(floats[c] = column.numbers.write_floats(rows))
                                 : void(doubles[c] = column.numbers.write_doubles(rows));
        decode.push_back(decoder_of(fields[c]));
      }
    in_parallel((count + rows_of_task - 1) / rows_of_task, 1, [&](std::size_t task) {
      const std::size_t last = std::min(count, (task + 1) * rows_of_task);
      for (std::size_t begin = task * rows_of_task; begin < last; begin += tile) {
        const std::size_t end = std::min(last, begin + tile);
        for (std::size_t c = 0; c < fields.size(); ++c) {
          const char* at = bytes.data() + begin * record_bytes + fields[c].at;
          for (std::size_t row = begin; row < end; ++row, at += record_bytes) {
            const double value = decode[c](at, swapped);
            doubles[c].empty() ? void(floats[c][done + row] = static_cast<float>(value))
                               : void(doubles[c][done + row] = value);
          }
        }
      }
    });
    done += count;
  }
  in_parallel(columns.size(), 1, [&](std::size_t i) { columns[i].numbers.settle(); });
  return columns;
}

void note_rest(InputFile& file, const std::string& what, std::vector<std::string>& remarks) {
  if (const std::uint64_t bytes = file.read_rest(); bytes > 0)
    remarks.push_back(count_of(bytes, "byte") + (bytes == 1 ? " follows " : " follow ") + what +
                      " that its header states: the file may be damaged");
}

}  // namespace kinescope::sim
