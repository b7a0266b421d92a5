#include "kinescope/numbers.hpp"

#include <algorithm>

namespace kinescope::sim {

void Numbers::copy_rows() {
  facts_ = nullptr;
  if (!in_rows()) return;
  if (wide_)
    doubles_.assign(begin(), end());
  else
    floats_.assign(begin(), end());
  size_ = 0;
  float_rows_ = nullptr;
  double_rows_ = nullptr;
}

void Numbers::widen() {
  doubles_.reserve(floats_.capacity());
  doubles_.assign(floats_.begin(), floats_.end());
  floats_ = {};
  wide_ = true;
}

void Numbers::push_front(double value) {
  own();
  if (!wide_ && !fits_float(value)) widen();
  single_ = false;
  if (wide_)
    doubles_.insert(doubles_.begin(), value);
  else
    floats_.insert(floats_.begin(), static_cast<float>(value));
}

void Numbers::append(std::span<const double> values, bool fit) {
  own();
  single_ = false;
  if (!wide_ && !fit) widen();
  if (wide_) {
    doubles_.insert(doubles_.end(), values.begin(), values.end());
  } else {
    const std::size_t before = floats_.size();
    floats_.resize(before + values.size());
    for (std::size_t i = 0; i < values.size(); ++i) floats_[before + i] = static_cast<float>(values[i]);
  }
}

void Numbers::append(std::span<const float> values) {
  own();
  if (wide_)
    doubles_.insert(doubles_.end(), values.begin(), values.end());
  else
    floats_.insert(floats_.end(), values.begin(), values.end());
}

void Numbers::keep(std::span<const std::size_t> places) {
  const auto keep_in = [&](auto& values) {
    for (std::size_t i = 0; i < places.size(); ++i) values[i] = values[places[i]];
    values.resize(places.size());
  };
  if (empty() || places.size() == size()) return;
  own();
  if (!wide_) return keep_in(floats_);
  keep_in(doubles_);
  settle();  // a number that was left out may have been the reason for double
}

std::span<float> Numbers::write_floats(std::size_t count) {
  clear();
  floats_.resize(count);
  return floats_;
}

std::span<double> Numbers::write_doubles(std::size_t count) {
  clear();
  wide_ = true;
  single_ = false;
  doubles_.resize(count);
  return doubles_;
}

void Numbers::settle() {
  if (!wide_ || in_rows() || !std::all_of(doubles_.begin(), doubles_.end(), fits_float)) return;
  floats_.assign(doubles_.begin(), doubles_.end());
  doubles_ = {};
  wide_ = false;
}

void Numbers::give_back(std::size_t begin, std::size_t end) {
  const auto part = [&](auto& values, std::size_t columns) {
    sim::give_back(values.data() + begin * columns, (end - begin) * columns * sizeof(values[0]));
  };
  if (float_rows_) return part(float_rows_->values, float_rows_->columns);
  if (double_rows_) return part(double_rows_->values, double_rows_->columns);
  wide_ ? part(doubles_, 1) : part(floats_, 1);
}

bool Numbers::operator==(const Numbers& other) const {
  return size() == other.size() && std::equal(begin(), end(), other.begin());
}

}  // namespace kinescope::sim
