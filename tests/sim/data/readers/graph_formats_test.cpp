// Files that hold nothing but a graph: what all formats share, GraphML, GEXF, GML and Graphviz' DOT.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/data/metric.hpp"
#include "kinescope/data/reading.hpp"
#include "kinescope/parameter.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/data/graph_cases.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::graph_cases::graph_formats_test {
namespace {

std::string graphml(const std::string& content) {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
)" + content +
         "\n</graphml>\n";
}

std::string gexf(const std::string& content) {
  return R"(<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph>)" + content + "</graph></gexf>";
}

// The same graph in each format: Zoë and b are joined with strength 2, Zoë and "x y" with 4; Ü is alone.
const std::map<std::string, std::string> same_graph = {
    {"a.graphml", graphml(R"(<key id="d0" for="edge" attr.name="weight" attr.type="double"/>
<key id="d1" for="node" attr.name="size" attr.type="int"/>
<key id="d2" for="node" attr.name="kind" attr.type="string"/>
<graph edgedefault="undirected">
  <node id="Zoë"><data key="d1">3</data><data key="d2">a &lt; b</data></node>
  <node id="b"><data key="d1">-4.5</data></node>
  <node id="x y"/>
  <node id="&#220;"><data key="d2">c</data></node>
  <edge source="Zoë" target="b"><data key="d0">2</data></edge>
  <edge source="x y" target="Zoë"><data key="d0">4.0</data></edge>
  <edge source="b" target="b"/>
</graph>)")},
    {"a.GEXF", gexf(R"(
<attributes class="node"><attribute id="0" title="size" type="float"/><attribute id="1" title="kind" type="string"/></attributes>
<nodes>
  <node id="0" label="Zoë"><attvalues><attvalue for="0" value="3"/><attvalue for="1" value="a &lt; b"/></attvalues></node>
  <node id="1" label="b"><attvalues><attvalue for="0" value="-4.5"/></attvalues></node>
  <node id="2" label="x y"/>
  <node id="3" label="Ü"><attvalues><attvalue for="1" value="c"/></attvalues></node>
</nodes>
<edges><edge id="0" source="0" target="1" weight="2"/><edge id="1" source="2" target="0" weight="4"/>
<edge id="2" source="1" target="1"/></edges>)")},
    {"a.gml", R"(Creator "by hand"
# a comment
graph [
  directed 0
  node [ id 0 label "Zo&#235;" size 3 kind "a &#60; b" ]
  node [ id 1 label "b" size -4.5 ]
  node [ id 2 label "x y" ]
  node [ id 30 label "Ü" kind "c" ]
  edge [ source 0 target 1 value 2 ]
  edge [ source 2 target 0 value 4.0 ]
  edge [ source 1 target 1 ]
]
)"},
    {"a.gv", R"(/* a comment */
strict graph "G" {
  node [shape=box]; rankdir = LR
  Zoë [size=3, kind="a < b"] // the first
  b [size=-4.5];
  "x y"
  "&Uuml;" [label=Ü kind=c]
  Zoë -- b [weight=2]
  "x y" -- Zoë [weight=4.0]
  b -- b
}
)"},
    {"a.json", R"({"directed": false, "multigraph": false, "graph": {},
 "nodes": [{"size": 3, "kind": "a < b", "id": "Zoë"}, {"size": -4.5, "id": "b"}, {"id": "x y"}, {"kind": "c", "id": "\u00dc"}],
 "links": [{"weight": 2, "source": "Zoë", "target": "b"}, {"weight": 4.0, "source": "x y", "target": "Zoë"}, {"source": "b", "target": "b"}]})"}};

TEST(GraphFormats, TheSameGraphIsReadFromEach) {
  for (const auto& [name, bytes] : same_graph) {
    SCOPED_TRACE(name);
    const Table table = read(bytes, name);
    ASSERT_TRUE(table.graph);
    EXPECT_EQ(table.rows, 4u);
    EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}, {0, 2}}));
    EXPECT_EQ(table.graph->lengths, (Floats{0.5f, 0.25f}));
    EXPECT_EQ(table.graph->weights, EdgeWeights::strengths);
    EXPECT_EQ(table.graph->weights_name, name == "a.gml" ? "value" : "weight");
    EXPECT_EQ(table.graph->loops, 1u);
    EXPECT_EQ(table.columns[0].name, "node");
    EXPECT_EQ(table.columns[0].texts, (Texts{"Zoë", "b", "x y", "Ü"}));
    EXPECT_EQ(table.columns[1].name, "degree");
    EXPECT_EQ(table.columns[1].numbers, (Floats{2, 1, 1, 0}));
    ASSERT_TRUE(table.find("size") && table.find("kind"));
    EXPECT_EQ(table.find("size")->numbers[0], 3);
    EXPECT_EQ(table.find("size")->numbers[1], -4.5);
    EXPECT_TRUE(std::isnan(double(table.find("size")->numbers[3])));
    EXPECT_EQ(table.find("kind")->texts, (Texts{"a < b", "", "", "c"}));
    EXPECT_TRUE(table.find("size")->annotates && table.find("kind")->annotates);
  }
}

