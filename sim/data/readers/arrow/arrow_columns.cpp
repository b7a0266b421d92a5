#include "sim/data/readers/arrow/arrow_columns.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "sim/core/by_text.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? 0 : bytes;
}

class NumberColumn : public ArrowColumn {
 public:
  NumberColumn(std::string name, const ArrowNumberType& type, std::size_t rows) : type_(type), expected_(rows) {
    column_.name = std::move(name);
  }

  void append(const ArrowRows& rows) override {
    if (column_.numbers.empty()) column_.numbers.reserve(expected_);
    const std::size_t before = column_.numbers.size();
    if (type_.kind == ArrowNumber::f32 && rows.has_all()) {
      column_.numbers.append(std::span(rows.buffer<float>(1), rows.count));
    } else if (type_.fits_float()) {
      floats_.resize(rows.count);
      arrow_numbers(type_, rows, floats_.data());
      column_.numbers.append(std::span<const float>(floats_));
    } else {
      doubles_.resize(rows.count);
      arrow_numbers(type_, rows, doubles_.data());
      bool fit = true;
      for (const double value : doubles_) fit &= fits_float(value);
      column_.numbers.append(doubles_, fit);
    }
    keep_digits(rows, before);
  }

  void finish(std::vector<Column>& columns, std::vector<std::string>& remarks) override {
    if (type_.in_seconds) remarks.push_back(shown(column_.name) + " is in seconds");
    columns.push_back(std::move(column_));
  }

 private:
  // Whole numbers beyond 2^53 need their digits beside the doubles: identifiers are told apart by them.
  void keep_digits(const ArrowRows& rows, std::size_t before) {
    if (type_.kind != ArrowNumber::i64 && type_.kind != ArrowNumber::u64 && type_.kind != ArrowNumber::decimal) return;
    for (std::size_t i = 0; i < rows.count; ++i) {
      std::string digits = arrow_digits(type_, rows, i);
      if (digits.empty() && column_.texts.empty()) continue;
      fill_texts(column_, before + i);
      column_.texts.push_back(digits.empty() ? number_text(column_.numbers, before + i) : std::move(digits));
    }
  }

  ArrowNumberType type_;
  std::size_t expected_;
  Column column_;
  std::vector<float> floats_;
  std::vector<double> doubles_;
};

// Texts: with offsets of 32 or 64 bits, or as views.
class TextColumn : public ArrowColumn {
 public:
  TextColumn(std::string file, std::string name, std::string_view format)
      : file_(std::move(file)), views_(format == "vu"), large_(format == "U") {
    column_.name = std::move(name);
    column_.is_text = true;
  }

  void append(const ArrowRows& rows) override {
    require_memory(file_, static_cast<double>(rows.count) * sizeof(std::string));
    for (std::size_t i = 0; i < rows.count; ++i) {
      column_.texts.push_back(rows.has(i) ? to_utf8(text(rows, i)) : std::string());
      if (views_) repeated_.add(file_, file_bytes_, column_.texts.back().size());
    }
  }

  void finish(std::vector<Column>& columns, std::vector<std::string>&) override {
    if (count_dates(column_).is_of_dates()) turn_into_days(column_);
    columns.push_back(std::move(column_));
  }

 private:
  std::string_view text(const ArrowRows& rows, std::size_t i) const {
    if (views_) return viewed(rows, i);
    const auto* bytes = static_cast<const char*>(rows.array->buffers[2]);
    const auto cut = [&](const auto* offsets) {
      return std::string_view(bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    };
    return large_ ? cut(rows.buffer<std::int64_t>(1)) : cut(rows.buffer<std::int32_t>(1));
  }
  // 16 bytes: the length, then up to 12 bytes of text, or 4 of it, the number of a buffer, and the place in it.
  static std::string_view viewed(const ArrowRows& rows, std::size_t i) {
    const auto* view = rows.buffer<std::array<std::int32_t, 4>>(1) + i;
    const auto length = static_cast<std::size_t>((*view)[0]);
    if (length <= 12) return {reinterpret_cast<const char*>(view->data() + 1), length};
    return {static_cast<const char*>(rows.array->buffers[2 + (*view)[2]]) + (*view)[3], length};
  }

  std::string file_;
  std::uint64_t file_bytes_ = size_of(file_);
  bool views_, large_;
  RepeatedTexts repeated_;
  Column column_;
};

// Days and points in time: days since 1970-01-01, with ISO 8601's texts beside them.
class DateColumn : public ArrowColumn {
 public:
  DateColumn(std::string file, std::string name, std::string_view format) : file_(std::move(file)) {
    column_.name = std::move(name);
    column_.is_text = true;
    days_ = format == "tdD";
    if (format == "tdm") a_second_ = 1'000;
    if (format.starts_with("ts")) {
      a_second_ = format[2] == 's' ? 1 : format[2] == 'm' ? 1'000 : format[2] == 'u' ? 1'000'000 : 1'000'000'000;
      if (format.size() > 4) zone_ = "Z";  // what follows "tsn:" is a time zone; the numbers are in UTC
    }
  }

