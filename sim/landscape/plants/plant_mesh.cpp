#include "sim/landscape/plants/plant_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>
#include <utility>

#include "kinescope/error.hpp"
#include "kinescope/random.hpp"
#include "sim/landscape/mesh_builder.hpp"
#include "sim/landscape/plants/placement.hpp"

namespace kinescope::sim::landscape {
namespace {

constexpr std::size_t most_leaves = 500'000;  // of one plant

NodePlace grown(const NodePlace& from, float yaw, float pitch) {
  const float c = std::cos(yaw), s = std::sin(yaw), cp = std::cos(pitch), sp = std::sin(pitch);
  const glm::vec3 across = c * from.across + s * from.aside;
  NodePlace place = from;
  place.along = glm::normalize(cp * from.along + sp * across);
  place.across = glm::normalize(cp * across - sp * from.along);
  place.aside = glm::cross(place.along, place.across);
  return place;
}

// A circle around a branch: its distance along the branch, and its radius.
struct Ring {
  float along, radius;
};

// Rings from the joint to the tip. `joint` is the parent's radius at the joint, 0 at the ground. Thick branches widen
// towards the joint, and the trunk into the ground, as wood does; their ends are round.
std::vector<Ring> rings_of(const PlantNode& node, float joint, bool thick) {
  const float r = node.radius, end = node.end_radius, length = node.length;
  if (!thick) return {{0, r}, {length, end}};
  std::vector<Ring> rings;
  if (joint > 0 && node.along < 1) {  // it comes out of the parent's side, with a collar of its own size
    const float reach = std::min(joint + r, 0.5f * length);
    rings = {{0, std::min(joint, 1.6f * r)}, {reach, r + (end - r) * reach / length}};
  } else if (joint > 0) {
    const float reach = std::min(1.6f * joint, 0.5f * length);
    rings = {{0, std::max(joint, r)}, {reach, r + (end - r) * reach / length}};
  } else {
    rings = {{-r, 1.6f * r}, {0, 1.28f * r}, {0.8f * r, 1.1f * r}, {std::min(2.5f * r, 0.5f * length), r}};
  }
  rings.insert(rings.end(), {{length, end}, {length + 0.5f * end, 0.75f * end}, {length + 0.8f * end, 0.1f * end}});
  return rings;
}

float radius_at(const PlantNode& node, float along) {
  return along == 1 ? node.end_radius : node.radius + along * (node.end_radius - node.radius);
}

void add_branch(MeshBuilder& builder, const NodePlace& frame, const PlantNode& node, float joint, float thickest) {
  const int sides = node.radius > 0.3f * thickest ? 8 : node.radius > 0.1f * thickest ? 5 : 3;
  const std::vector<Ring> rings = rings_of(node, joint, sides > 3);
  std::uint32_t before = 0;
  for (std::size_t k = 0; k < rings.size(); ++k) {
    const Ring ring = rings[k], low = rings[k > 0 ? k - 1 : 0], high = rings[std::min(k + 1, rings.size() - 1)];
    const float taper = (low.radius - high.radius) / std::max(high.along - low.along, 1e-6f);
    std::uint32_t first = 0;
    for (int side = 0; side <= sides; ++side) {
      const float turn = glm::two_pi<float>() * float(side % sides) / float(sides);
      const glm::vec3 out = std::cos(turn) * frame.across + std::sin(turn) * frame.aside;
      const std::uint32_t here =
          builder.vertex(frame.base + ring.along * frame.along + ring.radius * out,
                         glm::normalize(out + taper * frame.along), {float(side) / float(sides), ring.along});
      if (side == 0) first = here;
      if (k == 0 || side == 0) continue;
      const std::uint32_t below = before + std::uint32_t(side);
      builder.triangle(below - 1, below, here);
      builder.triangle(below - 1, here, here - 1);
    }
    before = first;
  }
}

class LeafMaker {
 public:
  LeafMaker(MeshBuilder& builder, const Random& random) : builder_(builder), random_(random) {}

