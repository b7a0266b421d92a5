// normalize=auto: what it becomes, and when it leaves the columns as they are.
#include "sim/data/scales.hpp"

#include <gtest/gtest.h>
#include <string>

#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/k_means/k_means_parameters.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"
#include "tests/sim/data/opening.hpp"

namespace kinescope::sim::opening_cases::scales_test {
namespace {

// Two columns of numbers with these names; the standard deviation of the second is `ratio` times that of the first.
std::string two_columns(const std::string& names, double ratio) {
  std::string text = names + "\n";
  for (int i = 0; i < 60; ++i) text += std::to_string(i * 7 % 11) + "," + std::to_string(ratio * (i * 5 % 11)) + "\n";
  return text;
}

template <class Parameters = GlimmerParameters>
std::string settled(const Dataset* data, const std::string& metric = "", const std::string& asked = "auto") {
  Parameters parameters;
  parameters.set("normalize", asked);
  if (!metric.empty()) parameters.set("metric", metric);
  const bool by_itself = settle_normalize(parameters, data);
  EXPECT_EQ(by_itself, asked == "auto" && parameters.normalize.text() == "zscore");
  return parameters.normalize.text();
}

std::string settled(const std::string& text, const DataRequest& request = {}) {
  return settled(open(text, request).get());
}

TEST(AutoNormalize, StandardizesIfOneColumnMakesNineTenthsOfTheSquaredDistances) {
  // A share of r² / (1 + r²) of the squared distances.
  EXPECT_EQ(settled(two_columns("bill,mass", 3.05)), "zscore");
  EXPECT_EQ(settled(two_columns("bill,mass", 2.95)), "none");
  EXPECT_EQ(settled(two_columns("bill,mass", 0.3)), "zscore");
  EXPECT_EQ(settled<KMeansParameters>(open(two_columns("bill,mass", 100)).get()), "zscore");
  EXPECT_EQ(settled<MeanShiftParameters>(open(two_columns("bill,mass", 100)).get()), "zscore");
  EXPECT_EQ(settled(two_columns("bill,mass", 100), {.columns = {"mass"}}), "none") << "a column alone";
  EXPECT_EQ(settled(two_columns("bill,mass", 0)), "none") << "only one column varies";
}

TEST(AutoNormalize, LeavesOtherChoicesAndOtherParametersAlone) {
  const auto data = open(two_columns("bill,mass", 100));
  EXPECT_EQ(settled(data.get(), "", "none"), "none");
  EXPECT_EQ(settled(data.get(), "", "minmax"), "minmax");
  EXPECT_EQ(settled(data.get(), "", "zscore"), "zscore");
  EXPECT_EQ(settled(nullptr), "none");
}

TEST(AutoNormalize, OnlyDistancesOfColumnsAreMadeComparable) {
  const auto data = open(two_columns("bill,mass", 100));
  EXPECT_EQ(settled(data.get(), "manhattan"), "zscore");
  for (const char* metric : {"cosine", "gower", "matrix", "graph"}) EXPECT_EQ(settled(data.get(), metric), "none");
}

TEST(AutoNormalize, IsAdvisedOnlyWhereScalesMatter) {
  const auto data = open(two_columns("bill,mass", 100));
  GlimmerParameters parameters;
  const auto advised = [&](const char* metric) {
    parameters.set("metric", metric);
    return std::ranges::any_of(data->findings->suggestions, [&](const Suggestion& each) {
      return each.kind == Suggestion::Kind::standardize && applies(each, parameters);
    });
  };
  EXPECT_TRUE(advised("euclidean"));
  EXPECT_TRUE(advised("manhattan"));
  EXPECT_FALSE(advised("cosine"));
}

TEST(AutoNormalize, ARowNumberThatDecidesAllIsMadeComparableToo) {
  std::string text = "id,a,b\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i + 1) + "," + std::to_string(i * 7 % 5) + "," + std::to_string(i * 3 % 5) + "\n";
  EXPECT_EQ(settled(text), "zscore");
  EXPECT_EQ(settled(text, {.columns = {"a", "b"}}), "none");
}

TEST(AutoNormalize, NeverPlaces) {
  for (const char* names : {"x,y", "X,Z", "lat,lon", "Latitude,Longitude", "lng,lat", "easting,northing", "x (m),y (m)",
                            "UTM_E_asting,y", "northing,elevation", "x,height", "depth_m,east"})
    EXPECT_EQ(settled(two_columns(names, 100)), std::string(names) == "UTM_E_asting,y" ? "zscore" : "none") << names;
  for (const char* names : {"x,mass", "height,depth", "price,lat", "max,min", "alt,depth", "x1,x2", "lat,elevation"})
    EXPECT_EQ(settled(two_columns(names, 100)), "zscore") << names;
  EXPECT_TRUE(open(two_columns("x,y", 100))->findings->suggestions.empty());
}

TEST(AutoNormalize, NeverMadeData) {
  for (const char* source : {"synthetic:colours,n=100", "synthetic:swissroll,n=100", "synthetic:gaussians,n=100,k=3"}) {
    DataRequest request;
    request.source = source;
    EXPECT_EQ(settled(load_dataset(request).get()), "none") << source;
  }
}

TEST(AutoNormalize, SimulationsTakeItForNone) {
  NormalizeParameter normalize;
  EXPECT_EQ(normalize.text(), "none");
  normalize.set("auto");
  EXPECT_EQ(normalize.value(), Normalization::none);
}

}  // namespace
}  // namespace kinescope::sim::opening_cases::scales_test