struct WithMetric : ParameterSet {
  MetricParameter metric;
  void visit(const std::function<void(Parameter&)>& f) override { f(metric); }
};

TEST(GraphFormats, SetTheMetric) {
  for (const auto& [name, bytes] : same_graph) {
    const TemporaryFolder folder;
    WithMetric parameters;
    EXPECT_EQ(choose_reading(folder.write(name, bytes), parameters), Reading::graph) << name;
    EXPECT_EQ(parameters.metric.text(), "graph") << name;
  }
}

TEST(GraphFormats, WeightsAreLengthsIfAsked) {
  for (const auto& [name, bytes] : same_graph) {
    const Table table = read(bytes, name, EdgesAre::lengths);
    EXPECT_EQ(table.graph->lengths, (Floats{2, 4})) << name;
    EXPECT_EQ(table.graph->weights, EdgeWeights::lengths) << name;
    EXPECT_TRUE(table.graph->asked_for_weights) << name;
  }
}

// One edge whose weight has this name and this value.
Table weighed(const std::string& name, const std::string& value, EdgesAre edges_are = EdgesAre::automatic) {
  return read("graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 " + name + " " + value +
                  " ]\nedge [ source 2 target 3 " + name + " 4 ] ]",
              "a.gml", edges_are);
}

TEST(GraphFormats, NamesSayWhatWeightsAre) {
  for (const char* name : {"weight", "value", "Count", "strength", "similarity"})
    EXPECT_EQ(weighed(name, "8").graph->lengths, (Floats{0.125f, 0.25f})) << name;
  for (const char* name : {"length", "Distance", "cost", "dissimilarity"}) {
    EXPECT_EQ(weighed(name, "8").graph->lengths, (Floats{8, 4})) << name;
    EXPECT_EQ(weighed(name, "8", EdgesAre::strengths).graph->lengths, (Floats{0.125f, 0.25f})) << name;
  }
  const Table others = weighed("width", "8");
  EXPECT_TRUE(others.graph->lengths.empty());
  EXPECT_EQ(others.graph->weights, EdgeWeights::none);
}

TEST(GraphFormats, StrengthsOfZeroJoinNothingAndNegativeOnesAreRefused) {
  const Table table = weighed("weight", "0");
  EXPECT_EQ(table.graph->edges, (Pairs{{1, 2}}));
  EXPECT_EQ(table.graph->no_strength, 1u);
  EXPECT_EQ(
      refusal("graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 weight -1 ] ]", "a.gml"),
      "a.gml:2: the strength of an edge must not be negative, found -1; with --edges-are equal each edge is 1 long");
  EXPECT_EQ(
      refusal("graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 weight 0 ] ]", "a.gml", EdgesAre::lengths),
      "a.gml:2: the length of an edge must be positive, found 0; with --edges-are equal each edge is 1 long");
  EXPECT_EQ(refusal(R"({"nodes": ["a", "b"], "links": [{"source": 0, "target": 1, "value": -2}]})", "a.json"),
            "a.json: between 'a' and 'b': the strength of an edge must not be negative, found -2; with --edges-are "
            "equal each edge is 1 long");
}

TEST(GraphFormats, WeightsBeyondFloatsAreRefused) {
  for (const char* weight : {"1e-46", "1e39"})
    for (const EdgesAre are : {EdgesAre::lengths, EdgesAre::strengths}) {
      const std::string edge = "graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 weight ";
      EXPECT_EQ(refusal(edge + weight + " ] ]", "a.gml", are),
                "a.gml:2: the weight of an edge is beyond float32; with --edges-are equal each edge is 1 long");
      EXPECT_EQ(refusal(std::string("from,to,weight\na,b,1\nb,c,") + weight + "\n", "a.csv", are),
                "a.csv:3: the weight of an edge is beyond float32; with --edges-are equal each edge is 1 long");
    }
  EXPECT_EQ(refusal("graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 weight inf ] ]", "a.gml"),
            "a.gml:2: the strength of an edge must be finite, found inf; with --edges-are equal each edge is 1 long");
}

