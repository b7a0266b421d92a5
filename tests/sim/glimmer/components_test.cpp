// Components side by side, pairs without a distance, tables of distances as people have them, great circles.
#include "sim/core/components.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/random.hpp"
#include "sim/data/great_circles.hpp"
#include "sim/glimmer/components/packing.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::components_test {
namespace {

using cases::Trial;
using glimmer::Packing, glimmer::Size;

std::shared_ptr<const Dataset> read(const std::string& text, DataRequest request) {
  const TemporaryFolder folder;
  request.source = folder.write("a.csv", text);
  return load_dataset(request);
}

// Rings, paths and pairs of different sizes.
std::string edges_of_components() {
  std::string text;
  const auto edge = [&](int c, int a, int b) {
    text +=
        "c" + std::to_string(c) + "_" + std::to_string(a) + ",c" + std::to_string(c) + "_" + std::to_string(b) + "\n";
  };
  for (int c = 0; c < 40; ++c) {
    const int size = 2 + c * c / 8;
    for (int k = 0; k + 1 < size; ++k) edge(c, k, k + 1);
    if (c % 2 && size > 3) edge(c, size - 1, 0);
  }
  return text;
}

struct Box {
  std::array<float, 3> low, high;
};

std::vector<Box> boxes_of(const Dataset& data, const std::vector<float>& layout, std::size_t L) {
  std::vector<Box> boxes;
  for (const auto& members : members_of(data.components)) {
    constexpr float far = std::numeric_limits<float>::infinity();
    Box box{{far, far, far}, {-far, -far, -far}};
    for (const std::uint32_t i : members)
      for (std::size_t l = 0; l < L; ++l) {
        box.low[l] = std::min(box.low[l], layout[L * i + l]);
        box.high[l] = std::max(box.high[l], layout[L * i + l]);
      }
    boxes.push_back(box);
  }
  return boxes;
}

void expect_none_overlaps(const Dataset& data, const std::vector<float>& layout, std::size_t L) {
  const std::vector<Box> boxes = boxes_of(data, layout, L);
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      bool beside = false;
      for (std::size_t l = 0; l < L; ++l)
        beside = beside || boxes[a].high[l] < boxes[b].low[l] || boxes[b].high[l] < boxes[a].low[l];
      EXPECT_TRUE(beside) << a << " and " << b;
    }
}

double stress_over_components(const Dataset& data, const std::vector<float>& layout) {
  double error = 0, size = 0;
  std::vector<float> row(data.points);
  for (std::size_t i = 0; i < data.points; ++i) {
    data.distances()->row(i, row);
    for (std::size_t j = 0; j < i; ++j) {
      if (data.components[i] != data.components[j]) continue;
      const double d = std::hypot(layout[2 * i] - layout[2 * j], layout[2 * i + 1] - layout[2 * j + 1]);
      error += (d - double(row[j])) * (d - double(row[j])), size += double(row[j]) * double(row[j]);
    }
  }
  return error / size;
}

TEST(Components, NoneOverlapsAndTheStressIsThatOfThePairsThatCount) {
  const auto data = read(edges_of_components(), {.reading = Reading::graph});
  ASSERT_EQ(members_of(data->components).size(), 40u);
  for (const char* algorithm : {"glimmer", "glimmer-2007", "smacof", "classic", "pivot-mds"}) {
    Trial trial(data, {"metric=graph", std::string("algorithm=") + algorithm, "maximum_iterations=100"});
    const auto simulation = trial.finished();
    const std::vector<float> layout = Trial::rows(simulation->result());
    SCOPED_TRACE(algorithm);
    expect_none_overlaps(*data, layout, 2);
    EXPECT_NEAR(trial.stress(layout), stress_over_components(*data, layout), 1e-6) << algorithm;
  }
}

