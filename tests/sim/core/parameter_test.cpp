#include "kinescope/parameter.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "kinescope/error.hpp"

namespace kinescope::sim::parameter_test {
namespace {

enum class Metric { euclidean, cosine, manhattan };

// These constants have names because g++ 12 fails on a type with default member initializers in braces within another
// member's initializer.
const Range<long> every_whole_number;
const Range<double> from_a_half{0.5, std::numeric_limits<double>::max()};

bool is_word(std::string_view text) {
  return !text.empty() && text.find(' ') == std::string_view::npos;
}

struct SampleParameters : ParameterSet {
  Integer points{{"points", "", "how many", Change::restart}, 10, {2, 64}};
  Integer any_whole{{"any_whole", "", "any", Change::restart}, 0, every_whole_number};
  Real step{{"step", "s", "length of a step", Change::live}, 0.3, {0.0, 1.0}};
  Real at_least{{"at_least", "", "half open", Change::live}, 1, from_a_half};
  Choice<Metric> metric{{"metric", "", "distance"}, {"euclidean", "cosine", "manhattan"}, Metric::cosine};
  Text word{{"word", "", "any", Change::restart}, "first", "WORD", "one word", is_word};

  void visit(const std::function<void(Parameter&)>& f) override {
    f(points);
    f(any_whole);
    f(step);
    f(at_least);
    f(metric);
    f(word);
  }
};

template <class Act>
std::string message(Act act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "(no error)";
}

TEST(Parameter, TextIsWhatItAccepts) {
  SampleParameters set, copy;
  set.set("word=second=third");
  EXPECT_EQ(set.word.value(), "second=third");
  EXPECT_EQ(message([&] { set.set("word=two words"); }), "word: expected one word, found 'two words'");
  EXPECT_EQ(set.word.value(), "second=third");
  copy.copy_values(set);
  EXPECT_EQ(copy.word.text(), "second=third");
  set.word.reset();
  EXPECT_EQ(set.word.value(), "first");
}

TEST(Parameter, DescribesItself) {
  SampleParameters set;
  EXPECT_EQ(set.step.name(), "step");
  EXPECT_EQ(set.step.unit(), "s");
  EXPECT_EQ(set.step.meaning(), "length of a step");
  EXPECT_EQ(set.step.change(), Change::live);
  EXPECT_EQ(set.metric.change(), Change::restart);
  EXPECT_EQ(set.points.type_name(), "integer");
  EXPECT_EQ(set.step.type_name(), "real");
  EXPECT_EQ(set.metric.type_name(), "choice");
  EXPECT_EQ(set.word.type_name(), "text");
  EXPECT_EQ(set.word.range_text(), "WORD");
  EXPECT_EQ(set.word.default_text(), "first");
  EXPECT_EQ(set.points.range_text(), "2 … 64");
  EXPECT_EQ(set.any_whole.range_text(), "any");
  EXPECT_EQ(set.at_least.range_text(), "at least 0.5");
  EXPECT_EQ(set.metric.range_text(), "euclidean|cosine|manhattan");
  EXPECT_EQ(set.step.default_text(), "0.3");
  EXPECT_EQ(set.metric.default_text(), "cosine");
}

TEST(Parameter, TakesTheEndsOfItsRange) {
  SampleParameters set;
  for (const long value : {2l, 64l}) {
    set.points.set(std::to_string(value));
    EXPECT_EQ(set.points.value(), value);
  }
  set.step.set("0");
  EXPECT_EQ(set.step.value(), 0);
  set.step.set("+1e0");
  EXPECT_EQ(set.step.value(), 1);
  set.any_whole.set(std::to_string(std::numeric_limits<long>::min()));
  EXPECT_EQ(set.any_whole.value(), std::numeric_limits<long>::min());
  EXPECT_THROW(set.any_whole.set("+-3"), Error);
  set.metric.set("manhattan");
  EXPECT_EQ(set.metric.value(), Metric::manhattan);
}

TEST(Parameter, RefusesInOneLineAndKeepsItsValue) {
  SampleParameters set;
  for (const std::string text :
       {"1", "65", "", " 3", "3 ", "3.5", "1e1", "x", "0x10", "99999999999999999999", "--3", "-"}) {
    EXPECT_EQ(message([&] { set.points.set(text); }),
              "points: expected a whole number from 2 to 64, found '" + text + "'");
    EXPECT_EQ(set.points.value(), 10);
  }
  for (const std::string text : {"-0.1", "1.1", "nan", "inf", "-inf", "1e999", "", "0,5", "0.5x"}) {
    EXPECT_EQ(message([&] { set.step.set(text); }), "step: expected a number from 0 to 1, found '" + text + "'");
    EXPECT_EQ(set.step.value(), 0.3);
  }
  EXPECT_EQ(message([&] { set.at_least.set("0.4"); }), "at_least: expected a number of at least 0.5, found '0.4'");
  for (const std::string text : {"", "Cosine", "cos", "cosine "}) {
    EXPECT_EQ(message([&] { set.metric.set(text); }),
              "metric: expected one of euclidean|cosine|manhattan, found '" + text + "'");
    EXPECT_EQ(set.metric.value(), Metric::cosine);
  }
}

TEST(Parameter, ItsTextRestoresItExactly) {
  SampleParameters set;
  for (const double value : {0.1, 1.0 / 3, 0x1p-1074, 1 - 0x1p-53, 0.0, 1e-300}) {
    set.step.assign_clamped(value);
    const std::string text = set.step.text();
    set.step.reset();
    set.step.set(text);
    EXPECT_EQ(set.step.value(), value) << text;
  }
}

TEST(Parameter, SlidersClampAndNanChangesNothing) {
  SampleParameters set;
  set.step.assign_clamped(7);
  EXPECT_EQ(set.step.value(), 1);
  set.step.assign_clamped(-std::numeric_limits<double>::infinity());
  EXPECT_EQ(set.step.value(), 0);
  set.step.assign_clamped(std::nan(""));
  EXPECT_EQ(set.step.value(), 0);
  set.points.assign_clamped(1000);
  EXPECT_EQ(set.points.value(), 64);
  set.metric.assign_index(99);
  EXPECT_EQ(set.metric.value(), Metric::cosine);
}

TEST(ParameterSet, FindsAndSetsByName) {
  SampleParameters set;
  EXPECT_EQ(set.all().size(), 6u);
  EXPECT_EQ(set.all().front(), &set.points);
  EXPECT_EQ(set.find("step"), &set.step);
  EXPECT_EQ(set.find("Step"), nullptr);
  set.set("step=0.5");
  EXPECT_EQ(set.step.value(), 0.5);
  set.set("metric", "euclidean");
  EXPECT_EQ(set.metric.value(), Metric::euclidean);
  EXPECT_EQ(message([&] { set.set("step"); }), "expected NAME=VALUE, found 'step'");
  EXPECT_EQ(message([&] { set.set("stride=1"); }), "there is no parameter 'stride'");
  EXPECT_EQ(message([&] { set.set("=1"); }), "there is no parameter ''");
  EXPECT_EQ(message([&] { set.set("step=1=2"); }), "step: expected a number from 0 to 1, found '1=2'");
}

TEST(ParameterSet, CopiesAndResetsEveryValue) {
  SampleParameters from, to;
  from.set("points=33");
  from.set("step=0.7");
  from.set("metric=manhattan");
  to.copy_values(from);
  for (std::size_t i = 0; i < from.all().size(); ++i) EXPECT_EQ(to.all()[i]->text(), from.all()[i]->text());
  EXPECT_EQ(to.points.value(), 33);
  for (Parameter* parameter : to.all()) {
    parameter->reset();
    EXPECT_EQ(parameter->text(), parameter->default_text());
  }
}

}  // namespace
}  // namespace kinescope::sim::parameter_test
