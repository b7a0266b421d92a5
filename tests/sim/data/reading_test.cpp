// How the metric decides the way data are read.
#include "kinescope/data/reading.hpp"

#include <gtest/gtest.h>

#include "kinescope/data/metric.hpp"

namespace kinescope::sim::reading_test {
namespace {

struct WithMetric : ParameterSet {
  MetricParameter metric;
  void visit(const std::function<void(Parameter&)>& f) override { f(metric); }
};
struct Without : ParameterSet {
  void visit(const std::function<void(Parameter&)>&) override {}
};

TEST(Reading, IsWhatTheMetricAsksFor) {
  WithMetric parameters;
  EXPECT_EQ(choose_reading("a.csv", parameters), Reading::rows);
  parameters.set("metric=matrix");
  EXPECT_EQ(choose_reading("a.csv", parameters), Reading::matrix);
  parameters.set("metric=graph");
  EXPECT_EQ(choose_reading("a.csv", parameters), Reading::graph);
  parameters.set("metric=gower");
  EXPECT_EQ(choose_reading("synthetic:grid", parameters), Reading::mixed);
  Without none;
  EXPECT_EQ(choose_reading("synthetic:tree", none), Reading::rows);
}

TEST(Reading, MadeGraphsSetTheMetric) {
  for (const std::string before : {"euclidean", "gower"}) {
    WithMetric parameters;
    parameters.metric.set(before);
    EXPECT_EQ(choose_reading("synthetic:small-world,n=30", parameters), Reading::graph);
    EXPECT_EQ(parameters.metric.text(), "graph");
  }
}

}  // namespace
}  // namespace kinescope::sim::reading_test