  void append(const ArrowRows& rows) override {
    require_memory(file_, static_cast<double>(rows.count) * (sizeof(std::string) + sizeof(double)));
    for (std::size_t i = 0; i < rows.count; ++i)
      column_.texts.push_back(!rows.has(i) ? ""
                              : days_      ? text_of(rows.buffer<std::int32_t>(1)[i])
                                           : moment(rows.buffer<std::int64_t>(1)[i]));
  }

  void finish(std::vector<Column>& columns, std::vector<std::string>& remarks) override {
    constexpr std::size_t date_length = 10;
    if (!days_ && only_dates_)
      for (std::string& text : column_.texts) text.resize(std::min(text.size(), date_length));
    turn_into_days(column_);
    if (beyond_ > 0)
      remarks.push_back(count_of(beyond_, "date") + " of " + shown(column_.name) +
                        " beyond the years 0 to 9999 are read as missing");
    columns.push_back(std::move(column_));
  }

 private:
  static constexpr std::int64_t a_day = 86'400;

  std::string moment(std::int64_t value) {
    const auto whole = [](std::int64_t number, std::int64_t by) { return number / by - (number % by < 0); };
    const std::int64_t seconds = whole(value, a_second_), part = value - seconds * a_second_;
    const std::int64_t day = whole(seconds, a_day), second = seconds - day * a_day;
    std::string text = text_of(day);
    if (text.empty()) return text;
    char time[40];
    std::snprintf(time, sizeof time, " %02d:%02d:%02d", static_cast<int>(second / 3600),
                  static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
    text += time;
    if (part != 0) {
      std::string digits = std::to_string(a_second_ + part).substr(1);
      digits.erase(digits.find_last_not_of('0') + 1);
      text += "." + digits;
    }
    only_dates_ = only_dates_ && second == 0 && part == 0 && zone_.empty();
    return text + zone_;
  }
  std::string text_of(std::int64_t day) {
    constexpr std::int64_t first = -719'528, last = 2'932'896;  // 0000-01-01 and 9999-12-31
    if (day >= first && day <= last) return date_text(static_cast<double>(day));
    ++beyond_;
    return "";
  }

  std::string file_;
  Column column_;
  bool days_ = false, only_dates_ = true;
  std::int64_t a_second_ = 1;
  std::string zone_;
  std::size_t beyond_ = 0;
};

// Codes into a dictionary of texts or numbers; each batch has its own dictionary.
class DictionaryColumn : public ArrowColumn {
 public:
  DictionaryColumn(std::string file, std::string name, const ArrowNumberType& codes, bool ordered,
                   const ArrowSchema& values)
      : file_(std::move(file)), codes_(codes), ordered_(ordered), values_(values) {
    column_.name = std::move(name);
    column_.is_text = !arrow_number_type(values.format);
  }

  void append(const ArrowRows& rows) override {
    const ArrowArray& array = *rows.array->dictionary;
    const auto reader = make_arrow_column(file_, values_, "", 0);
    reader->append(rows_of(array, 0, static_cast<std::size_t>(array.length)));
    std::vector<Column> dictionary;
    std::vector<std::string> remarks;
    reader->finish(dictionary, remarks);
    const Column& values = dictionary.front();
    const bool texts = !values.texts.empty() || column_.is_text;
    if (ordered_)
      for (const std::string& text : values.texts)
        if (in_order_.insert(text).second) column_.order.push_back(text);
    std::vector<double> codes(rows.count);
    arrow_numbers(codes_, rows, codes.data());
    require_memory(file_, static_cast<double>(rows.count) * (texts ? sizeof(std::string) : sizeof(double)));
    for (const double code : codes) {
      const bool known = code >= 0 && code < static_cast<double>(values.size());
      const auto at = known ? static_cast<std::size_t>(code) : 0;
      if (!column_.is_text) {
        column_.numbers.push_back(known ? values.numbers[at] : missing);
        continue;
      }
      column_.texts.push_back(known ? values.texts[at] : "");
      repeated_.add(file_, file_bytes_, column_.texts.back().size());
    }
  }

