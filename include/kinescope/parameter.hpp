// Parameters that describe themselves. Each is declared once, as a member of a parameter set; that declaration yields
// the slider with its tooltip, `--set`, presets, `kinescope list` and the manual's table.
//
//   struct WaveParameters : ParameterSet {
//     Real damping{{"damping", "", "how fast the wave dies", Change::live}, 0.3, {0.0, 1.0}};
//     void visit(const std::function<void(Parameter&)>& f) override { f(damping); }
//   };
//
// Kernels never see these classes: a simulation copies the values into a plain struct.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"

namespace kinescope::sim {

struct Dataset;
struct Snapshot;

enum class Change {
  live,     // acts while the simulation runs
  restart,  // needs a new simulation made with the new value
  drawn,    // changes only the picture, at once: the simulation has no such parameter
};

// Where a window has the control of a parameter.
enum class Role {
  usual,
  further,    // few people change it: behind "More parameters"
  data,       // it says how the data are taken
  elsewhere,  // there is a control of its own, or the parameter matters only without a window
};

struct Description {
  std::string name;     // as in --set NAME=VALUE; snake_case
  std::string unit;     // "" for none
  std::string meaning;  // one sentence without a full stop
  Change change = Change::restart;
  Role role = Role::usual;
};

// How a control shows a parameter at present, in place of its bare value and its whole range.
struct Hint {
  double low = 0, high = 0;                    // the useful part of the range; equal: the whole range
  std::string text = {};                       // "no limit"; before a value: "chosen: "
  std::optional<double> value = std::nullopt;  // what the simulation has chosen
  int digits = 3;                              // of `value`
  std::string idle = {};                       // why the parameter has no effect now, without a full stop; "": it has
};

class Parameter {
 public:
  explicit Parameter(Description description) : description_(std::move(description)) {}
  virtual ~Parameter() = default;

  const std::string& name() const { return description_.name; }
  const std::string& unit() const { return description_.unit; }
  const std::string& meaning() const { return description_.meaning; }
  Change change() const { return description_.change; }
  Role role() const { return description_.role; }

  virtual std::string type_name() const = 0;   // "integer", "real", "choice", "text"
  virtual std::string range_text() const = 0;  // "2 … 64", "euclidean|cosine|manhattan"
  virtual std::string default_text() const = 0;
  virtual std::string text() const = 0;         // set(text()) restores the value exactly
  virtual void set(std::string_view text) = 0;  // throws an input error that names the parameter and its range
  virtual void reset() = 0;
  virtual bool has_default() const = 0;
  // Takes over, or compares with, the value of a parameter of the same type.
  virtual void copy_value(const Parameter& from) = 0;
  virtual bool same_value(const Parameter& other) const = 0;

 protected:
  Error rejected(std::string_view text) const;  // "bandwidth: expected a number from 0 to 10, found 'x'"
  virtual std::string expectation() const = 0;  // "a number from 0 to 10"

 private:
  Description description_;
};

template <class T>
struct Range {
  T minimum = std::numeric_limits<T>::lowest();
  T maximum = std::numeric_limits<T>::max();
};

enum class Scale { linear, logarithmic };  // how a slider spreads the range

// A parameter with a value of type T, which is copied and compared as such.
template <class T>
class ValueParameter : public Parameter {
 public:
  ValueParameter(Description description, T initial)
      : Parameter(std::move(description)), value_(initial), default_(std::move(initial)) {}

  const T& value() const { return value_; }
  const T& initial() const { return default_; }
  bool operator==(const ValueParameter& other) const { return value_ == other.value_; }

  void reset() override { value_ = default_; }
  bool has_default() const override { return value_ == default_; }
  void copy_value(const Parameter& from) override { value_ = static_cast<const ValueParameter&>(from).value_; }
  bool same_value(const Parameter& other) const override { return *this == static_cast<const ValueParameter&>(other); }

 protected:
  T value_, default_;
};

template <class T>
class Number : public ValueParameter<T> {
 public:
  Number(Description description, T initial, Range<T> range, Scale scale = Scale::linear)
      : ValueParameter<T>(std::move(description), initial), range_(range), scale_(scale) {}

  const Range<T>& range() const { return range_; }
  Scale scale() const { return scale_; }
  void assign_clamped(T value);  // a NaN is ignored

