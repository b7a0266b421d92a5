// Inputs that once cost their square: of these sizes the readers would not have ended before the test is stopped.
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "kinescope/data/reading.hpp"
#include "sim/data/text.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::costs_test {
namespace {

std::string each(std::size_t count, const std::function<std::string(const std::string&)>& part) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part(std::to_string(i));
  return text;
}

Table graph(const std::string& bytes, const std::string& name) {
  const TemporaryFolder folder;
  DataRequest request{folder.write(name, bytes)};
  request.reading = Reading::graph;
  return load_table(request);
}

TEST(Costs, EqualNamesWhoseSuffixesAreTaken) {
  constexpr std::size_t count = 200'000;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("a_" + std::to_string(count + i));
  names.resize(2 * count, "a");
  names = column_names(std::move(names));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 2 * count);
}

// A label is looked for among many categories by many numbers.
TEST(Costs, ManyCategoriesBesideManyNumbers) {
  const auto row = [](const std::string& text, const std::string& number) {
    return each(100'000, [&](auto&) { return text + "," + number + ","; }) + "0\n";
  };
  const TemporaryFolder folder;
  const std::string rows = row("u", "1") + row("v", "2") + row("u", "5");
  EXPECT_EQ(load_dataset({.source = folder.write("t.csv", rows)})->points, 3u);
  const std::string names = each(100'000, [](auto& i) { return "a" + i + ","; });
  const auto others = [](const std::string& text) { return each(100'000, [&](auto&) { return "," + text; }) + "\n"; };
  EXPECT_EQ(load_dataset({.source = folder.write("u.csv", "1" + names + others("u") + "2" + names + others("v") + "3" +
                                                              names + others("u")),
                          .reading = Reading::rows})
                ->points,
            3u);
}

TEST(Costs, ManyCategoriesInAnOrder) {
  constexpr std::size_t count = 100'000;
  const TemporaryFolder folder;
  const std::string names = each(count, [](auto& i) { return "k" + i + ","; }) + "last";
  const std::string file =
      folder.write("a.arff", "@relation r\n@attribute x numeric\n@attribute c {" + names + "}\n@data\n" +
                                 each(count, [](auto& i) { return "1,k" + i + "\n"; }));
  EXPECT_EQ(load_dataset({.source = file, .label = "c"})->label_names.at(count - 1), "k99999");
}

TEST(Costs, ANameOfDots) {
  const std::string line = "{\"" + std::string(4'000'000, '.') + "\":1}\n";
  EXPECT_EQ(read_bytes("{\"a\":1}\n" + line, "a.jsonl").columns.size(), 2u);
}

TEST(Costs, ListsThatAreLeftOut) {
  const std::string line =
      "{" + each(100'000, [](auto& i) { return "\"c" + i + "\":1,\"l" + i + "\":[[1]],"; }) + "\"x\":1}\n";
  const Table table = read_bytes("{\"x\":1}\n" + line, "a.jsonl");
  EXPECT_EQ(table.columns.size(), 100'001u);
  EXPECT_EQ(table.remarks.size(), 100'000u);
  const std::string node = "{\"id\":1," + each(200'000, [](auto& i) { return "\"a" + i + "\":[],"; }) + "\"x\":1}";
  EXPECT_EQ(graph("{\"nodes\":[" + node + ",{\"id\":2}],\"links\":[{\"source\":1,\"target\":2}]}", "a.json").rows, 2u);
  EXPECT_EQ(
      graph("*Vertices 2\n" + each(200'000, [](auto& i) { return "*F" + i + "\n"; }) + "*Edges\n1 2\n", "a.net").rows,
      2u);
}

TEST(Costs, DefaultsOfDot) {
  const std::string many = "[" + each(200'000, [](auto& i) { return "a" + i + "=1 "; }) + "]";
  const auto times = [](const std::string& what) { return each(200'000, [&](auto&) { return what; }); };
  EXPECT_EQ(graph("graph { edge " + many + times("a--b;") + "}", "a.dot").rows, 2u);
  EXPECT_EQ(graph("graph { a--b node " + many + times("{}") + "}", "a.dot").rows, 2u);
  EXPECT_EQ(graph("graph { a--b " + times("{edge [WEIGHT=1 x=2]}") + "}", "a.dot").rows, 2u);
  EXPECT_EQ(
      graph("graph { " +
                each(200'000, [](auto& i) { return "subgraph s {a" + i + "}--subgraph t--subgraph s--subgraph t;"; }) +
                "}",
            "a.dot")
          .rows,
      200'000u);
}

}  // namespace
}  // namespace kinescope::sim::costs_test