  void finish(std::vector<Column>& columns, std::vector<std::string>&) override {
    if (column_.is_text && count_dates(column_).is_of_dates()) turn_into_days(column_);
    columns.push_back(std::move(column_));
  }

 private:
  std::string file_;
  std::uint64_t file_bytes_ = size_of(file_);
  RepeatedTexts repeated_;
  ArrowNumberType codes_;
  bool ordered_;
  TextSet in_order_;
  const ArrowSchema& values_;
  Column column_;
};

// Its members become columns, NAME.MEMBER.
class StructColumn : public ArrowColumn {
 public:
  StructColumn(const std::string& file, const ArrowSchema& schema, const std::string& name, std::size_t rows) {
    for (std::int64_t i = 0; i < schema.n_children; ++i)
      members_.push_back(make_arrow_column(file, *schema.children[i], name + "." + schema.children[i]->name, rows));
  }

  void append(const ArrowRows& rows) override {
    std::vector<char> there;
    if (!rows.has_all())
      for (std::size_t i = 0; i < rows.count; ++i) there.push_back(rows.has(i));
    for (std::size_t i = 0; i < members_.size(); ++i) {
      ArrowRows member = rows_of(*rows.array->children[i], rows.begin, rows.count);
      if (!there.empty()) member.outer = &there;
      members_[i]->append(member);
    }
  }

  void finish(std::vector<Column>& columns, std::vector<std::string>& remarks) override {
    for (const auto& member : members_) member->finish(columns, remarks);
  }

 private:
  std::vector<std::unique_ptr<ArrowColumn>> members_;
};

class UnreadColumn : public ArrowColumn {
 public:
  explicit UnreadColumn(std::string remark) : remark_(std::move(remark)) {}
  void append(const ArrowRows&) override {}
  void finish(std::vector<Column>&, std::vector<std::string>& remarks) override { remarks.push_back(remark_); }

 private:
  std::string remark_;
};

// What a column holds that is not read.
std::string unread_content(std::string_view format) {
  if (format == "+m") return "maps";
  if (format.starts_with("+u")) return "values of different types";
  if (format.starts_with("+r")) return "values packed by their runs";
  if (format == "z" || format == "Z" || format == "vz" || format.starts_with("w:")) return "bytes";
  if (format.starts_with("ti")) return "intervals of the calendar";
  if (format.starts_with("+")) return "lists of something else than numbers";
  return "values of the type " + shown(format);
}

}  // namespace

std::unique_ptr<ArrowColumn> make_arrow_column(const std::string& file, const ArrowSchema& schema,
                                               const std::string& name, std::size_t rows) {
  const std::string_view format = schema.format;
  const auto number = arrow_number_type(format);
  const auto is_text = [](std::string_view type) { return type == "u" || type == "U" || type == "vu"; };
  if (schema.dictionary) {
    const std::string_view values = schema.dictionary->format;
    if (number && !schema.dictionary->dictionary && (is_text(values) || arrow_number_type(values)))
      return std::make_unique<DictionaryColumn>(file, name, *number, schema.flags & arrow_ordered, *schema.dictionary);
    return std::make_unique<UnreadColumn>(shown(name) + " is not read: it holds codes for " + unread_content(values));
  }
  if (number) return std::make_unique<NumberColumn>(name, *number, rows);
  if (is_text(format)) return std::make_unique<TextColumn>(file, name, format);
  if (format.starts_with("td") || format.starts_with("ts")) return std::make_unique<DateColumn>(file, name, format);
  if (format == "+s") return std::make_unique<StructColumn>(file, schema, name, rows);
  if ((format == "+l" || format == "+L" || format.starts_with("+w:")) && !schema.children[0]->dictionary)
    if (const auto entry = arrow_number_type(schema.children[0]->format))
      return make_arrow_list_column(file, name, format, *entry, rows);
  return std::make_unique<UnreadColumn>(shown(name) + " is not read: it holds " + unread_content(format));
}

}  // namespace kinescope::sim
