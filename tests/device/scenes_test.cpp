// Starts every scene in every variant that a user meets, as a user starts it, on the GPU of this machine. Each must
// exit without an error or an OpenGL message, and draw the software renderer's picture.
//
//   KINESCOPE_DRAW_REFERENCES=DIR device_tests    draws the software renderer's pictures (CPU, Mesa)
//   KINESCOPE_REFERENCES=DIR device_tests         compares with them
//   KINESCOPE_DEVICE_ROWS=FILE                    the file to which each test appends a row for the table
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <unistd.h>

#include "kinescope/executors/devices.hpp"
#include "tests/command_line/program.hpp"
#include "tests/device/pictures.hpp"
#include "tests/device/variants.hpp"

namespace kinescope::tests::scenes_test {
namespace {

// How much the pictures of two renderers may differ. Differences come from antialiased edges, rounding in long sums and
// the order of blending; in the landscape also from textures filtered at a slant, and from single leaves and blades of
// grass. Measured on an H200 against Mesa 22.3: docs/figures/device-h200.md has the difference of each.
struct Bounds {
  double mean, share;
};
Bounds bounds_of(const Variant& variant) {
  if (variant.scene == "landscape") return {0.02, 0.03};
  // All distances are equal. Rounding decides which directions are the principal axes, and so where the points are.
  if (variant.name == "simplex") return {0.02, 0.08};
  return {0.01, 0.02};
}

const Folder& folder() {
  static const Folder made;
  return made;
}

std::vector<Variant> all_variants() {
  static const std::string picture = [] {
    std::string path = folder().file("picture.tga");
    write_test_picture(path);
    return path;
  }();
  const std::string bundled = project_file("share/kinescope/presets");
  return variants(picture, std::filesystem::exists(bundled) ? bundled : project_file("assets/presets"));
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

enum class Way { cpu, shared, staged };
constexpr const char* way_names[] = {"cpu", "cuda", "cuda_staged"};

std::string file_name(const Variant& variant) {
  std::string name = variant.scene + "-" + variant.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

Outcome view(const Variant& variant, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"view", variant.scene, "--headless", "--debug-opengl"};
  words.insert(words.end(), variant.arguments.begin(), variant.arguments.end());
  for (const auto& [option, number] : {std::pair{"--frames", variant.frames}, {"--steps", variant.steps}})
    words.insert(words.end(), {option, std::to_string(number)});
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words, {.limit_seconds = 300});
}

// What the program must write to stderr: what it found in the file, if the scene shows one; else nothing.
std::string expected_errors(const Variant& variant) {
  const bool shows_file = std::ranges::any_of(variant.arguments, [](auto& word) { return word.ends_with(".tga"); });
  return shows_file ? "kinescope: picture.tga: 6,144 rows × 5 columns, TGA picture, 96 x 64 pixels\n"
                      "  the points are the pixels: x, y, r, g, b\n  no column colours the points\n"
                    : "";
}

// The median of a column over the second half of the frames in which the simulation advanced (of all frames, if it
// never advanced); NaN if there are fewer than ten such frames.
double median_of(const std::string& path, const std::string& column) {
  std::istringstream text(read_file(path));
  std::string line, cell;
  std::getline(text, line);
  const auto cells = [](const std::string& row) {
    std::vector<std::string> found;
    std::istringstream stream(row);
    for (std::string each; std::getline(stream, each, ',');) found.push_back(each);
    return found;
  };
  const std::vector<std::string> names = cells(line);
  const auto place = [&](const std::string& name) {
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::vector<double> moving, all;
  while (std::getline(text, line)) {
    const std::vector<std::string> row = cells(line);
    all.push_back(std::stod(row.at(place(column))));
    if (row.at(place("iterations")) != "0") moving.push_back(all.back());
  }
  std::vector<double>& values = moving.empty() ? all : moving;
  constexpr std::size_t fewest = 10;
  if (values.size() < fewest) return NAN;
  values.erase(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2));
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Appends the row in one call, because several processes may share the file.
void add_row(const std::vector<std::string>& cells) {
  const std::string path = environment("KINESCOPE_DEVICE_ROWS");
  if (path.empty()) return;
  std::string row;
  for (const std::string& cell : cells) row += (row.empty() ? "" : "|") + cell;
  row += '\n';
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ASSERT_GE(file, 0) << path;
  EXPECT_EQ(write(file, row.data(), row.size()), ssize_t(row.size()));
  close(file);
}

std::string text_of(double value, const char* format) {
  if (std::isnan(value)) return "";
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

class Scenes : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    std::string why;
    has_device_ = !sim::cuda_devices(&why).empty();
    if (!has_device_ && environment("KINESCOPE_DRAW_REFERENCES").empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
  void draw_reference(const std::string& to) const {
    Variant variant = GetParam();
    if (variant.only_cuda) variant.arguments.resize(variant.arguments.size() - 2);
    const std::string picture = (std::filesystem::path(to) / (file_name(variant) + ".png")).string();
    const Outcome outcome = view(variant, {"--backend", "cpu", "--size", "640x360", "--screenshot", picture});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
  }
  void compare(Way way) const;
  bool has_device_ = false;
};

void Scenes::compare(Way way) const {
  const Variant& variant = GetParam();
  if (way == Way::cpu && variant.only_cuda) GTEST_SKIP() << "only on CUDA";
  const std::string name = file_name(variant) + "-" + way_names[int(way)], picture = folder().file(name + ".png");
  std::vector<std::string> more = {"--backend", way == Way::cpu ? "cpu" : "cuda", "--size", "640x360", "--screenshot",
                                   picture};
  if (way == Way::staged) more.push_back("--staged");
  const Outcome outcome = view(variant, more);
  std::optional<Difference> found;
  const Bounds bounds = bounds_of(variant);
  const std::string reference =
      (std::filesystem::path(environment("KINESCOPE_REFERENCES")) / (file_name(variant) + ".png")).string();
  if (outcome.status == 0 && std::filesystem::exists(reference)) found = difference(picture, reference, variant.block);
  const bool alike = !found || (found->mean <= bounds.mean && found->share <= bounds.share);
  if (const std::string keep = environment("KINESCOPE_KEEP_PICTURES"); !keep.empty() && outcome.status == 0)
    std::filesystem::copy_file(picture, std::filesystem::path(keep) / (name + ".png"),
                               std::filesystem::copy_options::overwrite_existing);
  add_row({"picture", variant.scene, variant.name, way_names[int(way)],
           outcome.status != 0 || outcome.errors != expected_errors(variant) ? "FAILED"
           : alike                                                           ? "ok"
                                                                             : "UNLIKE",
           found ? text_of(found->mean, "%.4f") : "", found ? text_of(found->share, "%.4f") : ""});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, expected_errors(variant));
  if (outcome.status != 0) return;
  if (!found) GTEST_SKIP() << "no reference: " << reference;
  EXPECT_LE(found->mean, bounds.mean);
  EXPECT_LE(found->share, bounds.share);
}

TEST_P(Scenes, Cpu) {
  const std::string references = environment("KINESCOPE_DRAW_REFERENCES");
  if (references.empty())
    compare(Way::cpu);
  else
    draw_reference(references);
}
TEST_P(Scenes, Cuda) {
  if (has_device_) compare(Way::shared);
}
TEST_P(Scenes, CudaStaged) {
  if (has_device_) compare(Way::staged);
}

// Run these tests one at a time, so that nothing else uses the GPU.
TEST_P(Scenes, FrameTime) {
  if (!has_device_) return;
  Variant variant = GetParam();
  variant.frames = 200;  // a GPU that has been idle takes a while to reach its full clock rate
  variant.steps = 1;
  const std::string timings = folder().file(file_name(variant) + ".csv");
  const Outcome outcome = view(variant, {"--backend", "cuda", "--size", "1920x1080", "--timings", timings});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const double gpu_ms = median_of(timings, "gpu_ms"), sim_ms = median_of(timings, "sim_ms");
  add_row({"time", variant.scene, variant.name, text_of(gpu_ms - sim_ms, "%.2f"), text_of(sim_ms, "%.2f"),
           text_of(median_of(timings, "cpu_ms"), "%.2f")});
}

INSTANTIATE_TEST_SUITE_P(Every, Scenes, testing::ValuesIn(all_variants()),
                         [](const auto& tested) { return file_name(tested.param); });

}  // namespace
}  // namespace kinescope::tests::scenes_test
