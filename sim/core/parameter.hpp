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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace kinescope::sim {

enum class Change {
  live,     // acts while the simulation runs
  restart,  // needs a new simulation made with the new value
  drawn,    // changes only the picture, at once: the simulation has no such parameter
};

struct Description {
  std::string name;     // as in --set NAME=VALUE; snake_case
  std::string unit;     // "" for none
  std::string meaning;  // one sentence without a full stop
  Change change = Change::restart;
};

class Parameter {
 public:
  explicit Parameter(Description description) : description_(std::move(description)) {}
  virtual ~Parameter() = default;

  const std::string& name() const { return description_.name; }
  const std::string& unit() const { return description_.unit; }
  const std::string& meaning() const { return description_.meaning; }
  Change change() const { return description_.change; }

  virtual std::string type_name() const = 0;   // "integer", "real", "choice", "text"
  virtual std::string range_text() const = 0;  // "2 … 64", "euclidean|cosine|manhattan"
  virtual std::string default_text() const = 0;
  virtual std::string text() const = 0;         // set(text()) restores the value exactly
  virtual void set(std::string_view text) = 0;  // throws an input error that names the parameter and its range
  virtual void reset() = 0;

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

class Integer : public Parameter {
 public:
  Integer(Description description, long initial, Range<long> range, Scale spread = Scale::linear)
      : Parameter(std::move(description)), scale(spread), value_(initial), default_(initial), range_(range) {}

  long value() const { return value_; }
  const Range<long>& range() const { return range_; }
  void assign_clamped(long value);

  std::string type_name() const override { return "integer"; }
  std::string range_text() const override;
  std::string default_text() const override;
  std::string text() const override;
  void set(std::string_view text) override;
  void reset() override { value_ = default_; }

  const Scale scale;

 private:
  std::string expectation() const override;
  long value_, default_;
  Range<long> range_;
};

class Real : public Parameter {
 public:
  Real(Description description, double initial, Range<double> range, Scale spread = Scale::linear)
      : Parameter(std::move(description)), scale(spread), value_(initial), default_(initial), range_(range) {}

  double value() const { return value_; }
  const Range<double>& range() const { return range_; }
  void assign_clamped(double value);  // a NaN is ignored

  std::string type_name() const override { return "real"; }
  std::string range_text() const override;
  std::string default_text() const override;
  std::string text() const override;
  void set(std::string_view text) override;
  void reset() override { value_ = default_; }

  const Scale scale;

 private:
  std::string expectation() const override;
  double value_, default_;
  Range<double> range_;
};

// A line of text: a file, a range, a word. `accepts` says whether a text is valid; `expectation` says what is, as in "a
// file that ends in .csv".
class Text : public Parameter {
 public:
  Text(Description description, std::string initial, std::string form, std::string expectation,
       bool (*accepts)(std::string_view))
      : Parameter(std::move(description)),
        value_(initial),
        default_(std::move(initial)),
        form_(std::move(form)),
        expectation_(std::move(expectation)),
        accepts_(accepts) {}

  const std::string& value() const { return value_; }

  std::string type_name() const override { return "text"; }
  std::string range_text() const override { return form_; }
  std::string default_text() const override { return default_; }
  std::string text() const override { return value_; }
  void set(std::string_view text) override;
  void reset() override { value_ = default_; }

 private:
  std::string expectation() const override { return expectation_; }
  std::string value_, default_, form_, expectation_;
  bool (*accepts_)(std::string_view);
};

// A choice from a list of names.
class ChoiceParameter : public Parameter {
 public:
  ChoiceParameter(Description description, std::vector<std::string> options, std::size_t initial)
      : Parameter(std::move(description)), options_(std::move(options)), index_(initial), default_(initial) {}

  const std::vector<std::string>& options() const { return options_; }
  std::size_t index() const { return index_; }
  void assign_index(std::size_t index) { index_ = index < options_.size() ? index : index_; }

  std::string type_name() const override { return "choice"; }
  std::string range_text() const override;
  std::string default_text() const override { return options_[default_]; }
  std::string text() const override { return options_[index_]; }
  void set(std::string_view text) override;
  void reset() override { index_ = default_; }

 private:
  std::string expectation() const override { return "one of " + range_text(); }
  std::vector<std::string> options_;
  std::size_t index_, default_;
};

// `options` names the enumerators of E in their order.
template <class E>
class Choice : public ChoiceParameter {
 public:
  Choice(Description description, std::vector<std::string> options, E initial)
      : ChoiceParameter(std::move(description), std::move(options), static_cast<std::size_t>(initial)) {}
  E value() const { return static_cast<E>(index()); }
};

class ParameterSet {
 public:
  virtual ~ParameterSet() = default;
  virtual void visit(const std::function<void(Parameter&)>& f) = 0;

  // Whether a parameter has an effect with the present values of the others; if not, it is not shown.
  virtual bool applies(const Parameter&) const { return true; }

  std::vector<Parameter*> all();
  Parameter* find(std::string_view name);  // nullptr if there is none
  // "NAME=VALUE"; throws an input error for an unknown name or a value out of range.
  void set(std::string_view assignment);
  void set(std::string_view name, std::string_view value);
  // Copies the values of all parameters that both sets have.
  void copy_values(ParameterSet& from);
};

}  // namespace kinescope::sim
