#include "app/scenes/points/colouring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/ui/widgets.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"

namespace kinescope::app {
namespace {

constexpr const char* own_colour = "Own colours";
constexpr const char* one_colour = "Single colour";

void count_classes(Colouring& colouring) {
  colouring.class_counts.assign(colouring.class_names.size(), 0);
  for (const std::uint32_t c : colouring.classes) ++colouring.class_counts[c];
}

// Colours by the distinct texts. The classes are in order of descending frequency, so that the legend begins with the
// most frequent; missing texts come last.
Colouring by_text(const sim::Column& column) {
  Colouring colouring{.by = render::ColourBy::classes, .title = column.name};
  sim::ByText<std::uint32_t> known;
  std::vector<std::size_t> counts;
  for (const std::string& text : column.texts) {
    const auto [found, is_new] = known.try_emplace(text, std::uint32_t(known.size()));
    if (is_new) counts.push_back(0);
    ++counts[found->second];
    colouring.classes.push_back(found->second);
  }
  std::vector<std::uint32_t> order(counts.size()), rank(counts.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return counts[a] > counts[b]; });
  if (const auto missing = known.find(""); missing != known.end()) {
    order.erase(std::find(order.begin(), order.end(), missing->second));
    order.push_back(missing->second);
    colouring.last_is_missing = true;
  }
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  colouring.class_names.resize(counts.size());
  for (const auto& [text, index] : known) colouring.class_names[rank[index]] = text.empty() ? "missing" : text;
  for (std::uint32_t& c : colouring.classes) c = rank[c];
  count_classes(colouring);
  return colouring;
}

// 0, or a number in the middle of numbers that are all far from zero.
double origin_of(const sim::Numbers& numbers) {
  double low = INFINITY, high = -INFINITY;
  for (const double number : numbers)
    if (std::isfinite(number)) low = std::min(low, number), high = std::max(high, number);
  constexpr double far = 32;
  return std::max(std::abs(low), std::abs(high)) > far * (high - low) && std::isfinite(low) ? 0.5 * (low + high) : 0;
}

}  // namespace

std::string Colouring::text_of(double number) const {
  // Enough digits to tell the ends of the map apart.
  const int more = origin == 0 ? 0 : int(std::ceil(std::log10(std::abs(origin) / (double(high) - low))));
  return number_text(origin + number, std::clamp(3 + more, 3, 15));
}

Colouring colouring_by_numbers(std::string title, const sim::Numbers& numbers) {
  Colouring colouring{.by = render::ColourBy::numbers, .title = std::move(title)};
  colouring.origin = origin_of(numbers);
  colouring.numbers.reserve(numbers.size());
  for (const double number : numbers) colouring.numbers.push_back(float(number - colouring.origin));
  std::vector<float> sorted;
  sorted.reserve(colouring.numbers.size());
  for (const float number : colouring.numbers)
    if (std::isfinite(number)) sorted.push_back(number);
  if (sorted.empty()) return colouring;
  std::sort(sorted.begin(), sorted.end());
  const double last = double(sorted.size() - 1);
  colouring.low = sorted[std::size_t(std::floor(0.01 * last))];
  colouring.high = sorted[std::size_t(std::ceil(0.99 * last))];
  if (!(colouring.low < colouring.high)) {
    colouring.low = sorted.front();
    colouring.high = sorted.back();
  }
  colouring.is_signed = colouring.origin == 0 && colouring.low < 0 && colouring.high > 0;
  if (colouring.is_signed) {
    colouring.high = std::max(-colouring.low, colouring.high);
    colouring.low = -colouring.high;
  }
  // All values are alike. Large ones are farther apart than 1.
  if (!(colouring.low < colouring.high))
    colouring.high = std::max(colouring.low + 1, std::nextafter(colouring.low, std::numeric_limits<float>::infinity()));
  colouring.below = sorted.front() < colouring.low;
  colouring.above = sorted.back() > colouring.high;
  return colouring;
}

std::vector<std::string> colouring_choices(const sim::Dataset& data) {
  std::vector<std::string> choices;
  if (!data.colours.empty()) choices.push_back(own_colour);
  if (!data.labels.empty())
    choices.insert(data.label_before_colours ? choices.begin() : choices.end(), data.label_name);
  for (const sim::Column& column : data.table.columns)
    if (data.labels.empty() || column.name != data.label_name) choices.push_back(column.name);
  const bool plain = data.colours.empty() && data.labels.empty();
  choices.insert(plain ? choices.begin() : choices.end(), one_colour);
  return choices;
}

std::vector<render::Rgb> class_palette(const Colouring& colouring, render::Background background) {
  std::vector<render::Rgb> colours = render::class_colours(colouring.class_names.size(), background);
  if (colouring.last_is_missing) colours.back() = render::missing_colour(background);
  return colours;
}

Colouring make_colouring(const sim::Dataset& data, const std::string& choice) {
  if (choice == own_colour && !data.colours.empty()) return {.by = render::ColourBy::own};
  if (!data.labels.empty() && choice == data.label_name) {
    Colouring colouring{.by = render::ColourBy::classes,
                        .title = data.label_name,
                        .classes = data.labels,
                        .class_names = data.label_names};
    count_classes(colouring);
    const sim::Column* column = data.table.find(choice);
    for (std::size_t row = 0; column && column->size() == data.points && row < data.points; ++row)
      colouring.last_is_missing = colouring.last_is_missing || sim::is_missing(*column, row);
    return colouring;
  }
  const sim::Column* column = data.table.find(choice);
  if (!column || column->size() != data.points) return {};
  return column->is_text ? by_text(*column) : colouring_by_numbers(column->name, column->numbers);
}

}  // namespace kinescope::app
