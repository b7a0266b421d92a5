#include "sim/landscape/plants/plant_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

#include "sim/core/error.hpp"
#include "sim/core/random.hpp"
#include "sim/landscape/mesh_builder.hpp"
#include "sim/landscape/plants/placement.hpp"

namespace kinescope::sim::landscape {
namespace {

constexpr std::size_t most_leaves = 500'000;  // of one plant

// A place on the plant: `along` is the direction of growth, the other two span the plane across it.
struct Frame {
  glm::vec3 at{0}, along{0, 0, 1}, across{1, 0, 0}, aside{0, 1, 0};
};

Frame grown(const Frame& from, float yaw, float pitch) {
  const float c = std::cos(yaw), s = std::sin(yaw), cp = std::cos(pitch), sp = std::sin(pitch);
  const glm::vec3 across = c * from.across + s * from.aside;
  Frame frame = from;
  frame.along = glm::normalize(cp * from.along + sp * across);
  frame.across = glm::normalize(cp * across - sp * from.along);
  frame.aside = glm::cross(frame.along, frame.across);
  return frame;
}

// A circle around a branch: its place along the branch, and its radius.
struct Ring {
  float along, radius;
};

// Rings from the previous branch (`joint` is that one's radius at its end, 0 at the ground) to the tip. Thick branches
// widen towards the joint, and the trunk into the ground, as wood does; their ends are round.
std::vector<Ring> rings_of(const PlantNode& node, float joint, bool thick) {
  const float r = node.radius, end = node.end_radius, length = node.length;
  if (!thick) return {{0, r}, {length, end}};
  std::vector<Ring> rings;
  if (joint > 0) {
    const float reach = std::min(1.6f * joint, 0.5f * length);
    rings = {{0, std::max(joint, r)}, {reach, r + (end - r) * reach / length}};
  } else {
    rings = {{-r, 1.6f * r}, {0, 1.28f * r}, {0.8f * r, 1.1f * r}, {std::min(2.5f * r, 0.5f * length), r}};
  }
  rings.insert(rings.end(), {{length, end}, {length + 0.5f * end, 0.75f * end}, {length + 0.8f * end, 0.1f * end}});
  return rings;
}

void add_branch(MeshBuilder& builder, const Frame& frame, const PlantNode& node, float joint, float thickest) {
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
          builder.vertex(frame.at + ring.along * frame.along + ring.radius * out,
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

  void add(const Frame& frame, const LeafStyle& style) {
    for (int i = 0; i < style.count; ++i) {
      const float turn = glm::two_pi<float>() * (float(i) + 0.7f * draw()) / float(style.count);
      const float tilt = glm::radians(style.tilt) + 0.35f * (draw() - 0.5f);
      const glm::vec3 out = std::cos(turn) * frame.across + std::sin(turn) * frame.aside;
      const glm::vec3 along = glm::normalize(std::cos(tilt) * out + std::sin(tilt) * frame.along);
      const glm::vec3 side = glm::normalize(glm::cross(frame.along, out));
      const glm::vec3 normal = glm::normalize(glm::cross(along, side));
      const glm::vec3 scatter(draw() - 0.5f, draw() - 0.5f, draw() - 0.5f);
      const glm::vec3 base = frame.at + 2 * style.spread * scatter;
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

void measure(const Mesh& mesh, PlantMesh& plant) {
  for (const glm::vec3& p : mesh.positions) {
    plant.radius = std::max(plant.radius, std::hypot(p.x, p.y));
    plant.height = std::max(plant.height, p.z);
  }
}

}  // namespace

PlantMesh make_plant(const PlantGrammar& grammar, std::uint64_t seed, std::uint32_t variant) {
  const std::vector<PlantNode> nodes = grow_tree(grammar, grow_word(grammar, seed, variant), seed, variant);
  std::size_t leaf_count = 0;
  for (const PlantNode& node : nodes)
    if (node.part != PlantNode::Part::segment)
      leaf_count += static_cast<std::size_t>(node.part == PlantNode::Part::leaves ? grammar.leaves.count
                                                                                  : grammar.blossoms.count);
  if (leaf_count > most_leaves)
    throw input_error("the plant '" + grammar.kind + "' has more than 500,000 leaves: try fewer in a group");
  MeshBuilder branches, leaves;
  branches.group("branches", grammar.bark);
  leaves.group("leaves", grammar.leaves.colour);
  LeafMaker maker(leaves, Random(seed, plant_stream + 48 + variant));
  std::vector<Frame> ends(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const PlantNode& node = nodes[i];
    const Frame frame =
        grown(node.parent < 0 ? Frame{} : ends[static_cast<std::size_t>(node.parent)], node.yaw, node.pitch);
    ends[i] = frame;
    ends[i].at += node.length * frame.along;
    if (node.part == PlantNode::Part::segment)
      add_branch(branches, frame, node, node.parent < 0 ? 0 : nodes[std::size_t(node.parent)].end_radius,
                 grammar.radius);
    else
      maker.add(frame, node.part == PlantNode::Part::leaves ? grammar.leaves : grammar.blossoms);
  }
  PlantMesh plant;
  plant.kind = grammar.kind;
  plant.branches = branches.take();
  plant.leaves = leaves.take();
  plant.trunk_radius = grammar.radius;
  measure(plant.branches, plant);
  measure(plant.leaves, plant);
  return plant;
}

std::vector<PlantMesh> make_plants(const std::vector<PlantGrammar>& grammars, std::uint64_t seed) {
  std::vector<PlantMesh> plants;
  for (std::size_t kind = 0; kind < grammars.size(); ++kind)
    for (std::uint32_t variant = 0; variant < plant_variants; ++variant)
      plants.push_back(make_plant(grammars[kind], seed + 7919 * kind, variant));
  return plants;
}

}  // namespace kinescope::sim::landscape
