#include "kinescope/landscape/plant_grammar.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <numbers>

#include "kinescope/data/json_file.hpp"
#include "kinescope/error.hpp"
#include "kinescope/random.hpp"
#include "sim/landscape/plants/placement.hpp"

namespace kinescope::sim::landscape {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t longest_word = 200'000;
constexpr float degree = glm::radians(1.0f);

std::string shortest(double value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Reads the members of an object, each within limits, and reports unknown ones.
class Reader {
 public:
  Reader(const Json& object, std::string file, std::string where)
      : object_(object), file_(std::move(file)), where_(std::move(where)) {
    if (!object_.is_object()) fail("expected an object");
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw file_error(file_, (where_.empty() ? "" : where_ + ": ") + message);
  }
  const Json& member(const char* name) {
    known_.emplace_back(name);
    const auto found = object_.find(name);
    if (found == object_.end()) fail("'" + std::string(name) + "' is missing");
    return *found;
  }
  bool has(const char* name) const { return object_.contains(name); }

  float number(const char* name, double low, double high) {
    const Json& value = member(name);
    if (!value.is_number() || !(value.get<double>() >= low && value.get<double>() <= high))
      fail("'" + std::string(name) + "': expected a number from " + shortest(low) + " to " + shortest(high) +
           ", found " + value.dump().substr(0, 40));
    return value.get<float>();
  }
  std::string text(const char* name) {
    const Json& value = member(name);
    if (!value.is_string() || value.get<std::string>().empty())
      fail("'" + std::string(name) + "': expected a text that is not empty");
    return value.get<std::string>();
  }
  glm::vec3 colour(const char* name) {
    const Json& value = member(name);
    glm::vec3 colour(0);
    bool good = value.is_array() && value.size() == 3;
    for (int c = 0; good && c < 3; ++c) {
      const Json& part = value[static_cast<std::size_t>(c)];
      good = part.is_number() && part.get<double>() >= 0 && part.get<double>() <= 1;
      if (good) colour[c] = part.get<float>();
    }
    if (!good) fail("'" + std::string(name) + "': expected three numbers from 0 to 1");
    return colour;
  }
  // The index of the text among `options`; 0 if there is no such member.
  std::size_t choice(const char* name, std::initializer_list<const char*> options) {
    if (!has(name)) return 0;
    const Json& value = member(name);
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const char* option) { return value == option; });
    if (found == options.end()) {
      std::string list;
      for (const char* option : options) list += (list.empty() ? "" : ", ") + std::string(option);
      fail("'" + std::string(name) + "': expected one of " + list);
    }
    return static_cast<std::size_t>(found - options.begin());
  }
  Reader object(const char* name) { return Reader(member(name), file_, where_.empty() ? name : where_ + "." + name); }
  void done() const {
    for (const auto& [name, value] : object_.items())
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) fail("unknown name '" + name + "'");
  }

 private:
  const Json& object_;
  std::string file_, where_;
  std::vector<std::string> known_;
};

void check_word(const Reader& reader, const std::string& name, const std::string& word) {
  int depth = 0;
  for (const char c : word) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!letter && std::string("/\\*&^[]!@0123456789").find(c) == std::string::npos)
      reader.fail("'" + name + "': unknown symbol '" + std::string(1, c) + "'");
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (depth < 0) break;
  }
  if (depth != 0) reader.fail("'" + name + "': '[' and ']' do not match");
}

void read_rules(const Reader& reader, const Json& rules, PlantGrammar& grammar) {
  for (const auto& [symbol, options] : rules.items()) {
    if (symbol.size() != 1 || !std::isalpha(static_cast<unsigned char>(symbol[0])))
      reader.fail("rules are for single letters, found '" + symbol + "'");
    if (!options.is_array() || options.empty()) reader.fail("'" + symbol + "': expected a list of rules");
    double sum = 0;
    for (const Json& option : options) {
      const bool good = option.is_object() && option.size() == 2 && option.contains("probability") &&
                        option["probability"].is_number() && option.contains("to") && option["to"].is_string();
      if (!good) reader.fail("'" + symbol + "': each rule needs 'probability', a number, and 'to', a text");
      const PlantRule rule{symbol[0], option["probability"].get<double>(), option["to"].get<std::string>()};
      if (!(rule.probability >= 0 && rule.probability <= 1))
        reader.fail("'" + symbol + "': expected probabilities from 0 to 1, found " + option["probability"].dump());
      check_word(reader, symbol, rule.to);
      sum += rule.probability;
      grammar.rules.push_back(rule);
    }
    if (std::fabs(sum - 1) > 1e-6)
      reader.fail("'" + symbol + "': probabilities add up to " + shortest(sum) + ", expected 1");
  }
}

// Reads the members that groups of leaves and of fruit have in common.
template <class Style>
void read_group(Reader& reader, Style& style, int most, float longest) {
  style.count = static_cast<int>(reader.number("count", 0, most));
  style.length = reader.number("length", 0.001, longest);
  style.width = reader.number("width", 0.001, longest);
  style.spread = reader.number("spread", 0, 20);
  style.colour = reader.colour("colour");
  style.colour_spread = reader.number("colour_spread", 0, 1);
}

LeafStyle read_leaves(Reader reader) {
  LeafStyle style;
  read_group(reader, style, 200, 20);
  style.tilt = reader.number("tilt", -90, 90);
  style.shape = static_cast<LeafShape>(reader.choice("shape", {"spray", "blade", "petal", "twig", "needles"}));
  reader.done();
  return style;
}

FruitStyle read_fruit(Reader reader) {
  FruitStyle style;
  read_group(reader, style, 50, 5);
  style.hang = reader.number("hang", 0, 5);
  reader.done();
  return style;
}

}  // namespace

