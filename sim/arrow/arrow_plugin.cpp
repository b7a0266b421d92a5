// The shared library libkinescope_arrow.so: all that is compiled against Apache Arrow. The program loads it when a file
// needs it, so that it starts without Arrow.
#include <algorithm>
#include <array>
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/ipc/feather.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <cstring>
#include <exception>
#include <memory>
#include <parquet/arrow/reader.h>
#include <parquet/properties.h>
#include <string>
#include <string_view>
#include <utility>

#include "sim/data/readers/arrow/arrow_c.hpp"

namespace {

using Batches = std::shared_ptr<arrow::RecordBatchReader>;

// Checks each batch: Arrow trusts the offsets of IPC files. Keeps exceptions inside this library.
class CheckedBatches : public arrow::RecordBatchReader {
 public:
  CheckedBatches(Batches batches, std::shared_ptr<void> owner)
      : owner_(std::move(owner)), batches_(std::move(batches)) {}
  ~CheckedBatches() override { batches_.reset(); }  // before its owner

  std::shared_ptr<arrow::Schema> schema() const override { return batches_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override try {
    ARROW_RETURN_NOT_OK(batches_->ReadNext(batch));
    return *batch ? (*batch)->ValidateFull() : arrow::Status::OK();
  } catch (const std::exception& error) {
    return arrow::Status::Invalid(error.what());
  }

 private:
  std::shared_ptr<void> owner_;
  Batches batches_;
};

// The batches of an IPC file, one after the other.
class FileBatches : public arrow::RecordBatchReader {
 public:
  explicit FileBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file) : file_(std::move(file)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    if (next_ == file_->num_record_batches()) {
      batch->reset();
      return arrow::Status::OK();
    }
    return file_->ReadRecordBatch(next_++).Value(batch);
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

arrow::Result<Batches> open_parquet(std::shared_ptr<arrow::io::RandomAccessFile> file, bool threads, int64_t& rows) {
  constexpr int64_t batch_rows = 1 << 16;
  parquet::ReaderProperties reading;
  reading.enable_buffered_stream();  // else all of a row group is in memory as it is stored
  reading.set_buffer_size(1 << 18);
  reading.set_page_checksum_verification(true);
  parquet::ArrowReaderProperties properties(threads);
  properties.set_batch_size(batch_rows);
  properties.set_pre_buffer(false);
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(std::move(file), reading));
  builder.properties(properties);
  std::unique_ptr<parquet::arrow::FileReader> made;
  ARROW_RETURN_NOT_OK(builder.Build(&made));
  std::shared_ptr<parquet::arrow::FileReader> reader = std::move(made);
  rows = reader->parquet_reader()->metadata()->num_rows();
  ARROW_ASSIGN_OR_RAISE(Batches batches, reader->GetRecordBatchReader());
  return std::make_shared<CheckedBatches>(std::move(batches), reader);
}

arrow::Result<Batches> open_feather_1(const std::shared_ptr<arrow::io::RandomAccessFile>& file, int64_t& rows) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // pandas wrote such files until 2020
  ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::feather::Reader::Open(file));
#pragma GCC diagnostic pop
  std::shared_ptr<arrow::Table> table;
  ARROW_RETURN_NOT_OK(reader->Read(&table));
  ARROW_RETURN_NOT_OK(table->ValidateFull());
  rows = table->num_rows();
  return std::make_shared<CheckedBatches>(std::make_shared<arrow::TableBatchReader>(table), table);
}

arrow::Result<Batches> open_batches(const char* path, bool threads, int64_t& rows) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path));
  std::array<char, 6> head{};
  ARROW_ASSIGN_OR_RAISE(const int64_t bytes, file->ReadAt(0, head.size(), head.data()));
  const std::string_view begin(head.data(), static_cast<std::size_t>(bytes));
  if (begin.starts_with("PAR1")) return open_parquet(file, threads, rows);
  if (begin.starts_with("FEA1")) return open_feather_1(file, rows);
  arrow::ipc::IpcReadOptions options = arrow::ipc::IpcReadOptions::Defaults();
  options.use_threads = threads;
  if (begin.starts_with("ARROW1")) {
    ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(file, options));
    ARROW_ASSIGN_OR_RAISE(rows, reader->CountRows());
    return std::make_shared<CheckedBatches>(std::make_shared<FileBatches>(std::move(reader)), nullptr);
  }
  ARROW_RETURN_NOT_OK(file->Seek(0));  // Arrow wants it between reading at a place and reading on
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchStreamReader::Open(file, options));
  return std::make_shared<CheckedBatches>(std::move(reader), nullptr);
}

arrow::Status open_stream(const char* path, bool threads, ArrowArrayStream* stream, int64_t& rows) try {
  ARROW_ASSIGN_OR_RAISE(Batches batches, open_batches(path, threads, rows));
  return arrow::ExportRecordBatchReader(std::move(batches), stream);
} catch (const std::exception& error) {
  return arrow::Status::Invalid(error.what());
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool kinescope_open_arrow(const char* path, bool threads,
                                                                            ArrowArrayStream* stream, int64_t* rows,
                                                                            char* error, int64_t error_bytes) {
  *rows = -1;
  const arrow::Status status = open_stream(path, threads, stream, *rows);
  if (status.ok()) return true;
  const std::string& text = status.message();
  const std::size_t length = std::min(text.find('\n'), std::min<std::size_t>(text.size(), error_bytes - 1));
  std::memcpy(error, text.data(), length);
  error[length] = '\0';
  return false;
}
static_assert(std::is_same_v<decltype(kinescope_open_arrow), kinescope::sim::OpenArrow>);