TEST(Components, NoneOverlapsInAnyDimensionWhileTheyMove) {
  const auto data = read(edges_of_components(), {.reading = Reading::graph});
  for (const std::size_t L : {2u, 3u})
    for (const char* iterations : {"1", "4", "60"}) {
      SCOPED_TRACE(std::to_string(L) + " dimensions, " + iterations + " iterations");
      Trial trial(data, {"metric=graph", "output_dimensions=" + std::to_string(L),
                         std::string("maximum_iterations=") + iterations});
      const auto simulation = trial.finished();
      expect_none_overlaps(*data, Trial::rows(simulation->result()), L);
    }
}

TEST(Components, RectanglesNeverOverlapWhateverTheirSizesBecome) {
  const Random random(7, 1);
  for (std::uint64_t set = 0; set < 20; ++set) {
    const std::size_t count = 1 + set * 13;
    const auto sizes = [&](std::uint32_t again) {
      std::vector<Size> drawn;
      for (std::size_t k = 0; k < count; ++k) {
        const RandomWords words = random.words(1000 * set + k, again);
        drawn.push_back({std::exp(4.0 * uniform_float(words[0])), std::exp(4.0 * uniform_float(words[1]))});
      }
      return drawn;
    };
    const Packing packing(sizes(0));
    for (const std::uint32_t again : {0u, 1u, 2u}) {
      const std::vector<Size> size = sizes(again), corner = packing.corners(size);
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < a; ++b) {
          const bool beside =
              corner[a][0] + size[a][0] <= corner[b][0] + 1e-9 || corner[b][0] + size[b][0] <= corner[a][0] + 1e-9;
          const bool above =
              corner[a][1] - size[a][1] >= corner[b][1] - 1e-9 || corner[b][1] - size[b][1] >= corner[a][1] - 1e-9;
          EXPECT_TRUE(beside || above) << set << ": " << a << " and " << b;
        }
    }
  }
}

// Five points on a line, without the distance of the first and the third.
const std::string line_with_a_gap =
    "name,a,b,c,d,e\na,0,1,NA,3,4\nb,1,0,1,2,3\nc,NA,1,0,1,2\nd,3,2,1,0,1\ne,4,3,2,1,0\n";

// The same distances in an array, whose rows stay in the file.
TEST(MissingDistances, OfAnArrayTakeNoPart) {
  const float n = std::nanf("");
  std::vector<float> rows = {0, 1, n, 3, 4, 1, 0, 1, 2, 3, n, 1, 0, 1, 2, 3, 2, 1, 0, 1, 4, 3, 2, 1, 0};
  const TemporaryFolder folder;
  const auto load = [&] {
    return load_dataset(
        {.source = folder.write("a.npy", tests::npy_bytes("(5, 5)", rows)), .reading = Reading::matrix});
  };
  const auto data = load();
  EXPECT_EQ(data->pairs_left_out, 1u);
  Trial trial(data, {"metric=matrix"});
  EXPECT_LT(trial.stress(trial.layout()), 1e-6);
  rows[2] = 2;
  EXPECT_NE(input_message([&] { load(); }).find("row 1, column 3 and row 3, column 1 differ"), std::string::npos);
}

TEST(MissingDistances, TakeNoPart) {
  for (const Missing missing : {Missing::leave_out, Missing::mean}) {
    const auto data = read(line_with_a_gap, {.missing = missing, .reading = Reading::matrix});
    EXPECT_EQ(data->points, 5u);
    EXPECT_EQ(data->pairs_left_out, 1u);
    for (const char* algorithm : {"glimmer", "smacof"}) {
      Trial trial(data, {"metric=matrix", std::string("algorithm=") + algorithm});
      const std::vector<float> layout = trial.layout();
      EXPECT_LT(trial.stress(layout), 1e-6) << algorithm;
      EXPECT_NEAR(std::hypot(layout[0] - layout[4], layout[1] - layout[5]), 2, 0.05) << algorithm;
    }
  }
  for (const char* algorithm : {"classic", "pivot-mds", "landmark"}) {
    Trial trial(std::make_shared<Dataset>(*read(line_with_a_gap, {.reading = Reading::matrix})),
                {"metric=matrix", std::string("algorithm=") + algorithm});
    EXPECT_THROW(trial.make(), Error) << algorithm;
  }
}

