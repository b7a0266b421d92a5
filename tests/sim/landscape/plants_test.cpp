// Tests of plants: their grammars, trees and meshes, and where they stand.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "kinescope/error.hpp"
#include "sim/landscape/plants/placement.hpp"
#include "sim/landscape/plants/plant_files.hpp"
#include "sim/landscape/plants/plant_mesh.hpp"
#include "sim/landscape/plants/variants.hpp"
#include "tests/sim/landscape/landscape_cases.hpp"

namespace kinescope::sim::plants_test {
namespace {

using namespace landscape_cases;

TEST(LandscapePlants, TreesAreSoundAndVaried) {
  const std::vector<PlantMesh> plants = make_plants(load_plants(), 5);
  ASSERT_EQ(plants.size(), 8u * plant_variants);
  for (std::size_t i = 0; i < plants.size(); ++i) {
    const PlantMesh& plant = plants[i];
    EXPECT_GT(plant.height, 0.3f) << plant.kind;
    for (const Mesh* mesh : {&plant.branches, &plant.leaves}) {
      EXPECT_GT(mesh->triangles(), 50u) << plant.kind;
      EXPECT_LT(mesh->triangles(), 8000u) << plant.kind;
      EXPECT_EQ(mesh->normals.size(), mesh->positions.size());
      EXPECT_EQ(mesh->uv.size(), mesh->positions.size());
      EXPECT_EQ(mesh->colours.size(), mesh->positions.size());
      for (const glm::vec3& n : mesh->normals) ASSERT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-3);
      for (const std::uint32_t index : mesh->indices) ASSERT_LT(index, mesh->positions.size());
    }
    if (i % plant_variants > 0) {
      EXPECT_NE(plant.leaves.positions[0], plants[i - 1].leaves.positions[0]) << plant.kind;
    }
  }
  const char* kinds[] = {"cottonwood", "palm", "flower", "bush", "conifer", "birch", "reed", "factorial bush"};
  for (std::size_t i = 0; i < plants.size(); ++i) EXPECT_EQ(plants[i].kind, kinds[i / plant_variants]);
}

TEST(LandscapePlants, EachSegmentGrowsFromOneBeforeIt) {
  for (const PlantGrammar& grammar : load_plants()) {
    const std::vector<PlantNode> tree = grow_tree(grammar, grow_word(grammar, 3, 1), 3, 1);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      ASSERT_LT(tree[i].parent, static_cast<std::int32_t>(i));
      if (tree[i].part != PlantNode::Part::segment) continue;
      EXPECT_GT(tree[i].length, 0);
      EXPECT_LE(tree[i].end_radius, tree[i].radius);
      if (tree[i].parent >= 0) {
        EXPECT_LE(tree[i].radius, 1.0001f * tree[static_cast<std::size_t>(tree[i].parent)].end_radius) << grammar.kind;
      }
    }
  }
}

// In a factorial tree a node has one child fewer than its parent: 5, 4, 3, 2, 1. Each twig is one of 5! = 120.
TEST(LandscapePlants, TheFactorialBushIsAFactorialTree) {
  const PlantGrammar grammar = parse_plant(program_plant("factorial-bush.json").text, "factorial-bush.json");
  EXPECT_EQ(grammar.pitch_spread, 0) << "its pitch is regular";
  const std::vector<PlantNode> tree = grow_tree(grammar, grow_word(grammar, 1, 0), 1, 0);
  std::vector<std::size_t> level(tree.size()), children(tree.size()), of_level(6);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const bool segment = tree[i].part == PlantNode::Part::segment;
    if (tree[i].parent >= 0) {
      level[i] = level[std::size_t(tree[i].parent)] + 1;
      children[std::size_t(tree[i].parent)] += segment;
    }
    of_level[level[i]] += segment;
  }
  EXPECT_EQ(of_level, (std::vector<std::size_t>{5, 20, 60, 120, 0, 0}));
  for (std::size_t i = 0; i < tree.size(); ++i)
    if (tree[i].part == PlantNode::Part::segment) {
      EXPECT_EQ(children[i], level[i] < 3 ? 4 - level[i] : 0) << i;
    }
}