TEST(GraphFormats, WhatIsLeftOutIsSaid) {
  EXPECT_EQ(read("digraph { a -> b }", "a.dot").remarks,
            (Texts{"the edges are directed: their directions are ignored"}));
  EXPECT_EQ(weighed("weight", "\"strong\"").remarks,
            (Texts{"the edges' 'weight' is not read: 'strong' is not a number"}));
  EXPECT_EQ(read("graph { a -- b } graph { c -- d }", "a.dot").remarks,
            (Texts{"further graphs are left out: the first is read"}));
}

TEST(GraphFormats, IdentifiersNameNodesIfLabelsDoNot) {
  const Table table = read("graph [ node [ id 7 label \"x\" ] node [ id 8 label \"x\" ] ]", "a.gml");
  EXPECT_EQ(table.columns[0].numbers, (Floats{7, 8}));
  EXPECT_EQ(table.find("label")->texts, (Texts{"x", "x"}));
  EXPECT_EQ(table.remarks, (Texts{"several nodes have the same label: identifiers name the nodes"}));
}

TEST(Graphml, DefaultsTruthValuesAndNestedGraphs) {
  const Table table =
      read(graphml(R"(<key id="d0" for="node" attr.name="colour" attr.type="string"><default>red</default></key>
<key id="d1" for="edge" attr.name="weight" attr.type="double"><default>2</default></key>
<key id="d2" for="all" attr.name="new" attr.type="boolean"/>
<graph edgedefault="directed">
  <edge source="a" target="b"/>
  <node id="a"><data key="d2">true</data><graph><node id="b"><data key="d0">blue</data><data key="d2">false</data></node></graph></node>
</graph>)"),
           "a.graphml");
  EXPECT_EQ(table.columns[0].texts, (Texts{"a", "b"}));
  EXPECT_EQ(table.find("colour")->texts, (Texts{"red", "blue"}));
  EXPECT_EQ(table.find("new")->numbers, (Floats{1, 0}));
  EXPECT_EQ(table.graph->lengths, (Floats{0.5f}));
}

TEST(Graphml, LabelsOfYed) {
  const Table table = read(graphml(R"(<key for="node" id="d6" yfiles.type="nodegraphics"/>
<graph edgedefault="undirected">
<node id="n0"><data key="d6"><y:ShapeNode xmlns:y="y"><y:NodeLabel>January</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d6"><y:ShapeNode xmlns:y="y"><y:NodeLabel>February</y:NodeLabel></y:ShapeNode></data></node>
<edge source="n0" target="n1"/></graph>)"),
                           "a.graphml");
  EXPECT_EQ(table.columns[0].texts, (Texts{"January", "February"}));
}

TEST(Graphml, PrefixesAndBlanksDoNotMatter) {
  const Table table = read(
      "\xEF\xBB\xBF<!-- made -->\n<g:graphml xmlns:g=\"x\"><g:graph><g:node id=\"1\"/><g:node id=\"2\"/>"
      "<g:edge source=\"1\" target=\"2\"/></g:graph></g:graphml>",
      "a.xml");
  EXPECT_EQ(table.columns[0].numbers, (Floats{1, 2}));
  EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}}));
}

TEST(Graphml, ErrorsNameTheLine) {
  EXPECT_EQ(refusal(graphml("<graph><node id=\"a\"/>\n<node id=\"a\"/></graph>"), "a.graphml"),
            "a.graphml:4: the node 'a' is there twice");
  EXPECT_EQ(refusal(graphml("<graph><node/></graph>"), "a.graphml"), "a.graphml:3: a <node> without an id");
  EXPECT_EQ(refusal(graphml("<graph><node id=\"a\"/><edge source=\"a\"/></graph>"), "a.graphml"),
            "a.graphml:3: an <edge> without a target");
  EXPECT_EQ(refusal(graphml("<graph><node id=\"a\"><data key=\"d9\">1</data></node></graph>"), "a.graphml"),
            "a.graphml:3: there is no <key> 'd9'");
  EXPECT_EQ(refusal(graphml("<graph></graph>"), "a.graphml"), "a.graphml: the graph has no nodes");
  EXPECT_EQ(refusal(graphml(""), "a.graphml"), "a.graphml: has no <graph>");
  EXPECT_EQ(refusal("<html></html>", "a.graphml").substr(0, 11), "a.graphml: ");
  EXPECT_EQ(refusal("a,b\n1,2\n", "a.graphml"), "a.graphml: not GraphML: its first element is not <graphml>");
  const std::string cut = graphml("<graph><node id=\"a\"/>\n<node id=\"b\"/></graph>");
  EXPECT_EQ(refusal(cut.substr(0, cut.find("</graph>")), "a.graphml").substr(0, 31), "a.graphml:4: is not valid XML: ");
}

