// Plots for print: axes cover the data, ticks are at round values, markers are where the data are, and the text is
// valid XML.
#include "app/plot/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <regex>
#include <set>

namespace kinescope::app::svg_plot_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

void expect_sound(const AxisTicks& ticks, const std::vector<double>& values, double tolerance) {
  ASSERT_LT(ticks.minimum, ticks.maximum);
  ASSERT_GE(ticks.major.size(), 2u);
  EXPECT_TRUE(std::is_sorted(ticks.major.begin(), ticks.major.end()));
  EXPECT_TRUE(std::is_sorted(ticks.minor.begin(), ticks.minor.end()));
  for (const double value : values) {
    EXPECT_GE(ticks.place(value), -tolerance) << value;
    EXPECT_LE(ticks.place(value), 1 + tolerance) << value;
  }
  for (const std::vector<double>* list : {&ticks.major, &ticks.minor})
    for (const double tick : *list) {
      EXPECT_GE(ticks.place(tick), -tolerance);
      EXPECT_LE(ticks.place(tick), 1 + tolerance);
    }
}

TEST(PlotAxis, LinearTicksCoverTheDataAtRoundSteps) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-9, 9);
  for (int trial = 0; trial < 500; ++trial) {
    const double size = std::pow(10, exponent(generator)), offset = size * mantissa(generator) * (trial % 3);
    std::vector<double> values(1 + static_cast<std::size_t>(trial % 7));
    for (double& value : values) value = offset + size * mantissa(generator);
    const AxisTicks ticks = choose_ticks(AxisScale::linear, values, 6);
    expect_sound(ticks, values, 1e-6);
    EXPECT_LE(ticks.major.size(), 9u);
    const double step = ticks.major[1] - ticks.major[0];
    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    EXPECT_TRUE(std::abs(digit - 1) < 1e-4 || std::abs(digit - 2) < 1e-4 || std::abs(digit - 5) < 1e-4) << digit;
    for (const double tick : ticks.major) EXPECT_NEAR(std::remainder(tick, step) / step, 0, 1e-4);
  }
}

TEST(PlotAxis, LogarithmicTicksAreDecadesAndCoverTheData) {
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> exponent(-30, 30);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> values(1 + static_cast<std::size_t>(trial % 7));
    for (double& value : values) value = std::pow(10, exponent(generator) * (trial % 2 ? 1 : 0.05));
    const AxisTicks ticks = choose_ticks(AxisScale::logarithmic, values, 6);
    expect_sound(ticks, values, 1e-9);
    EXPECT_LE(ticks.major.size(), 7u);
    for (const double tick : ticks.major) EXPECT_NEAR(std::log10(tick), std::round(std::log10(tick)), 1e-9);
    EXPECT_DOUBLE_EQ(ticks.major.front(), ticks.minimum);
    EXPECT_DOUBLE_EQ(ticks.major.back(), ticks.maximum);
  }
}

TEST(PlotAxis, SurvivesWhatCannotBeShown) {
  const std::vector<std::vector<double>> hostile = {
      {}, {0}, {-3, -2}, {5}, {NAN, infinity}, {NAN, 1, 10}, {1e-300, 1e300}, {0, 1e-12}, {1e300}};
  for (const std::vector<double>& values : hostile)
    for (const AxisScale scale : {AxisScale::linear, AxisScale::logarithmic}) {
      const AxisTicks ticks = choose_ticks(scale, values, 6);
      EXPECT_LT(ticks.minimum, ticks.maximum);
      EXPECT_GE(ticks.major.size(), 2u);
      EXPECT_LE(ticks.major.size() + ticks.minor.size(), 1000u);
      for (const double tick : ticks.major) EXPECT_FALSE(tick_label(ticks, tick).empty());
    }
  const AxisTicks ticks = choose_ticks(AxisScale::logarithmic, std::vector<double>{0, 1, 10}, 6);
  EXPECT_EQ(ticks.place(0), 0);
  EXPECT_EQ(ticks.place(-1), 0);
}

