// The numbers of a column: each exactly as it was read, in as little memory as that takes.
#pragma once

#include <cmath>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace kinescope::sim {

// Whether float32 holds the number exactly; true for NaN and infinities.
inline bool fits_float(double value) {
  return static_cast<double>(static_cast<float>(value)) == value || std::isnan(value);
}

// A sequence of numbers, NaN where missing. It is kept as float32 (4 bytes a number) while float32 holds all of them
// exactly, else as double (8 bytes). What is read from it is the same either way.
class Numbers {
 public:
  class Iterator;
  using value_type = double;
  using const_iterator = Iterator;

  Numbers() = default;
  Numbers(std::vector<float> values) : floats_(std::move(values)) {}
  Numbers(std::vector<double> values) : doubles_(std::move(values)), wide_(true), single_(false) { settle(); }
  Numbers(std::initializer_list<double> values) : Numbers(std::vector<double>(values)) {}

  std::size_t size() const { return wide_ ? doubles_.size() : floats_.size(); }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const { return wide_ ? doubles_[i] : static_cast<double>(floats_[i]); }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }
  inline Iterator begin() const;
  inline Iterator end() const;

  // Whether float32 holds all of them exactly.
  bool fit_float() const { return !wide_; }
  // Whether they were made as float32, so that the shortest text that reads back as the same float is theirs.
  bool single() const { return single_ && !wide_; }
  // Calls f with all of them, as std::span<const float> or std::span<const double>: for loops over many.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return wide_ ? f(std::span<const double>(doubles_)) : f(std::span<const float>(floats_));
  }

  // Rounded to float32.
  inline std::vector<float> floats() const;

  void clear() { *this = {}; }
  void reserve(std::size_t count) { wide_ ? doubles_.reserve(count) : floats_.reserve(count); }
  void push_back(float value) { wide_ ? doubles_.push_back(value) : floats_.push_back(value); }
  void push_back(double value) {
    single_ = false;
    if (!wide_ && !fits_float(value)) widen();
    wide_ ? doubles_.push_back(value) : floats_.push_back(static_cast<float>(value));
  }
  void push_back(auto) = delete;  // say which: digits are at stake
  void set(std::size_t i, float value) { wide_ ? void(doubles_[i] = value) : void(floats_[i] = value); }
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

  bool operator==(const Numbers& other) const;

 private:
  void widen();

  std::vector<float> floats_;
  std::vector<double> doubles_;  // instead of floats_ if wide_
  bool wide_ = false, single_ = true;
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