// Entities that a document declares are not replaced, so they cannot grow, and no other file is read.
TEST(Graphml, NodesMayBeNamedByEdgesAloneAndKeysStandInTheGraph) {
  const Table table = read(graphml("<graph><key id=\"k\" for=\"node\" attr.name=\"rank\"/><node id=\"a\"><data "
                                   "key=\"k\">2</data></node><edge source=\"a\" target=\"q\"/></graph>"),
                           "a.graphml");
  EXPECT_EQ(table.columns[0].texts, (Texts{"a", "q"}));
  EXPECT_EQ(table.find("rank")->numbers[0], 2);
  EXPECT_EQ(table.remarks, (Texts{"'q' is named by edges, but is not among the file's nodes"}));
}

TEST(Graphml, EntitiesOfADocumentStayAsTheyAre) {
  const std::string bomb =
      "<?xml version=\"1.0\"?><!DOCTYPE graphml [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY c SYSTEM "
      "\"file:///etc/passwd\">]><graphml><graph><node id=\"&b;\"/><node id=\"&c;\"/></graph></graphml>";
  EXPECT_EQ(read(bomb, "a.graphml").columns[0].texts, (Texts{"&b;", "&c;"}));
}

TEST(Graphml, NestingIsLimited) {
  std::string begin, end;
  for (int i = 0; i < 100'000; ++i) begin += "<graph><node id=\"" + std::to_string(i) + "\">", end += "</node></graph>";
  EXPECT_EQ(refusal(graphml(begin + end), "a.graphml"), "a.graphml:3: is nested too deep");
}

TEST(Gexf, NodesInNodesAndOldNamesOfAttributes) {
  const Table table =
      read(gexf(R"(<attributes class="node"><attribute id="a" title="rank"><default>5</default></attribute></attributes>
<nodes><node id="p" label="parent"><attvalues><attvalue id="a" value="1"/></attvalues>
<nodes><node id="c" label="child"/></nodes></node></nodes>
<edges><edge source="c" target="p" type="directed"/></edges>)"),
           "a.gexf");
  EXPECT_EQ(table.columns[0].texts, (Texts{"parent", "child"}));
  EXPECT_EQ(table.find("rank")->numbers, (Floats{1, 5}));
  EXPECT_EQ(table.remarks, (Texts{"the edges are directed: their directions are ignored"}));
}

TEST(Gexf, ValuesMayStandInTheNode) {
  const Table table = read(gexf(R"(<attributes class="node"><attribute id="a" title="rank"/></attributes>
<nodes><node id="p"><attvalue for="a" value="1"/></node></nodes>)"),
                           "a.gexf");
  EXPECT_EQ(table.find("rank")->numbers, (Floats{1}));
}

TEST(Gexf, ErrorsNameTheLine) {
  EXPECT_EQ(
      refusal(gexf("<nodes><node id=\"a\"><attvalues><attvalue for=\"7\" value=\"1\"/></attvalues></node></nodes>"),
              "a.gexf"),
      "a.gexf:1: there is no <attribute> '7'");
  EXPECT_EQ(refusal("<gexf/>", "a.gexf"), "a.gexf: has no <graph>");
  EXPECT_EQ(refusal("x", "a.gexf"), "a.gexf: not GEXF: its first element is not <gexf>");
}

TEST(Gml, ListsInListsAndKeysInAnyCase) {
  const Table table = read(
      "Version 1\nGraph [\n Node [ ID 1 Label \"a\" graphics [ x 1.5 y 2 center [ z 3 ] ] ]\n"
      " node [ id 2 label \"b\" graphics [ x 2.5 ] ]\n]\n",
      "a.gml");
  EXPECT_EQ(table.columns[0].texts, (Texts{"a", "b"}));
  EXPECT_EQ(table.find("graphics.x")->numbers, (Floats{1.5f, 2.5f}));
  EXPECT_EQ(table.find("graphics.center.z")->numbers[0], 3);
}

TEST(Gml, ErrorsNameTheLine) {
  EXPECT_EQ(refusal("graph [\nnode [ label \"a\" ] ]", "a.gml"), "a.gml:2: a node without id");
  EXPECT_EQ(refusal("graph [ node [ id 1 ]\nedge [ source 1 ] ]", "a.gml"), "a.gml:2: an edge without target");
  EXPECT_EQ(refusal("graph [\n node [ id 1 label \"a ] ]", "a.gml"), "a.gml:2: a quote is never closed");
  EXPECT_EQ(refusal("graph [\n node [ id 1", "a.gml"), "a.gml:2: cut off: a [ is never closed");
  EXPECT_EQ(refusal("graph [ node [ id ] ]", "a.gml"), "a.gml:1: expected a value of 'id'");
  EXPECT_EQ(refusal("1 2\n2 3\n", "a.gml"), "a.gml: not a graph in GML: it does not begin with graph [");
  std::string deep = "graph [ node [ id 1 ";
  for (int i = 0; i < 10'000; ++i) deep += "a [ ";
  EXPECT_EQ(refusal(deep, "a.gml"), "a.gml:1: is nested too deep");
}

TEST(Dot, ChainsSubgraphsAndPorts) {
  const Table table =
      read("graph {\n a -- {b c} -- d:n [weight=2]\n subgraph s { e; f:p:sw } subgraph s -- a\n}\n", "a.dot");
  EXPECT_EQ(table.columns[0].texts, (Texts{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}, {0, 2}, {0, 4}, {0, 5}, {1, 3}, {2, 3}}));
  EXPECT_EQ(table.graph->lengths, (Floats{0.5f, 0.5f, 1, 1, 0.5f, 0.5f}));
}

// A subgraph begins with the defaults around it, and its own end with it.
TEST(Dot, DefaultsAreThoseOfTheirSubgraph) {
  const Table table = read(
      "graph {\n node [u=1 v=2] edge [weight=2]; a -- b\n subgraph { node [u=3 w=4] edge [WEIGHT=4]; c -- d\n"
      "  { node [v=\"\" u=5]; e -- f [weight=5] } g }\n h -- a; node [u=6]; i -- a [Weight=8, weight=1]\n}\n",
      "a.dot");
  const double none = NAN;
  const auto expect = [&](const char* name, std::vector<double> expected) {
    ASSERT_TRUE(table.find(name)) << name;
    EXPECT_TRUE(same_bits(table.find(name)->numbers, Numbers(std::move(expected)))) << name;
  };
  ASSERT_EQ(table.columns[0].texts, (Texts{"a", "b", "c", "d", "e", "f", "g", "h", "i"}));
  expect("u", {1, 1, 3, 3, 5, 5, 3, 1, 6});
  expect("v", {2, 2, 2, 2, none, none, 2, 2, 2});
  expect("w", {none, none, 4, 4, 4, 4, 4, none, none});
  EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}, {0, 7}, {0, 8}, {2, 3}, {4, 5}}));
  EXPECT_EQ(table.graph->lengths, (Floats{0.5f, 0.5f, 1, 0.25f, 0.2f}));
}