TEST(PlotAxis, LabelsReadAsTheValue) {
  const AxisTicks decades = choose_ticks(AxisScale::logarithmic, std::vector<double>{1e-12, 1e9}, 30);
  EXPECT_EQ(tick_label(decades, 1e-12), "10⁻¹²");
  EXPECT_EQ(tick_label(decades, 1e-3), "0.001");
  EXPECT_EQ(tick_label(decades, 1), "1");
  EXPECT_EQ(tick_label(decades, 1e5), "100,000");
  EXPECT_EQ(tick_label(decades, 1e9), "10⁹");
  const AxisTicks steps = choose_ticks(AxisScale::linear, std::vector<double>{-0.5, 1}, 7);
  EXPECT_EQ(tick_label(steps, 0), "0.0");
  EXPECT_EQ(tick_label(steps, -0.5), "-0.5");
  const AxisTicks wholes = choose_ticks(AxisScale::linear, std::vector<double>{0, 4000}, 5);
  EXPECT_EQ(tick_label(wholes, 2000), "2,000");
  const AxisTicks below = choose_ticks(AxisScale::linear, std::vector<double>{-4000, 0}, 5);
  EXPECT_EQ(tick_label(below, -2000), "-2,000");
  EXPECT_EQ(tick_label(below, 0), "0");
}

TEST(PlotAxis, TicksWithinARangeLeaveItAsItIs) {
  const auto labels = [](double low, double high, AxisScale scale, int wanted = 5) {
    const AxisTicks ticks = ticks_within(low, high, wanted, scale);
    EXPECT_EQ(ticks.minimum, low);
    EXPECT_EQ(ticks.maximum, high);
    std::string text;
    for (const double tick : ticks.major) {
      EXPECT_GE(ticks.place(tick), -1e-6);
      EXPECT_LE(ticks.place(tick), 1 + 1e-6);
      text += tick_label(ticks, tick, true) + " ";
    }
    return text;
  };
  EXPECT_EQ(labels(0.003, 40, AxisScale::logarithmic), "0.01 0.1 1 10 ");
  EXPECT_EQ(labels(2e3, 3e7, AxisScale::logarithmic), "10⁴ 10⁵ 10⁶ 10⁷ ");
  EXPECT_EQ(labels(1.5, 60, AxisScale::logarithmic), "2 5 10 20 50 ");
  EXPECT_EQ(labels(0.11, 0.14, AxisScale::logarithmic), "0.11 0.12 0.13 0.14 ");
  EXPECT_EQ(labels(0.226, 0.2295, AxisScale::logarithmic), "0.226 0.227 0.228 0.229 ");
  EXPECT_EQ(labels(1.05e-8, 1.9e-8, AxisScale::logarithmic, 2), "1.2·10⁻⁸ 1.6·10⁻⁸ ");
  EXPECT_EQ(labels(1.5e6, 6e6, AxisScale::logarithmic), "2·10⁶ 5·10⁶ ");
  EXPECT_EQ(labels(0, 5000, AxisScale::from_zero, 4), "0 10 100 1,000 ");
  EXPECT_EQ(labels(0, 1, AxisScale::from_zero, 4), "0 ");
  EXPECT_EQ(labels(0, 3e7, AxisScale::from_zero, 4), "0 1,000 10⁶ ");
  EXPECT_EQ(labels(1, 12, AxisScale::linear, 12), "1 2 3 4 5 6 7 8 9 10 11 12 ");
}

TEST(PlotAxis, RoundNumbers) {
  for (const auto& [value, up, down] :
       {std::tuple{3.0, 5.0, 2.0}, {5.0, 5.0, 5.0}, {0.07, 0.1, 0.05}, {999.0, 1000.0, 500.0}}) {
    EXPECT_DOUBLE_EQ(round_up(value), up);
    EXPECT_DOUBLE_EQ(round_down(value), down);
  }
}

Panel panel_of(std::vector<PlotSeries> series, AxisScale scale) {
  return {"title", "subtitle", {"time (s)", scale}, {"stress", scale}, std::move(series)};
}

