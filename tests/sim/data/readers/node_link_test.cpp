// Graphs in JSON.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "tests/sim/data/graph_cases.hpp"

namespace kinescope::sim::graph_cases::node_link_test {
namespace {

TEST(NodeLink, LinksOfD3ArePlacesInTheList) {
  const Table table =
      read(R"({"nodes":[{"name":"Myriel","group":1},{"name":"Napoleon","group":2},{"name":"Valjean","group":2}],
"links":[{"source":1,"target":0,"value":4},{"source":2,"target":0,"value":8}]})",
           "a.json");
  EXPECT_EQ(table.columns[0].texts, (Texts{"Myriel", "Napoleon", "Valjean"}));
  EXPECT_EQ(table.find("group")->numbers, (Floats{1, 2, 2}));
  EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}, {0, 2}}));
  EXPECT_EQ(table.graph->lengths, (Floats{0.25f, 0.125f}));
}

TEST(NodeLink, EdgesMayComeFirstAndBeInnerObjects) {
  const Table table = read(R"({"elements": {"edges": [{"data": {"source": "a", "target": "b", "weight": 2}}],
"nodes": [{"data": {"id": "a", "name": "A"}, "position": {"x": 1, "y": 2}}, {"data": {"id": "b", "name": "B"}, "position": {"x": 3, "y": 4}}]}})",
                           "a.cyjs");
  EXPECT_EQ(table.columns[0].texts, (Texts{"A", "B"}));
  EXPECT_EQ(table.find("position.x")->numbers, (Floats{1, 3}));
  EXPECT_EQ(table.graph->lengths, (Floats{0.5f}));
}

// Not those of each row or element.
TEST(NodeLink, ListsAreThoseOfTheGraph) {
  const std::string not_one = "t.json: of JSON, lines and lists of rows are read, not this object";
  const auto many = [](const std::string& item) {
    std::string text = "{\"items\": [" + item;
    for (int n = 0; n < 20'000; ++n) text += "," + item;
    return text + "]}";
  };
  for (const char* item : {R"({"type": "way", "nodes": [1, 2, 3]})", R"({"name": "a", "links": [{"href": "b"}]})"}) {
    const std::string message = message_of_reading(many(item), "t.json");
    EXPECT_TRUE(message.starts_with(not_one)) << message;
  }
  for (const char* text :
       {R"({"a": {"nodes": ["x", "y"], "links": [{"source": "x", "target": "y"}]},
"b": {"nodes": ["z"], "links": []}})",
        R"({"style": {"nodes": [[], "x", "z"]}, "nodes": ["x", "y"], "links": [{"source": "x", "target": "y"}]})",
        R"({"links": [{"source": "x", "target": "y"}], "style": {"nodes": []}, "nodes": ["x", "y"]})"}) {
    const Table table = read(text, "a.json");
    EXPECT_EQ(table.rows, 2u) << text;
    EXPECT_EQ(table.graph->edges.size(), 1u) << text;
    EXPECT_EQ(table.remarks, (Texts{"it holds several lists of nodes: only one is read, with the links beside it"}));
  }
}

TEST(NodeLink, ErrorsNameTheNodeOrTheLink) {
  EXPECT_EQ(refusal(R"({"nodes": [{"id": "a"}], "links": [{"source": "a", "target": "q"}]})", "a.json"),
            "a.json: link 1: there is no node 'q'");
  EXPECT_EQ(refusal(R"({"nodes": [{"id": "a"}], "links": [{"source": "a"}]})", "a.json"),
            "a.json: link 1: has no target");
  EXPECT_EQ(refusal(R"({"nodes": [{"id": "a"}, {"id": "a"}], "links": []})", "a.json"),
            "a.json: node 2: the node 'a' is there twice");
  EXPECT_EQ(refusal("{\"nodes\": [{\"id\": \"a\"}],\n \"links\": [", "a.json"), "a.json:2: is not valid JSON");
  EXPECT_EQ(
      refusal(R"({"nodes": [{"name": "a"}, {"name": "a"}], "links": [{"source": "a", "target": "a"}]})", "a.json"),
      "a.json: link 1: several nodes are named 'a'");
  EXPECT_EQ(refusal(R"({"nodes": [], "links": []})", "a.json"), "a.json: the graph has no nodes");
  std::string deep = R"({"links": [], "nodes": [{"id": "a", "x": )";
  for (int i = 0; i < 100'000; ++i) deep += "[";
  EXPECT_EQ(refusal(deep, "a.json"), "a.json: is nested too deep: more than 64 levels");
}

TEST(GraphFormats, OtherJsonIsNoGraph) {
  EXPECT_EQ(refusal(R"({"nodes": 3, "links": 4})", "a.json").find("graph"), std::string::npos);
}

}  // namespace
}  // namespace kinescope::sim::graph_cases::node_link_test