  void add(const NodePlace& frame, const LeafStyle& style) {
    for (int i = 0; i < style.count; ++i) {
      const float turn = glm::two_pi<float>() * (float(i) + 0.7f * draw()) / float(style.count);
      const float tilt = glm::radians(style.tilt) + 0.35f * (draw() - 0.5f);
      const glm::vec3 out = std::cos(turn) * frame.across + std::sin(turn) * frame.aside;
      const glm::vec3 along = glm::normalize(std::cos(tilt) * out + std::sin(tilt) * frame.along);
      const glm::vec3 side = glm::normalize(glm::cross(frame.along, out));
      const glm::vec3 normal = glm::normalize(glm::cross(along, side));
      const glm::vec3 scatter(draw() - 0.5f, draw() - 0.5f, draw() - 0.5f);
      const glm::vec3 base = frame.base + 2 * style.spread * scatter;
      const float size = 0.8f + 0.4f * draw();
      builder_.colour(
          glm::clamp(style.colour * (1 + style.colour_spread * (2 * draw() - 1)), glm::vec3(0), glm::vec3(1)));
      const glm::vec3 half = 0.5f * size * style.width * side, length = size * style.length * along;
      builder_.quad(base - half, base + half, base + half + length, base - half + length, normal, {1, 1});
    }
  }

 private:
  float draw() { return random_.uniform(drawn_++); }
  MeshBuilder& builder_;
  Random random_;
  std::uint64_t drawn_ = 0;
};

// Bodies between an ellipsoid and its octahedron: each face of the octahedron is cut into four. The octahedron's
// corners are the first six vertices of a body.
class FruitMaker {
 public:
  FruitMaker(MeshBuilder& builder, const Random& random) : builder_(builder), random_(random) {}

  void add(const NodePlace& place, const FruitStyle& style) {
    for (int i = 0; i < style.count; ++i) {
      const glm::vec3 scatter(draw() - 0.5f, draw() - 0.5f, draw() - 0.5f);
      const float size = 0.8f + 0.4f * draw();
      const glm::vec3 half = 0.5f * size * glm::vec3(style.width, style.width, style.length);
      const glm::vec3 middle = place.base + 2 * style.spread * scatter - glm::vec3(0, 0, style.hang + half.z);
      builder_.colour(
          glm::clamp(style.colour * (1 + style.colour_spread * (2 * draw() - 1)), glm::vec3(0), glm::vec3(1)));
      add_body(middle, half);
    }
  }

 private:
  void add_body(glm::vec3 middle, glm::vec3 half) {
    const auto vertex = [&](glm::vec3 out) {
      out = glm::normalize(out);
      return builder_.vertex(middle + half * out, glm::normalize(out / half), {0.5f, 0.5f + 0.5f * out.z});
    };
    constexpr glm::vec3 corners[6] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    std::uint32_t of_corner[6], of_edge[6][6];
    for (int c = 0; c < 6; ++c) of_corner[c] = vertex(corners[c]);
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < a; ++b)
        if (glm::dot(corners[a], corners[b]) == 0) of_edge[a][b] = of_edge[b][a] = vertex(corners[a] + corners[b]);
    for (int c = 0; c < 4; ++c)
      for (const int pole : {4, 5}) {
        const int a = pole == 4 ? c : (c + 1) % 4, b = pole == 4 ? (c + 1) % 4 : c;
        const std::uint32_t ab = of_edge[a][b], bp = of_edge[b][pole], pa = of_edge[pole][a];
        builder_.triangle(of_corner[a], ab, pa);
        builder_.triangle(ab, of_corner[b], bp);
        builder_.triangle(pa, bp, of_corner[pole]);
        builder_.triangle(ab, bp, pa);
      }
  }

