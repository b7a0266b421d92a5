// Plants as stochastic Lindenmayer systems (A. Lindenmayer, 1968): a grammar, read from a preset file, is rewritten a
// number of times; a turtle then draws the resulting word as an n-ary tree of segments.
//
// A preset is a JSON object; assets/plants holds those of the program. All lengths in metres, angles in degrees.
//   "kind"        its name
//   "axiom"       the word that it starts from
//   "iterations"  how often the rules are applied, 1 … 16
//   "rules"       { "A": [ {"probability": 0.6, "to": "F[&A]/A"}, … ], … }; probabilities of a symbol add up to 1
//   "angles"      { "yaw", "yaw_spread", "pitch", "pitch_spread", "droop" }  of / \ and & ^; droop bends segments down
//   "segment"     { "length", "length_ratio", "length_spread", "radius", "radius_ratio" }  ratios: for each [ and !
//   "leaves"      { "count", "length", "width", "spread", "tilt", "colour": [r, g, b], "colour_spread" }
//                 of each L; also "shape": "spray" (if absent), "blade", "petal", "twig" or "needles"
//   "blossoms"    the same for each K; may be absent
//   "fruit"       { "count", "length", "width", "spread", "hang", "colour", "colour_spread" } of each O: solid bodies
//                 that hang `hang` metres below it; may be absent
//   "bark"        [r, g, b];  "twigs": the same for the thinnest branches, the bark's if absent;  "bark_look":
//                 "furrowed" (if absent) or "marked", with dark marks across the stem, as a birch has
//   Symbols: F a segment; / \ yaw by the angle, * by any angle; & ^ pitch outwards and back; [ ] begin and end a
//   branch; ! thinner and shorter from here on; L leaves; K blossoms; O fruit; other letters are only rewritten.
//   The next part sits at the end of the segment before it, unless the word gives a place on that segment: 0 … 9, so
//   many tenths of its length from its base, or @, anywhere on it. F[3&F]F: a branch at 0.3 of the first segment.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

namespace kinescope::sim::landscape {

struct PlantRule {
  char symbol = 0;
  double probability = 1;
  std::string to;
};

enum class LeafShape : std::uint8_t { spray, blade, petal, twig, needles };

struct LeafStyle {
  int count = 0;                                      // quads of a group
  float length = 0, width = 0, spread = 0, tilt = 0;  // m, m, m, degrees
  glm::vec3 colour{0.1f, 0.3f, 0.05f};
  float colour_spread = 0;
  LeafShape shape = LeafShape::spray;
};

struct FruitStyle {
  int count = 0;
  float length = 0, width = 0, spread = 0, hang = 0;  // m
  glm::vec3 colour{0.5f, 0.05f, 0.03f};
  float colour_spread = 0;
};

struct PlantGrammar {
  std::string kind, axiom;
  int iterations = 1;
  std::vector<PlantRule> rules;  // the rules of one symbol are adjacent
  float yaw = 0, yaw_spread = 0, pitch = 0, pitch_spread = 0, droop = 0;
  float length = 1, length_ratio = 1, length_spread = 0, radius = 0.1f, radius_ratio = 1;
  LeafStyle leaves, blossoms;
  FruitStyle fruit;
  glm::vec3 bark{0.2f}, twigs{0.2f};
  bool marked_bark = false;
};

// Throws Error (input), one line, that names `file`.
PlantGrammar parse_plant(const std::string& text, const std::string& file);

// A segment of the tree, or a group of leaves, blossoms or fruit on its parent.
struct PlantNode {
  enum class Part : std::uint8_t { segment, leaves, blossoms, fruit };
  std::int32_t parent = -1;          // index of a node before it; −1: grows from the ground
  float length = 0;                  // m
  float radius = 0, end_radius = 0;  // m
  float yaw = 0, pitch = 0;          // radians, from its parent's direction: around it, then away from it
  float along = 1;                   // where it sits on its parent: 0 its base, 1 its end
  Part part = Part::segment;
};

// Rewrites the axiom. Throws Error (input) if the word grows beyond 200,000 symbols.
std::string grow_word(const PlantGrammar& grammar, std::uint64_t seed, std::uint32_t variant);
// Reads the word as a tree. Parents come before their children.
std::vector<PlantNode> grow_tree(const PlantGrammar& grammar, const std::string& word, std::uint64_t seed,
                                 std::uint32_t variant);

}  // namespace kinescope::sim::landscape
