// The numbers of a column: each exactly as it was read, in as little memory as that takes.
#pragma once

#include <cmath>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kinescope/large_memory.hpp"

namespace kinescope::sim {

struct NumberFacts;  // sim/data/number_facts.hpp

// Whether float32 holds the number exactly; true for NaN and infinities.
inline bool fits_float(double value) {
  return static_cast<double>(static_cast<float>(value)) == value || std::isnan(value);
}

// Numbers of several columns, row by row, as arrays in files have them. Nothing is missing.
template <class Number>
struct NumberRows {
  std::size_t columns = 0;
  LargeVector<Number> values;  // [rows × columns]
};

// Each `step`-th of some numbers.
template <class Number>
class Strided {
 public:
  class Iterator;

  Strided(const Number* first, std::size_t step, std::size_t size) : first_(first), step_(step), size_(size) {}

  std::size_t size() const { return size_; }
  const Number& operator[](std::size_t i) const { return first_[i * step_]; }
  const Number* data() const { return first_; }
  std::size_t step() const { return step_; }
  Iterator begin() const { return {first_, step_}; }
  Iterator end() const { return {first_ + size_ * step_, step_}; }

 private:
  const Number* first_;
  std::size_t step_, size_;
};

template <class Number>
class Strided<Number>::Iterator {
 public:
  Iterator(const Number* at, std::size_t step) : at_(at), step_(step) {}
  const Number& operator*() const { return *at_; }
  Iterator& operator++() {
    at_ += step_;
    return *this;
  }
  bool operator==(const Iterator& other) const { return at_ == other.at_; }

 private:
  const Number* at_;
  std::size_t step_;
};

// A sequence of numbers, NaN where missing. It is kept as float32 (4 bytes a number) while float32 holds all of them
// exactly, else as double (8 bytes), or it is a column of NumberRows. What is read from it is the same either way.
class Numbers {
 public:
  class Iterator;
  using value_type = double;
  using const_iterator = Iterator;

  Numbers() = default;
  Numbers(std::vector<float> values) : floats_(std::move(values)) {}
  Numbers(std::vector<double> values) : doubles_(std::move(values)), wide_(true), single_(false) { settle(); }
  Numbers(std::initializer_list<double> values) : Numbers(std::vector<double>(values)) {}
  // A column of these rows, which is copied once it is to change. `single`, `fit`: as single() and fit_float().
  Numbers(std::shared_ptr<NumberRows<float>> rows, std::size_t column, bool single)
      : single_(single), size_(rows->values.size() / rows->columns), column_(column), float_rows_(std::move(rows)) {}
  Numbers(std::shared_ptr<NumberRows<double>> rows, std::size_t column, bool fit)
      : wide_(!fit),
        single_(false),
        size_(rows->values.size() / rows->columns),
        column_(column),
        double_rows_(std::move(rows)) {}

  std::size_t size() const { return in_rows() ? size_ : wide_ ? doubles_.size() : floats_.size(); }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const {
    return in_rows() ? in_row(i) : wide_ ? doubles_[i] : static_cast<double>(floats_[i]);
  }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }
  inline Iterator begin() const;
  inline Iterator end() const;

