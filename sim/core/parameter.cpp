#include "kinescope/parameter.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <type_traits>
#include <typeinfo>

namespace kinescope::sim {
namespace {

// The shortest text from which the same number is read back.
template <class T>
std::string shortest(T value) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

template <class T>
bool parse(std::string_view text, T& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

template <class T>
std::string span_text(const Range<T>& range, const char* between) {
  const bool low = range.minimum > std::numeric_limits<T>::lowest(),
             high = range.maximum < std::numeric_limits<T>::max();
  if (low && high) return shortest(range.minimum) + between + shortest(range.maximum);
  if (low) return "at least " + shortest(range.minimum);
  if (high) return "at most " + shortest(range.maximum);
  return "any";
}

template <class T>
std::string expectation_text(const char* noun, const Range<T>& range) {
  const std::string limits = span_text(range, " to ");
  if (limits == "any") return noun;
  return std::string(noun) + (limits.starts_with("at ") ? " of " : " from ") + limits;
}

}  // namespace

Error Parameter::rejected(std::string_view text) const {
  return input_error(name() + ": expected " + expectation() + ", found '" + std::string(text) + "'");
}

template <class T>
void Number<T>::assign_clamped(T value) {
  if (value == value) this->value_ = std::clamp(value, range_.minimum, range_.maximum);
}
template <class T>
std::string Number<T>::type_name() const {
  return std::is_integral_v<T> ? "integer" : "real";
}
template <class T>
std::string Number<T>::range_text() const {
  return span_text(range_, " … ");
}
template <class T>
std::string Number<T>::default_text() const {
  return shortest(this->default_);
}
template <class T>
std::string Number<T>::text() const {
  return shortest(this->value_);
}
template <class T>
std::string Number<T>::expectation() const {
  return expectation_text(std::is_integral_v<T> ? "a whole number" : "a number", range_);
}
template <class T>
void Number<T>::set(std::string_view text) {
  T value = 0;
  if (!parse(text, value) || !(value >= range_.minimum && value <= range_.maximum)) throw this->rejected(text);
  this->value_ = value;
}
template class Number<long>;
template class Number<double>;

void Text::set(std::string_view text) {
  if (!accepts_(text)) throw rejected(text);
  value_ = text;
}

Option::Option(const char* given) : name(given), label(name) {
  std::replace(label.begin(), label.end(), '-', ' ');
  if (label[0] >= 'a' && label[0] <= 'z') label[0] = static_cast<char>(label[0] - 'a' + 'A');
}

std::string ChoiceParameter::label(const std::string& option) const {
  const auto found = std::find(options_.begin(), options_.end(), option);
  return found == options_.end() ? option : labels_[static_cast<std::size_t>(found - options_.begin())];
}
std::string ChoiceParameter::range_text() const {
  std::string text;
  for (const std::string& option : options_) text += (text.empty() ? "" : "|") + option;
  return text;
}
void ChoiceParameter::set(std::string_view text) {
  const auto found = std::find(options_.begin(), options_.end(), text);
  if (found == options_.end()) throw rejected(text);
  value_ = static_cast<std::size_t>(found - options_.begin());
}

std::vector<Parameter*> ParameterSet::all() {
  std::vector<Parameter*> parameters;
  visit([&](Parameter& parameter) { parameters.push_back(&parameter); });
  return parameters;
}

std::vector<const Parameter*> ParameterSet::all() const {
  const std::vector<Parameter*> own = const_cast<ParameterSet*>(this)->all();  // visit() changes nothing by itself
  return {own.begin(), own.end()};
}

Parameter* ParameterSet::find(std::string_view name) {
  Parameter* found = nullptr;
  visit([&](Parameter& parameter) {
    if (parameter.name() == name) found = &parameter;
  });
  return found;
}

void ParameterSet::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw input_error("expected NAME=VALUE, found '" + std::string(assignment) + "'");
  set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

void ParameterSet::set(std::string_view name, std::string_view value) {
  Parameter* parameter = find(name);
  if (!parameter) throw input_error("there is no parameter '" + std::string(name) + "'");
  parameter->set(value);
}

void ParameterSet::copy_values(const ParameterSet& from) {
  std::map<std::string_view, const Parameter*> given;
  for (const Parameter* each : from.all()) given[each->name()] = each;
  visit([&](Parameter& own) {
    if (const auto found = given.find(own.name()); found != given.end() && typeid(*found->second) == typeid(own))
      own.copy_value(*found->second);
  });
}

bool ParameterSet::copy_live(const ParameterSet& from) {
  bool differed = false;
  const std::vector<const Parameter*> given = from.all();
  std::size_t at = 0;
  visit([&](Parameter& own) {
    const Parameter& other = *given[at++];
    if (own.change() != Change::live || own.same_value(other)) return;
    own.copy_value(other);
    differed = true;
  });
  return differed;
}

}  // namespace kinescope::sim