// The subgraph of that name as it was there.
TEST(Dot, ASubgraphIsAnEndAsItWasThere) {
  const Table table = read("graph { subgraph s {a} d -- subgraph s -- subgraph s {b} }", "a.dot");
  ASSERT_EQ(table.columns[0].texts, (Texts{"a", "d", "b"}));
  EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}, {0, 2}}));
}

TEST(Dot, LenIsALengthAndComesFirst) {
  const Table table = read("graph { edge [len=3]; a -- b; b -- c [len=1.5, weight=9] }", "a.dot");
  EXPECT_EQ(table.graph->lengths, (Floats{3, 1.5f}));
  EXPECT_EQ(table.graph->weights_name, "len");
  EXPECT_EQ(table.graph->weights, EdgeWeights::lengths);
}

TEST(Dot, NamesAndLabels) {
  const Table table = read(
      "digraph G {\n# a line of the preprocessor\n\"a\\\"b\" [label=\"\\N!\"]; -2.5 [label=<<b>bold</b> &amp; more>];\n"
      "c [label=\"two\\nlines\"]; \"jo\" + \"in\"\n}",
      "a.dot");
  EXPECT_EQ(table.columns[0].texts, (Texts{"a\"b!", "bold & more", "two lines", "join"}));
}

TEST(Dot, ErrorsNameTheLine) {
  EXPECT_EQ(refusal("graph {\n a -- \n}", "a.dot"), "a.dot:3: expected a node, found '}'");
  EXPECT_EQ(refusal("graph {\n a -- b", "a.dot"), "a.dot:2: cut off: expected a node");
  EXPECT_EQ(refusal("graph {\n \"a", "a.dot"), "a.dot:2: a quote is never closed");
  EXPECT_EQ(refusal("graph { a [label=<b }", "a.dot"), "a.dot:1: a < is never closed");
  EXPECT_EQ(refusal("graph { /* a", "a.dot"), "a.dot:1: a comment is never closed");
  EXPECT_EQ(refusal("graph { a [x=] }", "a.dot"), "a.dot:1: expected a value of 'x', found ']'");
  EXPECT_EQ(refusal("graph { }", "a.dot"), "a.dot: the graph has no nodes");
  EXPECT_EQ(refusal("a,b\n1,2\n", "a.gv"),
            "a.gv: not a graph of Graphviz: it does not begin with graph { or digraph {");
  EXPECT_EQ(refusal("graph " + std::string(100'000, '{'), "a.dot"), "a.dot:1: is nested too deep");
}

TEST(GraphFormats, EdgesWithoutAWeightAreTold) {
  const Table table = read(
      "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 length 100 ] "
      "edge [ source 2 target 3 ] ]",
      "a.gml");
  EXPECT_EQ(table.graph->lengths, (Floats{100, 1}));
  EXPECT_EQ(table.remarks.front(), "1 edge has no 'length': 1 stands for it");
}

TEST(GraphFormats, NodesAreNamedWhereverTheirColumnsStandAndByTablesOfAdjacency) {
  const auto read_table = [](std::string_view bytes) {
    const TemporaryFolder folder;
    return load_dataset({.source = folder.write("a.csv", bytes), .reading = Reading::graph})->table;
  };
  const Table table = read_table("weight,Target,kind,Source\n2,b,u,a\n4,c,v,b\n");
  EXPECT_EQ(table.columns[0].texts, (Texts{"a", "b", "c"}));
  EXPECT_EQ(table.graph->lengths, (Floats{0.5f, 0.25f}));
  const Table adjacent = read_table(",B,A,C\nA,1,0,0\nB,0,1,3\nC,2,0,\n");
  EXPECT_EQ(adjacent.columns[0].texts, (Texts{"A", "B", "C"}));
  EXPECT_EQ(adjacent.graph->edges, (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(adjacent.graph->lengths, (Floats{1, 2}));  // of 2 and 3 the shorter one
  const Table numbered = read_table(",0,1,2\n0,0,1,0\n1,1,0,1\n2,0,1,0\n");
  EXPECT_EQ(numbered.columns[0].numbers, (Floats{0, 1, 2}));
  EXPECT_EQ(numbered.graph->edges, (Pairs{{0, 1}, {1, 2}}));
  const Table others = read_table(",7,100,12\n7,0,1,0\n100,1,0,1\n12,0,1,0\n");
  EXPECT_EQ(others.columns[0].numbers, (Floats{7, 100, 12}));
  EXPECT_EQ(others.graph->edges, (Pairs{{0, 1}, {1, 2}}));
}

TEST(GraphFormats, DamagedTextsAreReadOrRefused) {
  const std::vector<std::pair<std::string, std::string>> whole = {
      {"a.net", "*Vertices 3\n1 \"a b\" 0.1 0.2\n*Arcs\n1 2 2\n*Matrix\n0 1 0\n1 0 2\n0 2 0\n"},
      {"out.a", "% asym posweighted\n% 3 3 3\n1 2 2 1082008561\n2 3 4\n"},
      {"a.txt", "1 2 {}\n2 3 {'kind': \"a\\\", b\", 'weight': 4}\n"}};
  for (const auto& [name, text] : whole)
    for (std::size_t at = 0; at < text.size(); ++at)
      for (const char byte : {'\0', '"', '{', '*', '\n', '9', '\xff'}) {
        std::string changed = text;
        changed[at] = byte;
        for (const std::string& damaged : {changed, text.substr(0, at)}) {
          const std::string said = refusal(damaged, name);
          EXPECT_EQ(said.find('\n'), std::string::npos) << said;
        }
      }
}

}  // namespace
}  // namespace kinescope::sim::graph_cases::graph_formats_test