PlantGrammar parse_plant(const std::string& text, const std::string& file) {
  const Json json = parse_json(file, text);
  PlantGrammar grammar;
  Reader reader(json, file, "");
  grammar.kind = reader.text("kind");
  grammar.axiom = reader.text("axiom");
  check_word(reader, "axiom", grammar.axiom);
  grammar.iterations = static_cast<int>(reader.number("iterations", 1, 16));
  const Json& rules = reader.member("rules");
  if (!rules.is_object()) reader.fail("'rules': expected an object");
  read_rules(reader.object("rules"), rules, grammar);
  Reader angles = reader.object("angles");
  grammar.yaw = angles.number("yaw", -360, 360) * degree;
  grammar.yaw_spread = angles.number("yaw_spread", 0, 360) * degree;
  grammar.pitch = angles.number("pitch", -180, 180) * degree;
  grammar.pitch_spread = angles.number("pitch_spread", 0, 180) * degree;
  grammar.droop = angles.number("droop", -90, 90) * degree;
  angles.done();
  Reader segment = reader.object("segment");
  grammar.length = segment.number("length", 0.001, 100);
  grammar.length_ratio = segment.number("length_ratio", 0.01, 2);
  grammar.length_spread = segment.number("length_spread", 0, 1);
  grammar.radius = segment.number("radius", 0.0001, 10);
  grammar.radius_ratio = segment.number("radius_ratio", 0.01, 1);
  segment.done();
  grammar.leaves = read_leaves(reader.object("leaves"));
  if (reader.has("blossoms")) grammar.blossoms = read_leaves(reader.object("blossoms"));
  if (reader.has("fruit")) grammar.fruit = read_fruit(reader.object("fruit"));
  grammar.bark = reader.colour("bark");
  grammar.twigs = reader.has("twigs") ? reader.colour("twigs") : grammar.bark;
  grammar.marked_bark = reader.choice("bark_look", {"furrowed", "marked"}) == 1;
  reader.done();
  return grammar;
}

std::string grow_word(const PlantGrammar& grammar, std::uint64_t seed, std::uint32_t variant) {
  const Random random(seed, plant_stream + 16 + variant);
  std::uint64_t drawn = 0;
  std::string word = grammar.axiom;
  for (int iteration = 0; iteration < grammar.iterations; ++iteration) {
    std::string next;
    for (const char symbol : word) {
      const PlantRule* chosen = nullptr;
      double left = 0;
      for (const PlantRule& rule : grammar.rules) {
        if (rule.symbol != symbol) continue;
        if (!chosen) left = random.uniform64(drawn++);
        chosen = &rule;
        left -= rule.probability;
        if (left < 0) break;
      }
      chosen ? next.append(chosen->to) : next.append(1, symbol);
      if (next.size() > longest_word)
        throw input_error("the plant '" + grammar.kind + "' grows beyond 200,000 symbols: try fewer iterations");
    }
    word = std::move(next);
  }
  return word;
}

std::vector<PlantNode> grow_tree(const PlantGrammar& grammar, const std::string& word, std::uint64_t seed,
                                 std::uint32_t variant) {
  struct Turtle {
    std::int32_t node = -1;
    float yaw = 0, pitch = 0, along = 1;
    float length, radius;
  };
  const Random random(seed, plant_stream + 32 + variant);
  std::uint64_t drawn = 0;
  const auto spread = [&] { return 2 * random.uniform(drawn++) - 1; };
  Turtle turtle{-1, 0, 0, 1, grammar.length, grammar.radius};
  std::vector<Turtle> stack;
  std::vector<PlantNode> nodes;
  const auto add = [&](PlantNode::Part part, float length, float end_radius) {
    nodes.push_back({turtle.node, length, turtle.radius, end_radius, turtle.yaw, turtle.pitch, turtle.along, part});
    turtle.yaw = turtle.pitch = 0;
    turtle.along = 1;
  };
  for (const char symbol : word) switch (symbol) {
      case 'F': {
        const float end = turtle.radius * (0.5f + 0.5f * grammar.radius_ratio);
        turtle.pitch += grammar.droop * (turtle.node < 0 ? 0.0f : 1.0f);
        add(PlantNode::Part::segment, turtle.length * (1 + grammar.length_spread * spread()), end);
        turtle.node = static_cast<std::int32_t>(nodes.size()) - 1;
        turtle.radius = end;
        break;
      }
      case '/':
        turtle.yaw += grammar.yaw + grammar.yaw_spread * spread();
        break;
      case '\\':
        turtle.yaw -= grammar.yaw + grammar.yaw_spread * spread();
        break;
      case '*':
        turtle.yaw += std::numbers::pi_v<float> * spread();
        break;
      case '&':
        turtle.pitch += grammar.pitch + grammar.pitch_spread * spread();
        break;
      case '^':
        turtle.pitch -= grammar.pitch + grammar.pitch_spread * spread();
        break;
      case '!':
        turtle.radius *= grammar.radius_ratio;
        turtle.length *= grammar.length_ratio;
        break;
      case '[':
        stack.push_back(turtle);
        turtle.radius *= grammar.radius_ratio;
        turtle.length *= grammar.length_ratio;
        break;
      case ']':
        turtle = stack.back();
        stack.pop_back();
        break;
      case 'L':
        add(PlantNode::Part::leaves, 0, 0);
        break;
      case 'K':
        add(PlantNode::Part::blossoms, 0, 0);
        break;
      case 'O':
        add(PlantNode::Part::fruit, 0, 0);
        break;
      case '@':
        turtle.along = random.uniform(drawn++);
        break;
      default:
        if (symbol >= '0' && symbol <= '9') turtle.along = 0.1f * static_cast<float>(symbol - '0');
        break;
    }
  return nodes;
}

}  // namespace kinescope::sim::landscape
