// Writes the Parquet, Arrow and Feather files that arrow_test.cpp reads: a program of its own, so that the tests do not
// need Arrow's library. Usage: write_arrow_files FOLDER
#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/ipc/feather.h>
#include <arrow/ipc/writer.h>
#include <arrow/table.h>
#include <arrow/util/compression.h>
#include <arrow/util/key_value_metadata.h>
#if __has_include(<arrow/json/from_string.h>)
#include <arrow/json/from_string.h>
#else
#include <arrow/ipc/json_simple.h>
#endif
#include <cstdio>
#include <iostream>
#include <memory>
#include <parquet/arrow/writer.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using arrow::Status, arrow::Table;
using Arrays = std::vector<std::pair<std::string, std::shared_ptr<arrow::Array>>>;

arrow::Result<std::shared_ptr<arrow::Array>> array(const std::shared_ptr<arrow::DataType>& type,
                                                   const std::string& json) {
#if __has_include(<arrow/json/from_string.h>)
  return arrow::json::ArrayFromJSONString(type, json);
#else
  return arrow::ipc::internal::json::ArrayFromJSON(type, json);
#endif
}

std::shared_ptr<arrow::Array> made(const std::shared_ptr<arrow::DataType>& type, const std::string& json) {
  return array(type, json).ValueOrDie();
}

std::shared_ptr<arrow::Array> categories(const std::string& codes, const std::string& values, bool ordered,
                                         const std::shared_ptr<arrow::DataType>& type = arrow::utf8()) {
  return arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int8(), type, ordered), made(arrow::int8(), codes),
                                            made(type, values))
      .ValueOrDie();
}

std::shared_ptr<Table> table_of(const Arrays& arrays) {
  std::vector<std::shared_ptr<arrow::Field>> fields;
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const auto& [name, column] : arrays) {
    fields.push_back(arrow::field(name, column->type()));
    columns.push_back(column);
  }
  return Table::Make(arrow::schema(fields), columns);
}

Status write_parquet(const std::string& path, const Table& table, int64_t group = 1 << 20,
                     arrow::Compression::type packing = arrow::Compression::UNCOMPRESSED, bool checksums = false) {
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(path));
  parquet::WriterProperties::Builder how;
  how.compression(packing);
  if (checksums) how.enable_page_checksum();
  return parquet::arrow::WriteTable(table, arrow::default_memory_pool(), file, group, how.build(),
                                    parquet::ArrowWriterProperties::Builder().store_schema()->build());
}

Status write_ipc(const std::string& path, const Table& table, bool stream, int64_t batch = 1 << 20) {
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(path));
  ARROW_ASSIGN_OR_RAISE(const auto writer, stream ? arrow::ipc::MakeStreamWriter(file, table.schema())
                                                  : arrow::ipc::MakeFileWriter(file, table.schema()));
  ARROW_RETURN_NOT_OK(writer->WriteTable(table, batch));
  return writer->Close();
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // the first version, which pandas wrote until 2020
Status write_feather(const std::string& path, const Table& table, int version, arrow::Compression::type packing) {
  arrow::ipc::feather::WriteProperties properties = arrow::ipc::feather::WriteProperties::Defaults();
  properties.version = version;
  properties.compression = packing;
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(path));
  return arrow::ipc::feather::WriteTable(table, file.get(), properties);
}
#pragma GCC diagnostic pop

Status write_each_way(const std::string& path, const Table& table) {
  ARROW_RETURN_NOT_OK(write_parquet(path + ".parquet", table));
  ARROW_RETURN_NOT_OK(write_ipc(path + ".arrow", table, false));
  return write_ipc(path + ".arrows", table, true);
}

Arrays all_types() {
  return {{"i8", made(arrow::int8(), "[-128, null, 127]")},
          {"u8", made(arrow::uint8(), "[0, null, 255]")},
          {"i16", made(arrow::int16(), "[-32768, null, 32767]")},
          {"u16", made(arrow::uint16(), "[0, null, 65535]")},
          {"i32", made(arrow::int32(), "[-2147483648, null, 2147483647]")},
          {"u32", made(arrow::uint32(), "[0, null, 4294967295]")},
          {"i64", made(arrow::int64(), "[-9007199254740993, null, 9007199254740993]")},
          {"u64", made(arrow::uint64(), "[0, null, 18446744073709551615]")},
          {"f32", made(arrow::float32(), "[0.1, null, -2.5]")},
          {"f64", made(arrow::float64(), "[0.1, null, 1e300]")},
          {"decimal", made(arrow::decimal128(7, 2), R"(["-12345.67", null, "0.10"])")},
          {"truth", made(arrow::boolean(), "[true, null, false]")},
          {"text", made(arrow::utf8(), R"(["é", null, ""])")},
          {"large_text", made(arrow::large_utf8(), R"(["a", null, "bc"])")},
          {"day", made(arrow::date32(), "[0, null, 19783]")},
          {"moment",
           made(arrow::timestamp(arrow::TimeUnit::MICRO), R"(["1969-12-31 12:00:00", null, "2024-03-01 00:00:00.5"])")},
          {"zoned", made(arrow::timestamp(arrow::TimeUnit::MILLI, "UTC"),
                         R"(["1970-01-02 00:00:00", null, "2024-03-01 06:00:00"])")},
          {"clock", made(arrow::time32(arrow::TimeUnit::MILLI), "[1500, null, 60000]")},
          {"size", categories("[1, null, 0]", R"(["small", "large"])", true)},
          {"kind", categories("[1, null, 0]", R"(["b", "a"])", false)},
          {"list", made(arrow::list(arrow::float32()), "[[1, 2], null, [3, null]]")},
          {"large_list", made(arrow::large_list(arrow::int64()), "[[1, 16777217], null, [3, 4]]")},
          {"fixed", made(arrow::fixed_size_list(arrow::float64(), 2), "[[0.1, 2], [5, 6], [3, 4]]")},
          {"pair", made(arrow::struct_({arrow::field("x", arrow::float32()), arrow::field("t", arrow::utf8())}),
                        R"([{"x": 1, "t": "p"}, null, {"x": 3, "t": "q"}])")},
          {"uneven", made(arrow::list(arrow::float32()), "[[1, 2], [], [3]]")},
          {"nested", made(arrow::list(arrow::list(arrow::float32())), "[[[1]], [[2]], [[3]]]")},
          {"bytes", made(arrow::binary(), R"(["a", "b", "c"])")}};
}

