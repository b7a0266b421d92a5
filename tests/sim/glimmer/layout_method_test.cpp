// What layouts say of themselves, and what the parameters make of it.
#include "kinescope/glimmer/layout_method.hpp"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "kinescope/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer::layout_method_test {
namespace {

TEST(LayoutMethods, DescribeThemselves) {
  GlimmerParameters parameters;
  std::set<std::string> names;
  int in_levels = 0;
  for (const LayoutMethod* method : layout_methods()) {
    EXPECT_TRUE(names.insert(method->name).second) << method->name;
    EXPECT_FALSE(method->make && method->forces) << method->name << " is computed in two ways";
    in_levels += !method->make && !method->forces;
    EXPECT_GT(method->pace, 0) << method->name;
    EXPECT_FALSE(method->begins_classic && !method->uses("start")) << method->name;
    std::istringstream words{std::string(method->parameters)};
    for (std::string word; words >> word;) {
      EXPECT_TRUE(parameters.find(word)) << method->name << " uses " << word;
      EXPECT_TRUE(method->uses(word)) << method->name << ' ' << word;
    }
    EXPECT_FALSE(method->uses("star")) << "a part of a name";
  }
  EXPECT_EQ(in_levels, 1) << "a method that forgets to say how it is computed would be Glimmer";
}

TEST(LayoutMethods, AreTheOptionsInTheirOrder) {
  GlimmerParameters parameters;
  ASSERT_EQ(parameters.algorithm.options().size(), layout_methods().size());
  for (std::size_t i = 0; i < layout_methods().size(); ++i) {
    parameters.algorithm.set(layout_methods()[i]->name);
    EXPECT_EQ(parameters.algorithm.index(), i);
    EXPECT_EQ(&parameters.algorithm.value(), layout_methods()[i]);
  }
  parameters.algorithm.reset();
  EXPECT_STREQ(parameters.algorithm.value().name, "glimmer");
}

// The names of the parameters that apply, in the order of the panel.
std::string applying(const std::vector<std::string>& assignments) {
  GlimmerParameters parameters;
  for (const std::string& each : assignments) parameters.set(each);
  std::string names;
  for (const Parameter* each : parameters.all())
    if (parameters.applies(*each)) names += (names.empty() ? "" : " ") + each->name();
  return names;
}

TEST(LayoutMethods, ParametersApplyToThoseThatUseThem) {
  const std::string first = "algorithm metric output_dimensions normalize ", last = "maximum_iterations neighbourhood",
                    forces = "step damping spring velocity_decay epsilon window second_curve ";
  EXPECT_EQ(applying({}), first + "start decimation landmarks step_strength stop_threshold " + last);
  EXPECT_EQ(applying({"metric=matrix"}),
            first + "start decimation landmarks device_memory step_strength stop_threshold " + last);
  EXPECT_EQ(applying({"start=pivot"}), first + "start pivots step_strength stop_threshold " + last);
  EXPECT_EQ(applying({"start=a.csv", "metric=graph"}),
            first + "start landmarks device_memory step_strength stop_threshold " + last);
  EXPECT_EQ(applying({"algorithm=glimmer-2007"}),
            first + "start decimation minimum_level near random " + forces + last);
  EXPECT_EQ(applying({"algorithm=glimmer-2007", "start=classic"}), first + "start near random " + forces + last);
  EXPECT_EQ(applying({"algorithm=stochastic-force"}), first + "start near random " + forces + last);
  EXPECT_EQ(applying({"algorithm=chalmers"}), first + "start " + forces + last);
  EXPECT_EQ(applying({"algorithm=hybrid", "start=pivot"}), first + forces + last);
  EXPECT_EQ(applying({"algorithm=pivot-mds"}), first + "pivots " + last);
  EXPECT_EQ(applying({"algorithm=classic"}), first + last);
  EXPECT_EQ(applying({"algorithm=smacof"}), first + "start restarts " + last);
  EXPECT_EQ(applying({"algorithm=nonmetric", "start=pivot"}), first + "start restarts pivots " + last);
}

}  // namespace
}  // namespace kinescope::sim::glimmer::layout_method_test