std::string refusal_of(const std::string& text, DataRequest request) {
  request.reading = Reading::matrix;
  try {
    read(text, request);
  } catch (const Error& error) {
    EXPECT_FALSE(error.remedies().empty());
    return error.what();
  }
  return "";
}

TEST(MatrixOfPeople, SimilaritiesHalvesAndTriangles) {
  const std::string similar = "name,a,b,c\na,1,0.75,0.25\nb,0.75,1,0.5\nc,0.25,0.5,1\n";
  EXPECT_NE(refusal_of(similar, {}).find("--similarities"), std::string::npos);
  EXPECT_EQ(read(similar, {.reading = Reading::matrix, .similarities = true})->values(),
            (std::vector<float>{0, 0.25f, 0.75f, 0.25f, 0, 0.5f, 0.75f, 0.5f, 0}));
  EXPECT_EQ(read("1,0.75,0.25\n0,1,0.5\n0,0,1\n", {.reading = Reading::matrix, .similarities = true})->values(),
            (std::vector<float>{0, 0.25f, 0.75f, 0.25f, 0, 0.5f, 0.75f, 0.5f, 0}));
  const TemporaryFolder folder;
  const std::string array = folder.write("a.npy", tests::npy_bytes("(2, 2)", {1, 0.75f, 0.75f, 1}));
  EXPECT_EQ(load_dataset({.source = array, .reading = Reading::matrix, .similarities = true})->values(),
            (std::vector<float>{0, 0.25f, 0.25f, 0}));
  const std::string halves = "0,1,2\n3,0,4\n2,4,0\n";
  EXPECT_NE(refusal_of(halves, {}).find("--mean-of-halves"), std::string::npos);
  EXPECT_EQ(read(halves, {.reading = Reading::matrix, .mean_of_halves = true})->values()[1], 2);
  EXPECT_EQ(read("0,100.5,200\n100,0,400\n200,400,0\n", {.reading = Reading::matrix})->values()[1], 100.25f);
  const std::vector<float> whole = {0, 1, 2, 1, 0, 4, 2, 4, 0};
  EXPECT_EQ(read("0,1,2\n0,0,4\n0,0,0\n", {.reading = Reading::matrix})->values(), whole);
  EXPECT_EQ(read("0,NA,NA\n1,0,NA\n2,4,0\n", {.reading = Reading::matrix})->values(), whole);
  EXPECT_EQ(read("2e-16,1,2\n1,0,4\n2,4,0\n", {.reading = Reading::matrix})->values(), whole);
}

TEST(GreatCircles, AreExactForNeighboursAntipodesAndAcrossTheDateLine) {
  constexpr double pi = 3.14159265358979323846, radius = 6371.0088;
  EXPECT_NEAR(great_circle(0, 0, 0, 180), pi * radius, 1e-9);
  EXPECT_NEAR(great_circle(90, 0, -90, 77), pi * radius, 1e-9);
  EXPECT_NEAR(great_circle(10, 179.5, 10, -179.5), great_circle(10, 0, 10, 1), 1e-9);
  EXPECT_NEAR(great_circle(0, 0, 0, 1e-9) / (1e-9 * pi / 180 * radius), 1, 1e-12);
  EXPECT_NEAR((pi * radius - great_circle(0, 0, 1e-6, 180)) / (1e-6 * pi / 180 * radius), 1, 1e-5);
  const auto data = read("name,lat,lon\nA,60,24\nB,-36,174\n", {.reading = Reading::degrees});
  std::vector<float> row(2);
  data->distances()->row(0, row);
  EXPECT_EQ(row[1], static_cast<float>(great_circle(60, 24, -36, 174)));
  EXPECT_THROW(read("lat,lon\n91,0\n0,0\n", {.reading = Reading::degrees}), Error);
}

}  // namespace
}  // namespace kinescope::sim::components_test