PlantGrammar bare(const std::string& word) {
  PlantGrammar grammar;
  grammar.axiom = word;
  grammar.length = 2;
  grammar.length_spread = 0.3f;
  grammar.radius = 0.2f;
  grammar.radius_ratio = 0.5f;
  grammar.pitch = 1;
  grammar.pitch_spread = grammar.yaw_spread = 0.5f;
  grammar.yaw = 2;
  return grammar;
}

// The distance of a point from the axis of a branch, and its place along the branch as a part of the length.
std::pair<float, float> on_axis(const NodePlace& branch, float length, glm::vec3 point) {
  const float along = glm::dot(point - branch.base, branch.along);
  return {glm::length(point - branch.base - along * branch.along), along / length};
}

TEST(LandscapePlants, ChildrenSitOnTheirParentsAxisWhereTheWordSays) {
  const PlantGrammar grammar = bare("F[0&F][3&F[7&F]][@&F]&F[*5^F[@&F9L]]4K[6/&F]@O");
  std::vector<float> anywhere;
  for (std::uint32_t variant = 0; variant < 12; ++variant) {
    const std::vector<PlantNode> tree = grow_tree(grammar, grammar.axiom, 1, variant);
    const std::vector<NodePlace> places = place_nodes(tree);
    const float said[] = {1, 0, 0.3f, 0.7f, -1, 1, 0.5f, -1, 0.9f, 0.4f, 0.6f, -1};
    ASSERT_EQ(tree.size(), std::size(said));
    for (std::size_t i = 1; i < tree.size(); ++i) {
      const auto parent = static_cast<std::size_t>(tree[i].parent);
      const auto [off, share] = on_axis(places[parent], tree[parent].length, places[i].base);
      EXPECT_LT(off, 1e-5f) << i;
      EXPECT_NEAR(share, tree[i].along, 1e-5f) << i;
      if (said[i] >= 0)
        EXPECT_NEAR(tree[i].along, said[i], 1e-6f) << i;
      else
        anywhere.push_back(share);
    }
  }
  const auto [least, most] = std::minmax_element(anywhere.begin(), anywhere.end());
  EXPECT_GT(*least, -1e-5f);
  EXPECT_LT(*least, 0.2f);
  EXPECT_GT(*most, 0.8f);
  EXPECT_LT(*most, 1.00001f);
}

// The mesh has the branch where the tree has it. The centre of its first ring is on the parent's axis, and the ring
// does not stick out of the parent.
TEST(LandscapePlants, MeshesGrowOutOfTheirParentsSide) {
  const PlantGrammar grammar = bare("F[4&F]");
  const std::vector<PlantNode> tree = grow_tree(grammar, grammar.axiom, 1, 0);
  const std::vector<NodePlace> places = place_nodes(tree);
  const Mesh mesh = make_plant(grammar, 1, 0).branches;
  constexpr std::size_t ring = 9;  // eight sides; the first vertex is repeated
  const std::size_t trunk = 7 * ring;
  ASSERT_EQ(mesh.positions.size(), trunk + 5 * ring);
  glm::vec3 middle(0);
  for (std::size_t k = 0; k + 1 < ring; ++k) middle += mesh.positions[trunk + k] / float(ring - 1);
  const auto [off, share] = on_axis(places[0], tree[0].length, middle);
  EXPECT_LT(off, 1e-5f);
  EXPECT_NEAR(share, 0.4f, 1e-5f);
  const float thick = tree[0].radius + 0.4f * (tree[0].end_radius - tree[0].radius);
  for (std::size_t k = 0; k < ring; ++k)
    EXPECT_LT(on_axis(places[0], tree[0].length, mesh.positions[trunk + k]).first, 1.001f * thick);
}