  // Whether float32 holds all of them exactly.
  bool fit_float() const { return !wide_; }
  // Whether they were made as float32, so that the shortest text that reads back as the same float is theirs.
  bool single() const { return single_ && !wide_; }
  // Calls f with all of them, as std::span or Strided of const float or const double: for loops over many.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (float_rows_) return f(Strided<float>(float_rows_->values.data() + column_, float_rows_->columns, size_));
    if (double_rows_) return f(Strided<double>(double_rows_->values.data() + column_, double_rows_->columns, size_));
    return wide_ ? f(std::span<const double>(doubles_)) : f(std::span<const float>(floats_));
  }
  // The rows of which they are column(); null for others, and for rows of the other type.
  template <class Number>
  const std::shared_ptr<NumberRows<Number>>& rows() const {
    if constexpr (sizeof(Number) == sizeof(float))
      return float_rows_;
    else
      return double_rows_;
  }
  std::size_t column() const { return column_; }
  bool shares_rows_with(const Numbers& other) const {
    return in_rows() && float_rows_ == other.float_rows_ && double_rows_ == other.double_rows_;
  }
  // Of a row; 0 for others.
  std::size_t row_bytes() const {
    return float_rows_    ? float_rows_->columns * sizeof(float)
           : double_rows_ ? double_rows_->columns * sizeof(double)
                          : 0;
  }

  // What their reader found on the way; null if it did not look, or if they have changed since.
  const NumberFacts* facts() const { return facts_.get(); }
  void keep_facts(std::shared_ptr<const NumberFacts> facts) { facts_ = std::move(facts); }

  // Rounded to float32.
  inline std::vector<float> floats() const;

  // Before they change: copies a column of rows, and forgets the facts.
  void own() {
    if (in_rows() || facts_) copy_rows();
  }
  void clear() { *this = {}; }
  void reserve(std::size_t count) {
    own();
    wide_ ? doubles_.reserve(count) : floats_.reserve(count);
  }
  void push_back(float value) {
    own();
    wide_ ? doubles_.push_back(value) : floats_.push_back(value);
  }
  void push_back(double value) {
    own();
    single_ = false;
    if (!wide_ && !fits_float(value)) widen();
    wide_ ? doubles_.push_back(value) : floats_.push_back(static_cast<float>(value));
  }
  void push_back(auto) = delete;  // say which: digits are at stake
  void set(std::size_t i, float value) {
    own();
    wide_ ? void(doubles_[i] = value) : void(floats_[i] = value);
  }
  void set(std::size_t i, auto value) = delete;
  void push_front(double value);
  // `fit`: float32 holds all of the values exactly.
  void append(std::span<const double> values, bool fit);
  void append(std::span<const float> values);
  // Keeps those at these places, which are ascending; nothing if there are none.
  void keep(std::span<const std::size_t> places);

  // Makes them `count` zeros to be written to in place. After doubles were written, settle() must be called.
  std::span<float> write_floats(std::size_t count);
  std::span<double> write_doubles(std::size_t count);
  // Keeps them as float32 if that holds all exactly. O(size).
  void settle();
  // Gives the memory of numbers [begin, end), or of these whole rows, back to the system: they are not read any more.
  void give_back(std::size_t begin, std::size_t end);

  bool operator==(const Numbers& other) const;

 private:
  bool in_rows() const { return float_rows_ || double_rows_; }
  double in_row(std::size_t i) const {
    return float_rows_ ? static_cast<double>(float_rows_->values[i * float_rows_->columns + column_])
                       : double_rows_->values[i * double_rows_->columns + column_];
  }
  void copy_rows();
  void widen();

  std::vector<float> floats_;
  std::vector<double> doubles_;  // instead of floats_ if wide_
  bool wide_ = false, single_ = true;
  std::size_t size_ = 0, column_ = 0;  // of a column of rows, which has neither
  std::shared_ptr<NumberRows<float>> float_rows_;
  std::shared_ptr<NumberRows<double>> double_rows_;
  std::shared_ptr<const NumberFacts> facts_;
};

class Numbers::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = double;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = double;

  Iterator() = default;
  Iterator(const Numbers& numbers, std::size_t at) : numbers_(&numbers), at_(static_cast<difference_type>(at)) {}

  double operator*() const { return (*numbers_)[static_cast<std::size_t>(at_)]; }
  double operator[](difference_type n) const { return *(*this + n); }
  Iterator& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  Iterator& operator-=(difference_type n) { return *this += -n; }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this += -1; }
  Iterator operator++(int) { return std::exchange(*this, *this + 1); }
  Iterator operator--(int) { return std::exchange(*this, *this - 1); }
  friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
  friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
  friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
  friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
  bool operator==(const Iterator& other) const { return at_ == other.at_; }
  std::strong_ordering operator<=>(const Iterator& other) const { return at_ <=> other.at_; }

 private:
  const Numbers* numbers_ = nullptr;
  difference_type at_ = 0;
};

inline Numbers::Iterator Numbers::begin() const {
  return {*this, 0};
}
inline Numbers::Iterator Numbers::end() const {
  return {*this, size()};
}
inline std::vector<float> Numbers::floats() const {
  return {begin(), end()};
}

}  // namespace kinescope::sim