  std::string type_name() const override;
  std::string range_text() const override;
  std::string default_text() const override;
  std::string text() const override;
  void set(std::string_view text) override;

 private:
  std::string expectation() const override;
  Range<T> range_;
  Scale scale_;
};
using Integer = Number<long>;
using Real = Number<double>;

// A line of text: a file, a range, a word. `accepts` says whether a text is valid; `expectation` says what is, as in "a
// file that ends in .csv".
class Text : public ValueParameter<std::string> {
 public:
  Text(Description description, std::string initial, std::string form, std::string expectation,
       bool (*accepts)(std::string_view))
      : ValueParameter(std::move(description), std::move(initial)),
        form_(std::move(form)),
        expectation_(std::move(expectation)),
        accepts_(accepts) {}

  std::string type_name() const override { return "text"; }
  std::string range_text() const override { return form_; }
  std::string default_text() const override { return default_; }
  std::string text() const override { return value_; }
  void set(std::string_view text) override;

 private:
  std::string expectation() const override { return expectation_; }
  std::string form_, expectation_;
  bool (*accepts_)(std::string_view);
};

// An option of a choice: its name, and what people read in its place; "No flux" for "no-flux" by itself.
struct Option {
  Option(const char* name);  // NOLINT(google-explicit-constructor)
  Option(const char* given, const char* read) : name(given), label(read) {}

  std::string name, label;
};

// A choice from a list of names; its value is the index of the chosen one.
class ChoiceParameter : public ValueParameter<std::size_t> {
 public:
  ChoiceParameter(Description description, const std::vector<Option>& options, std::size_t initial)
      : ValueParameter(std::move(description), initial) {
    for (const Option& option : options) options_.push_back(option.name), labels_.push_back(option.label);
  }

  const std::vector<std::string>& options() const { return options_; }
  const std::vector<std::string>& labels() const { return labels_; }
  // What people read for an option; the name itself if there is no such option.
  std::string label(const std::string& option) const;
  std::size_t index() const { return value_; }
  void assign_index(std::size_t index) { value_ = index < options_.size() ? index : value_; }

  std::string type_name() const override { return "choice"; }
  std::string range_text() const override;
  std::string default_text() const override { return options_[default_]; }
  std::string text() const override { return options_[value_]; }
  void set(std::string_view text) override;

 private:
  std::string expectation() const override { return "one of " + range_text(); }
  std::vector<std::string> options_, labels_;
};

// `options` names the enumerators of E in their order.
template <class E>
class Choice : public ChoiceParameter {
 public:
  Choice(Description description, const std::vector<Option>& options, E initial)
      : ChoiceParameter(std::move(description), options, static_cast<std::size_t>(initial)) {}
  E value() const { return static_cast<E>(index()); }
  void assign(E value) { value_ = static_cast<std::size_t>(value); }
};

class ParameterSet {
 public:
  virtual ~ParameterSet() = default;
  virtual void visit(const std::function<void(Parameter&)>& f) = 0;

  // Whether a parameter has an effect with the present values of the others; if not, it is not shown.
  virtual bool applies(const Parameter&) const { return true; }
  // Where its control is while these data are shown; null: there are none.
  virtual Role role(const Parameter& parameter, const Dataset* /*data*/) const { return parameter.role(); }
  // How its control shows it beside a run that has come so far.
  virtual Hint hint(const Parameter&, const Snapshot& /*now*/) const { return {}; }
  // The choice whose options can be run side by side; null: there is none.
  virtual ChoiceParameter* compared() { return nullptr; }

  std::vector<Parameter*> all();
  std::vector<const Parameter*> all() const;
  Parameter* find(std::string_view name);  // nullptr if there is none
  // The parameter of this type, which a set has once at most; nullptr if it has none.
  template <class P>
  P* find() {
    P* found = nullptr;
    visit([&](Parameter& parameter) {
      if (auto* own = dynamic_cast<P*>(&parameter)) found = own;
    });
    return found;
  }
  // "NAME=VALUE"; throws an input error for an unknown name or a value out of range.
  void set(std::string_view assignment);
  void set(std::string_view name, std::string_view value);
  // Copies the values of all parameters that both sets have.
  void copy_values(const ParameterSet& from);
  // Copies the values of the live parameters from a set of exactly the same type; returns whether one differed.
  bool copy_live(const ParameterSet& from);
};

}  // namespace kinescope::sim