TEST(LandscapePlants, FruitAreClosedBodiesBelowTheirPlace) {
  PlantGrammar grammar = bare("F[4&F]O");
  grammar.fruit = {5, 0.3f, 0.2f, 0, 0.1f, {0.6f, 0.1f, 0.1f}, 0};
  const std::vector<PlantNode> tree = grow_tree(grammar, grammar.axiom, 1, 0);
  const glm::vec3 from = place_nodes(tree).back().base;
  const PlantMesh plant = make_plant(grammar, 1, 0);
  SurfaceData surface;
  for (const glm::vec3& p : plant.fruit.positions) {
    EXPECT_LT(p.z, from.z - 0.09f);
    EXPECT_GT(p.z, from.z - 0.1f - 1.2f * 0.3f - 0.01f);
    surface.positions.insert(surface.positions.end(), {p.x, p.y, p.z});
  }
  surface.indices = plant.fruit.indices;
  const Topology found = topology(surface);
  EXPECT_EQ(found.vertices, 5u * 18);
  EXPECT_EQ(found.open_edges, 0u);
  EXPECT_EQ(found.euler(), 5 * 2);
  const double whole = 5 * 4.18879 * 0.15 * 0.1 * 0.1;  // volume of the ellipsoids
  EXPECT_GT(volume(surface), 0.5 * whole);
  EXPECT_LT(volume(surface), 1.5 * whole);
}

