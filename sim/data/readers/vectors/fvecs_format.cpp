// Vectors of the TEXMEX corpora (H. Jégou, L. Amsaleg, corpus-texmex.irisa.fr): each is its number of values as a
// 32-bit integer and then the values, little-endian: .fvecs float32, .ivecs int32, .bvecs bytes.
#include <bit>
#include <string>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/records.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr bool other_order = std::endian::native == std::endian::big;
constexpr std::size_t size_bytes = 4;

RecordField value_type(const std::string& path) {
  if (has_ending(path, ".bvecs")) return {"", 'u', 1, 0};
  return {"", has_ending(path, ".ivecs") ? 'i' : 'f', 4, 0};
}

std::size_t dimensions_at(const char* record) {
  return static_cast<std::size_t>(field_value({"", 'u', size_bytes, 0}, record, other_order));
}

bool are_vectors(const InputFile& file) {
  if (!has_ending(file.path(), ".fvecs .ivecs .bvecs") || file.head().size() <= size_bytes) return false;
  const std::size_t dimensions = dimensions_at(file.head().data());
  const std::size_t record = size_bytes + dimensions * value_type(file.path()).bytes;
  return dimensions > 0 && dimensions <= maximum_columns &&
         (file.head().size() < record + size_bytes || dimensions_at(file.head().data() + record) == dimensions);
}

// Columns c0, c1, … Throws Error (input) if a vector has another number of values than the first, and if the file is
// cut off; Error (run); Cancelled. O(values).
Table read_vectors(const SourceFile& source) {
  InputFile& file = source.file;
  const std::size_t dimensions = dimensions_at(file.head().data());
  RecordField field = value_type(file.path());
  const std::size_t record = size_bytes + dimensions * field.bytes;
  // Without the file's size the vectors are counted first, in a copy.
  std::uint64_t bytes = file.plain_size();
  std::unique_ptr<InputFile> unpacked;
  if (bytes == 0) {
    unpacked = std::make_unique<InputFile>(file.seekable_path(), source.progress);
    bytes = unpacked->plain_size();
  }
  if (bytes % record != 0)
    throw file_error(file.path(), "damaged, or vectors of different sizes: the file is no multiple of " +
                                      bytes_text(record) + ", the size of its first vector");
  std::vector<RecordField> fields;
  for (std::size_t k = 0; k < dimensions; ++k) {
    field.name = numbered_name(k);
    field.at = size_bytes + k * field.bytes;
    fields.push_back(field);
  }
  Table table;
  table.format = "vectors";
  table.rows = bytes / record;
  const auto check = [&](const char* records, std::size_t, std::size_t count, std::vector<Column>&) {
    for (std::size_t i = 1; i < count; ++i)
      if (dimensions_at(records + i * record) != dimensions_at(records))
        throw file_error(file.path(), "vectors of different sizes");
  };
  table.columns = read_records(unpacked ? *unpacked : file, fields, record, table.rows, other_order, check);
  return table;
}

}  // namespace

extern const FileFormat fvecs_format = {
    .name = "fvecs, ivecs and bvecs vectors",
    .endings = ".fvecs .ivecs .bvecs",
    .fit = [](InputFile& file) { return fit_if(are_vectors(file), Fit::certain); },
    .read = read_vectors,
    .otherwise = "not a file of vectors: it does not begin with their number of values"};

}  // namespace kinescope::sim