  float draw() { return random_.uniform(drawn_++); }
  MeshBuilder& builder_;
  Random random_;
  std::uint64_t drawn_ = 0;
};

int organs_of(const PlantGrammar& grammar, PlantNode::Part part) {
  switch (part) {
    case PlantNode::Part::leaves:
      return grammar.leaves.count;
    case PlantNode::Part::blossoms:
      return grammar.blossoms.count;
    case PlantNode::Part::fruit:
      return grammar.fruit.count;
    default:
      return 0;
  }
}

// The colour of a branch: that of the bark, and that of the twigs for the thinnest branches.
glm::vec3 wood_colour(const PlantGrammar& grammar, float radius) {
  if (grammar.twigs == grammar.bark) return grammar.bark;
  const float thick = glm::clamp((radius / grammar.radius - 0.12f) / 0.25f, 0.0f, 1.0f);
  return glm::mix(grammar.twigs, grammar.bark, thick);
}

void measure(const Mesh& mesh, PlantMesh& plant) {
  for (const glm::vec3& p : mesh.positions) {
    plant.radius = std::max(plant.radius, std::hypot(p.x, p.y));
    plant.height = std::max(plant.height, p.z);
  }
}

}  // namespace

std::vector<NodePlace> place_nodes(const std::vector<PlantNode>& nodes) {
  std::vector<NodePlace> places(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    NodePlace from;
    if (const std::int32_t parent = nodes[i].parent; parent >= 0) {
      from = places[static_cast<std::size_t>(parent)];
      from.base += nodes[i].along * nodes[static_cast<std::size_t>(parent)].length * from.along;
    }
    places[i] = grown(from, nodes[i].yaw, nodes[i].pitch);
  }
  return places;
}

PlantMesh make_plant(const PlantGrammar& grammar, std::uint64_t seed, std::uint32_t variant) {
  const std::vector<PlantNode> nodes = grow_tree(grammar, grow_word(grammar, seed, variant), seed, variant);
  std::size_t organs = 0;
  for (const PlantNode& node : nodes) organs += static_cast<std::size_t>(organs_of(grammar, node.part));
  if (organs > most_leaves)
    throw input_error("the plant '" + grammar.kind + "' has more than 500,000 leaves: try fewer in a group");
  MeshBuilder branches, leaves, fruit;
  branches.group("branches", grammar.bark);
  fruit.group("fruit", grammar.fruit.colour);
  LeafMaker leaf_maker(leaves, Random(seed, plant_stream + 48 + variant));
  FruitMaker fruit_maker(fruit, Random(seed, plant_stream + 64 + variant));
  const std::vector<NodePlace> places = place_nodes(nodes);
  PlantNode::Part before = PlantNode::Part::segment;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const PlantNode& node = nodes[i];
    if (node.part == PlantNode::Part::segment) {
      const float joint = node.parent < 0 ? 0 : radius_at(nodes[std::size_t(node.parent)], node.along);
      branches.colour(wood_colour(grammar, node.radius));
      add_branch(branches, places[i], node, joint, grammar.radius);
    } else if (node.part == PlantNode::Part::fruit) {
      fruit_maker.add(places[i], grammar.fruit);
    } else {
      const bool green = node.part == PlantNode::Part::leaves;
      const LeafStyle& style = green ? grammar.leaves : grammar.blossoms;
      if (std::exchange(before, node.part) != node.part) leaves.group(green ? "leaves" : "blossoms", style.colour);
      leaf_maker.add(places[i], style);
    }
  }
  PlantMesh plant;
  plant.kind = grammar.kind;
  plant.branches = branches.take();
  plant.leaves = leaves.take();
  plant.fruit = fruit.take();
  plant.leaf_shape = grammar.leaves.shape;
  plant.blossom_shape = grammar.blossoms.shape;
  plant.marked_bark = grammar.marked_bark;
  plant.trunk_radius = grammar.radius;
  for (const Mesh* mesh : plant.parts()) measure(*mesh, plant);
  return plant;
}

PlantMesh make_variant(const PlantGrammar& grammar, std::size_t kind, std::uint64_t seed, std::uint32_t variant) {
  return make_plant(grammar, seed + 7919 * kind, variant);
}

std::vector<PlantMesh> make_plants(const std::vector<PlantGrammar>& grammars, std::uint64_t seed) {
  std::vector<PlantMesh> plants;
  for (std::size_t kind = 0; kind < grammars.size(); ++kind)
    for (std::uint32_t variant = 0; variant < plant_variants; ++variant)
      plants.push_back(make_variant(grammars[kind], kind, seed, variant));
  return plants;
}

}  // namespace kinescope::sim::landscape