TEST(LandscapePlants, RulesAreDrawnByTheirProbabilities) {
  PlantGrammar grammar;
  grammar.axiom = std::string(10'000, 'A');
  grammar.rules = {{'A', 0.25, "B"}, {'A', 0.75, "C"}};
  const std::string word = grow_word(grammar, 1, 0);
  EXPECT_NEAR(double(std::count(word.begin(), word.end(), 'B')), 2500, 200);
  EXPECT_EQ(word, grow_word(grammar, 1, 0));
  EXPECT_NE(word, grow_word(grammar, 2, 0));
}

TEST(LandscapePlants, BadPresetsGiveOneClearLine) {
  const std::string good = built_in_plants().front().second;
  EXPECT_NO_THROW(parse_plant(good, "p.json"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {changed("\"axiom\": \"FFB\",", "\"axiom\": \"FFB\""), "p.json:4: is not valid JSON"},
      {"", "p.json:1: is not valid JSON"},
      {std::string(100'000, '['), "p.json: is nested too deep: more than 64 levels"},
      {"[1]", "p.json: expected an object"},
      {changed("0.55", "0.75"), "p.json: rules: 'B': probabilities add up to 1.2, expected 1"},
      {changed("FFB", "FF[B"), "p.json: 'axiom': '[' and ']' do not match"},
      {changed("FFB", "FF?B"), "p.json: 'axiom': unknown symbol '?'"},
      {changed("\"iterations\": 5", "\"iterations\": 99"),
       "p.json: 'iterations': expected a number from 1 to 16, found 99"},
      {changed("\"pitch\": 38", "\"pitch\": \"steep\""),
       "p.json: angles: 'pitch': expected a number from -180 to 180, found \"steep\""},
      {changed("\"bark\"", "\"barf\""), "p.json: 'bark' is missing"},
      {changed("\"droop\"", "\"wilt\": 1, \"droop\""), "p.json: angles: unknown name 'wilt'"},
      {changed("[0.16, 0.12, 0.085]", "[0.16, 0.12]"), "p.json: 'bark': expected three numbers from 0 to 1"},
      {changed("\"bark\"", "\"bark_look\": \"striped\", \"bark\""),
       "p.json: 'bark_look': expected one of furrowed, marked"},
      {changed("\"bark\"", "\"fruit\": {\"count\": 2, \"length\": 9}, \"bark\""),
       "p.json: fruit: 'length': expected a number from 0.001 to 5, found 9"},
  };
  for (const auto& [text, expected] : cases) try {
      parse_plant(text, "p.json");
      ADD_FAILURE() << "accepted, expected: " << expected;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), expected);
    }
  PlantGrammar leafy = parse_plant(good, "p.json");
  leafy.axiom = std::string(150'000, 'L');
  leafy.leaves.count = 200;
  EXPECT_THROW(make_plant(leafy, 1, 0), Error);
  PlantGrammar endless = parse_plant(good, "p.json");
  endless.rules = {{'B', 1, "BBBB"}};
  endless.iterations = 16;
  EXPECT_THROW(grow_word(endless, 1, 0), Error);
}

// The rows of the three nearest plants of the same kind, found by comparing all plants.
std::vector<std::size_t> nearest_rows(const std::vector<float>& rows, std::size_t i, int variants) {
  const auto kind = [&](std::size_t row) { return int(rows[8 * row + 5]) / variants; };
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t k = 0; 8 * k < rows.size(); ++k)
    if (k != i && rows[8 * k + 4] > 0 && kind(k) == kind(i)) {
      const double dx = double(rows[8 * k]) - double(rows[8 * i]),
                   dy = double(rows[8 * k + 1]) - double(rows[8 * i + 1]);
      others.emplace_back(dx * dx + dy * dy, k);
    }
  std::sort(others.begin(), others.end());
  std::vector<std::size_t> nearest;
  for (std::size_t k = 0; k < others.size() && k < 3; ++k) nearest.push_back(others[k].second);
  return nearest;
}

std::size_t alike(const std::vector<float>& rows, int variants) {
  std::size_t count = 0;
  for (std::size_t i = 0; 8 * i < rows.size(); ++i)
    if (rows[8 * i + 4] > 0)
      for (const std::size_t other : nearest_rows(rows, i, variants)) count += rows[8 * other + 5] == rows[8 * i + 5];
  return count;
}

TEST(LandscapePlants, NeighboursAreOfDifferentVariants) {
  const Random random(9, 2);
  for (const int variants : {7, 8}) {
    std::vector<float> rows;
    for (std::uint64_t i = 0; i < 900; ++i) {
      const RandomWords words = random.words(i);
      // Plants of two kinds: spread evenly, in one heap, in rows, and some at the very same place. Some rows hold no
      // plant.
      const float spread = i % 4 == 0 ? 2000.0f : i % 4 == 1 ? 3.0f : 500.0f;
      const float x = i % 4 == 2 ? 700 + float(i % 10) : spread * uniform_float(words[0]);
      const float y = i % 4 == 2 ? 700 + float(i / 10 % 10) : i % 4 == 3 ? 0 : spread * uniform_float(words[1]);
      const auto mesh = float(uniform_below(words[2], std::uint32_t(2 * variants)));
      rows.insert(rows.end(), {x, y, 0, 0, i % 50 == 0 ? 0.0f : 1.0f, mesh, 0, 0});
    }
    const std::vector<float> before = rows;
    EXPECT_GT(alike(before, variants), 200u) << "by chance, one in " << variants << " is alike";
    vary_neighbours(rows, variants);
    EXPECT_EQ(alike(rows, variants), 0u);
    std::size_t changed = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (k % 8 != 5) {
        ASSERT_EQ(rows[k], before[k]);
        continue;
      }
      EXPECT_EQ(int(rows[k]) / variants, int(before[k]) / variants) << "the kind stays";
      changed += rows[k] != before[k];
    }
    EXPECT_LT(changed, 900u / 2) << "most plants keep their variant";
    vary_neighbours(rows, variants);
    EXPECT_EQ(alike(rows, variants), 0u);
  }
  std::vector<float> none, one{5, 5, 0, 0, 1, 3, 0, 0};
  vary_neighbours(none, 8);
  vary_neighbours(one, 8);
  EXPECT_EQ(one[5], 3);
}

TEST(LandscapePlants, EachKindStandsWhereItGrows) {
  for (const char* shape : {"shape=hills", "shape=island"}) {
    const auto simulation = make_landscape({"terrain_size=8", "trees=3000", "smoke_grid=16", shape});
    HostBuffers buffers;
    simulation->attach(buffers);
    simulation->publish();
    const auto published = buffers.of("plant_instances");
    const std::vector<float> rows(published.begin(), published.end());
    EXPECT_EQ(alike(rows, plant_variants), 0u);
    const auto heights = buffers.of("heights");
    const std::vector<float> kept(heights.begin(), heights.end());
    const TerrainHeights terrain{kept.data(), 257, 2000.0f / 256, 256 / 2000.0f};
    std::map<int, std::vector<float>> over;
    std::set<float> leans;
    for (std::size_t i = 0; i < rows.size(); i += 8) {
      if (rows[i + 4] == 0) continue;
      const int kind = int(rows[i + 5]) / plant_variants;
      over[kind].push_back(terrain.height(rows[i], rows[i + 1]) - 60);
      if (kind == reed) {
        EXPECT_LT(over[kind].back(), 0.9f);
        EXPECT_GT(over[kind].back(), 0.05f);
      }
      const Stance stance = stance_of(rows[i + 7]);
      EXPECT_LE(std::hypot(stance.lean_x, stance.lean_y), 0.05f);
      EXPECT_NEAR(stance.width, 1, 0.1001f);
      leans.insert(stance.lean_x);
    }
    EXPECT_GT(leans.size(), 2000u) << "hardly two lean alike";
    const auto middle = [&](int kind) {
      std::vector<float>& list = over[kind];
      EXPECT_GT(list.size(), 20u) << kind;
      if (list.empty()) return 0.0f;
      std::nth_element(list.begin(), list.begin() + std::ptrdiff_t(list.size() / 2), list.end());
      return list[list.size() / 2];
    };
    EXPECT_GT(middle(conifer), 1.5f * middle(cottonwood));
    EXPECT_LT(middle(birch), middle(conifer));
    EXPECT_LT(middle(palm), 10);
  }
}

// Only the meshes of one kind change. All else stays, and a restarted run gives the same result.
TEST(LandscapePlants, APlantIsExchangedWhereItStands) {
  const auto run = [](Simulation& simulation) {
    while (simulation.advance({1e9, 40})) continue;
    return simulation.result();
  };
  const std::vector<std::string> settings = {"terrain_size=6", "trees=3000", "smoke_grid=16", "duration=2"};
  const auto simulation = make_landscape(settings), another = make_landscape(settings, Backend::cpu, 7);
  const auto meshes = [&] { return simulation->snapshot()->share<PlantMeshes>(); };
  const auto before = meshes();
  PlantGrammar thick = load_plants()[palm];
  thick.radius = 6;
  simulation->receive(PlantChange{palm, thick});
  const auto after = meshes();
  ASSERT_NE(before, after);
  for (std::size_t i = 0; i < after->meshes.size(); ++i)
    EXPECT_EQ(after->meshes[i].branches.positions == before->meshes[i].branches.positions, i / plant_variants != palm)
        << i;
  EXPECT_EQ(after->meshes[palm * plant_variants + 2].leaves.positions,
            make_variant(thick, palm, 1, 2).leaves.positions);
  const Table first = run(*simulation);
  simulation->restart();
  const Table again = run(*simulation);
  another->receive(PlantChange{palm, thick});
  another->restart();
  const Table threads = run(*another);
  another->restart();
  another->receive(PlantChange{palm, load_plants()[palm]});
  another->restart();
  const Table thin = run(*another);
  bool differs = false;
  for (std::size_t c = 0; c < first.columns.size(); ++c) {
    EXPECT_EQ(again.columns[c].numbers, threads.columns[c].numbers);
    differs |= again.columns[c].numbers != thin.columns[c].numbers;
  }
  EXPECT_TRUE(differs) << "butterflies keep clear of the trunks that there are";
  PlantGrammar endless = thick;
  endless.axiom = std::string(150'000, 'L');
  endless.leaves.count = 200;
  EXPECT_THROW(simulation->receive(PlantChange{palm, endless}), Error);
  EXPECT_EQ(meshes(), after) << "a plant that cannot grow changes nothing";
}

}  // namespace
}  // namespace kinescope::sim::plants_test