Status write_files(const std::string& folder) {
  const auto in = [&](const std::string& name) { return folder + "/" + name; };
  ARROW_RETURN_NOT_OK(write_each_way(in("types"), *table_of(all_types())));
  const auto half = table_of({{"half", made(arrow::float16(), "[0.5, null, -65504]")}});
  ARROW_RETURN_NOT_OK(write_ipc(in("half.arrow"), *half, false));
  if (!write_parquet(in("half.parquet"), *half).ok()) std::remove(in("half.parquet").c_str());  // before Arrow 15
  ARROW_RETURN_NOT_OK(write_each_way(in("no_rows"), *table_of({{"a", made(arrow::int32(), "[]")}})));
  ARROW_RETURN_NOT_OK(write_each_way(in("no_columns"), *table_of({})));
  ARROW_RETURN_NOT_OK(
      write_each_way(in("unread"), *table_of({{"bytes", made(arrow::binary(), R"(["a", "b", "c"])")}})));

  // Row groups and batches, of 300 rows each, packed in each manner.
  std::string numbers = "[", codes = "[", lists = "[";
  for (int i = 0; i < 1000; ++i) {
    const std::string separator = i > 0 ? ", " : "";
    numbers += separator + std::to_string(i);
    codes += separator + std::to_string(i / 400);
    lists += separator + "[" + std::to_string(i) + ", " + std::to_string(-i) + "]";
  }
  const auto long_table = table_of({{"number", made(arrow::int32(), numbers + "]")},
                                    {"kind", categories(codes + "]", R"(["a", "b", "c"])", false)},
                                    {"v", made(arrow::fixed_size_list(arrow::float32(), 2), lists + "]")}});
  using Packing = arrow::Compression;
  for (const Packing::type packing :
       {Packing::UNCOMPRESSED, Packing::SNAPPY, Packing::GZIP, Packing::BROTLI, Packing::ZSTD, Packing::LZ4})
    if (arrow::util::Codec::IsAvailable(packing) || packing == Packing::UNCOMPRESSED)
      ARROW_RETURN_NOT_OK(write_parquet(in("long_" + arrow::util::Codec::GetCodecAsString(packing) + ".parquet"),
                                        *long_table, 300, packing));
  ARROW_RETURN_NOT_OK(write_parquet(in("checked.parquet"), *long_table, 300, Packing::UNCOMPRESSED, true));
  ARROW_RETURN_NOT_OK(write_ipc(in("long.arrow"), *long_table, false, 300));
  ARROW_RETURN_NOT_OK(write_ipc(in("long.arrows"), *long_table, true, 300));
  for (const Packing::type packing : {Packing::UNCOMPRESSED, Packing::LZ4_FRAME, Packing::ZSTD})
    ARROW_RETURN_NOT_OK(write_feather(in("long_" + arrow::util::Codec::GetCodecAsString(packing) + ".feather"),
                                      *long_table, arrow::ipc::feather::kFeatherV2Version, packing));

  const auto plain =
      table_of({{"a", made(arrow::float64(), "[0.1, null, 3]")}, {"t", made(arrow::utf8(), R"(["x", "y", null])")}});
  ARROW_RETURN_NOT_OK(
      write_feather(in("first.feather"), *plain, arrow::ipc::feather::kFeatherV1Version, Packing::UNCOMPRESSED));

  const auto indexed = table_of(
      {{"a", made(arrow::float64(), "[1, 2]")}, {"__index_level_0__", made(arrow::utf8(), R"(["r1", "r2"])")}});
  return write_parquet(in("pandas.parquet"),
                       *indexed->ReplaceSchemaMetadata(arrow::key_value_metadata(
                           {"pandas"}, {R"({"index_columns": ["__index_level_0__"], "columns": []})"})));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 1;
  const Status status = write_files(arguments[1]);
  if (!status.ok()) std::cerr << status.ToString() << '\n';
  return status.ok() ? 0 : 1;
}
