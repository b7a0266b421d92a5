#include "sim/data/readers/arrays/npy_rows.hpp"

#include <filesystem>

#include "kinescope/error.hpp"
#include "sim/data/gather.hpp"

namespace kinescope::sim {

NpyRows::NpyRows(const std::string& path, const NpyLayout& layout)
    : file_(path), layout_(layout), origin_(layout.columns) {
  std::vector<std::vector<double>> samples(layout.columns);
  for (std::size_t row = 0; row < layout.rows; row += origin_step(layout.rows)) {
    const std::vector<double> values = read_row(row);
    for (std::size_t c = 0; c < values.size(); ++c) samples[c].push_back(values[c]);
  }
  for (std::size_t c = 0; c < layout.columns; ++c) origin_[c] = column_origin(samples[c]);
}

std::vector<double> NpyRows::read_row(std::size_t row) const {
  const std::size_t width = layout_.columns * layout_.value_bytes;
  std::vector<char> bytes(width);
  file_.read_at(layout_.begin + row * width, bytes);
  std::vector<double> values(layout_.columns);
  for (std::size_t c = 0; c < values.size(); ++c)
    values[c] = npy_decoder(layout_)(bytes.data() + c * layout_.value_bytes, layout_.swapped);
  return values;
}

void NpyRows::read(std::size_t first, std::size_t count, float* to) const {
  std::vector<char> bytes(count * layout_.columns * layout_.value_bytes);
  file_.read_at(layout_.begin + first * layout_.columns * layout_.value_bytes, bytes);
  const NpyDecode decode = npy_decoder(layout_);
  for (std::size_t i = 0; i < count * layout_.columns; ++i)
    to[i] = static_cast<float>(decode(bytes.data() + i * layout_.value_bytes, layout_.swapped) -
                               origin_[i % layout_.columns]);
}

std::shared_ptr<const NpyRows> rows_in_file(const DataRequest& request) {
  const bool as_they_are = request.columns.empty() && request.label.empty() && request.categories.empty() &&
                           request.missing == Missing::leave_out && request.reading == Reading::rows &&
                           request.format == TableFormat();
  std::error_code error;
  if (!as_they_are || !std::filesystem::is_regular_file(request.source, error)) return nullptr;
  try {
    InputFile file(request.source);
    if (file.packed() || !file.head().starts_with("\x93NUMPY")) return nullptr;
    const NpyLayout layout = read_npy_layout(file, true);
    if (layout.fortran && layout.columns > 1) return nullptr;
    if (file.plain_size() != layout.begin + layout.bytes()) return nullptr;
    return std::make_shared<const NpyRows>(request.source, layout);
  } catch (const Error&) {  // load_dataset will read the whole file and report the error
    return nullptr;
  }
}

}  // namespace kinescope::sim