TEST(SvgPlot, DrawsEachFinitePointOnceWithinThePage) {
  std::vector<PlotSeries> series;
  for (int style = 0; style < 4; ++style) {
    PlotSeries each{"series " + std::to_string(style), {}, style, style % 2 == 1};
    for (int k = 0; k < 5; ++k) each.points.push_back({std::pow(10, k - 3), std::pow(0.1, k + style)});
    each.points.push_back({NAN, 1});
    each.points.push_back({1, infinity});
    series.push_back(std::move(each));
  }
  for (const std::size_t panels : {1u, 2u, 5u, 9u}) {
    Figure figure{"title", {"caption"}, std::vector<Panel>(panels, panel_of(series, AxisScale::logarithmic)), true};
    const std::string svg = svg_text(figure);
    EXPECT_EQ(count_of(svg, "<title>"), panels * 20);  // each point has a <title>, which browsers show as a hint
    EXPECT_EQ(count_of(svg, "<polyline"), panels * 4);
    EXPECT_EQ(count_of(svg, ">series 2<"), 1u);  // the legend's entry
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    std::smatch size;
    ASSERT_TRUE(std::regex_search(svg, size, std::regex("viewBox=\"0 0 (\\d+) (\\d+)\"")));
    const std::regex coordinate("\\b(x|y|cx|cy|x1|x2|y1|y2)=\"([-0-9.]+)\"");
    for (std::sregex_iterator found(svg.begin(), svg.end(), coordinate), end; found != end; ++found) {
      const double value = std::stod((*found)[2]),
                   limit = std::stod(size[(*found)[1].str().find('x') != std::string::npos ? 1 : 2]);
      EXPECT_GE(value, 0);
      EXPECT_LE(value, limit);
    }
  }
}

TEST(SvgPlot, PlacesPointsInOrderOfTheirValues) {
  const PlotSeries series{"s", {{1, 1}, {2, 3}, {4, 2}}, 0};
  const std::string svg = svg_text({"", {}, {panel_of({series}, AxisScale::linear)}});
  const std::regex circle("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"[^>]*><title>");
  std::vector<std::pair<double, double>> places;
  for (std::sregex_iterator found(svg.begin(), svg.end(), circle), end; found != end; ++found)
    places.emplace_back(std::stod((*found)[1]), std::stod((*found)[2]));
  ASSERT_EQ(places.size(), 3u);
  EXPECT_NEAR((places[2].first - places[0].first) / (places[1].first - places[0].first), 3, 0.01);
  EXPECT_NEAR((places[0].second - places[1].second) / (places[0].second - places[2].second), 2,
              0.01);  // y grows upwards
  EXPECT_LT(places[1].second, places[0].second);
}

TEST(SvgPlot, EscapesTextsAndKeepsTagsBalanced) {
  const PlotSeries series{"a <b> & \"c\"", {{1, 1}, {2, 2}}, 3};
  Panel panel = panel_of({series}, AxisScale::linear);
  panel.title = "x\x01<script>&\xff";
  const std::string svg = svg_text({"1 < 2", {"&"}, {panel}});
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
  EXPECT_NE(svg.find("a &lt;b&gt; &amp; &quot;c&quot;"), std::string::npos);
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z]+)([^>]*?)(/?)>");
  for (std::sregex_iterator found(svg.begin(), svg.end(), tag), end; found != end; ++found) {
    const std::string name = (*found)[2];
    if ((*found)[4].length() > 0) continue;
    if ((*found)[1].length() == 0) {
      open.push_back(name);
    } else {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), name);
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_TRUE(std::regex_search(svg, std::regex("&(?!amp;|lt;|gt;|quot;)")) == false);
}

TEST(SvgPlot, ThirtyTwoSeriesAreToldApart) {
  const std::regex marker("<(circle|rect|path) [^>]*><title>"), places("(cx|cy|x|y)=\"[^\"]*\"|M[-0-9. ]+");
  std::set<std::string> looks;
  for (int style = 0; style < 32; ++style) {
    const std::string svg = svg_text({"", {}, {panel_of({{"s", {{1, 1}, {2, 2}}, style}}, AxisScale::linear)}});
    std::smatch found;
    ASSERT_TRUE(std::regex_search(svg, found, marker)) << style;
    looks.insert(std::regex_replace(found.str(), places, ""));
  }
  EXPECT_EQ(looks.size(), 32u);
}

TEST(SvgPlot, AnEmptyFigureIsAFileToo) {
  const std::string svg = svg_text({});
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace kinescope::app::svg_plot_test
