// Tests of the landscape as a whole, and of its files.
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "tests/sim/landscape/landscape_cases.hpp"

namespace kinescope::sim::landscape_test {
namespace {

using namespace landscape_cases;

struct Standing {
  std::unique_ptr<Simulation> simulation;
  HostBuffers buffers;
  std::vector<float> heights;
  TerrainHeights on;

  explicit Standing(const std::vector<std::string>& settings) : simulation(make_landscape(settings)) {
    simulation->attach(buffers);
    simulation->publish();
    const auto published = buffers.of("heights");
    heights.assign(published.begin(), published.end());
    const auto* terrain = fact<TerrainGrid>();
    on = {heights.data(), terrain->size, terrain->spacing, 1 / terrain->spacing};
  }
  // Valid until the next call that changes the simulation.
  template <class T>
  const T* fact() const {
    return simulation->snapshot()->find<T>();
  }
};

TEST(Landscape, ButterfliesKeepOutOfTheGroundAndTheCabin) {
  Standing standing({"terrain_size=8", "butterflies=24", "trees=4000", "smoke_rate=0", "duration=100000"});
  const CabinPlace cabin = standing.fact<Cabin>()->place;
  const float c = std::cos(cabin.yaw), s = std::sin(cabin.yaw);
  std::size_t checked = 0, near_cabin = 0, near_another = 0;
  std::set<float> looks;
  double flown = 0;
  std::vector<float> before;
  for (int step = 0; step < 100'000; step += 4) {
    standing.simulation->advance({1e9, 4});
    const Table table = standing.simulation->result();
    const auto value = [&](std::size_t column, std::size_t i) { return table.columns[column].numbers[i]; };
    for (std::size_t i = 0; i < table.rows; ++i) {
      const float x = value(0, i), y = value(1, i), z = value(2, i);
      ASSERT_GE(z, standing.on.upper_height(x, y) + 0.25f) << step;
      const float dx = x - cabin.position.x, dy = y - cabin.position.y;
      const float local_x = std::fabs(c * dx + s * dy), local_y = std::fabs(c * dy - s * dx);
      ASSERT_FALSE(local_x < cabin.half_sizes.x && local_y < cabin.half_sizes.y &&
                   z < cabin.position.z + 2 * cabin.half_sizes.z)
          << step;
      near_cabin += local_x < cabin.half_sizes.x + 3 && local_y < cabin.half_sizes.y + 3;
      looks.insert(value(6, i));
      for (std::size_t j = 0; j < i; ++j)
        near_another += std::hypot(x - value(0, j), y - value(1, j), z - value(2, j)) < 0.1f;
      if (!before.empty() && i == 0) flown += std::hypot(x - before[0], y - before[1], z - before[2]);
      ++checked;
    }
    before = {value(0, 0), value(1, 0), value(2, 0)};
  }
  EXPECT_EQ(checked, 600'000u);
  EXPECT_EQ(looks.size(), 3u);
  EXPECT_GT(flown, 1000);       // m
  EXPECT_GT(near_cabin, 100u);  // otherwise the test would prove little
  EXPECT_LT(near_another, checked / 10'000);
}

TEST(Landscape, PublishesWhatItPromises) {
  Standing standing({"terrain_size=7", "smoke_grid=48", "trees=2000"});
  standing.simulation->advance({1e9, 300});
  for (const char* grid : {"48", "30", "150"}) {
    standing.simulation->set("smoke_grid", grid);
    standing.simulation->publish();
    const auto draw = standing.buffers.of<std::uint32_t>("smoke_draw");
    const auto indices = standing.buffers.of<std::uint32_t>("smoke_indices");
    EXPECT_EQ((*standing.fact<SmokePlace>()).grid, std::stoi(grid));
    EXPECT_GT(draw[0], 300u);
    EXPECT_EQ(draw[0] % 3, 0u);
    EXPECT_EQ(draw[1], 1u);
    EXPECT_GT(draw[6], 1000u);
    EXPECT_EQ(draw[7], 0u);
    SurfaceData surface;
    for (std::size_t i = 0; i < 3 * draw[5]; ++i) {
      surface.positions.push_back(standing.buffers.of("smoke_positions")[i]);
      ASSERT_TRUE(std::isfinite(surface.positions.back()) && std::isfinite(standing.buffers.of("smoke_normals")[i]));
    }
    surface.indices.assign(indices.begin(), indices.begin() + draw[0]);
    for (const std::uint32_t index : surface.indices) ASSERT_LT(index, draw[5]);
    float largest = 0;
    const std::size_t nodes = std::size_t(field_grid(std::stoi(grid)));
    for (std::size_t i = 0; i < nodes * nodes * nodes; ++i)
      largest = std::max(largest, standing.buffers.of("smoke_field")[i]);
    EXPECT_GT(largest, smoke_iso);
  }
  const auto plants = standing.simulation->snapshot()->share<PlantMeshes>();
  std::set<int> kinds;
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto row = [&](std::size_t column) { return standing.buffers.of("plant_instances")[8 * i + column]; };
    if (row(4) == 0) continue;
    kinds.insert(static_cast<int>(row(5)) / plant_variants);
    ASSERT_LT(static_cast<std::size_t>(row(5)), plants->meshes.size());
    ASSERT_NEAR(row(2), standing.on.height(row(0), row(1)), 0.1);
    ASSERT_GT(row(2), 60);
  }
  EXPECT_EQ(kinds.size(), 8u);
}

TEST(Landscape, WithoutTreesNoPlantStands) {
  const Standing standing({"terrain_size=5", "trees=0"});
  const auto instances = standing.buffers.of("plant_instances");
  ASSERT_EQ(instances.size() % 8, 0u);
  for (std::size_t i = 0; i < instances.size(); i += 8) EXPECT_EQ(instances[i + 4], 0);
}

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class LandscapeFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("landscape_test_" + std::to_string(getpid()));
};

const std::vector<std::string> small = {"terrain_size=6", "smoke_grid=32", "trees=60", "duration=3"};

TEST_F(LandscapeFiles, TheSeedMakesTheMeshes) {
  const auto written = [&](std::uint64_t seed, int threads, const std::string& name) {
    const auto simulation = make_landscape(small, Backend::cpu, threads, seed);
    while (simulation->advance({1e9, 50})) continue;
    write_output(*simulation, "out", path(name));
    return file_content(path(name));
  };
  const std::string first = written(1, 1, "a.ply");
  EXPECT_EQ(first, written(1, 2, "b.ply"));
  EXPECT_EQ(first, written(1, 7, "c.ply"));
  EXPECT_NE(first, written(2, 2, "d.ply"));
}

TEST_F(LandscapeFiles, AnObjFileHoldsSixGroups) {
  const auto simulation = make_landscape(small);
  while (simulation->advance(Budget{})) continue;
  write_output(*simulation, "out", path("all.obj"));
  std::ifstream file(path("all.obj"));
  std::map<std::string, std::size_t> triangles;
  std::string line, group;
  std::size_t vertices = 0, normals = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "g") words >> group;
    float x = NAN, y = NAN, z = NAN;
    if (kind == "v" || kind == "vn") {
      ASSERT_TRUE(words >> x >> y >> z) << line;
      ASSERT_TRUE(std::isfinite(x) && std::isfinite(y) && std::isfinite(z)) << line;
      ++(kind == "v" ? vertices : normals);
    }
    if (kind != "f") continue;
    ++triangles[group];
    std::string corner;
    for (int k = 0; k < 3; ++k) {
      ASSERT_TRUE(words >> corner) << line;
      const std::size_t index = std::stoul(corner);
      ASSERT_TRUE(index >= 1 && index <= vertices) << line;
      ASSERT_EQ(corner, std::to_string(index) + "//" + std::to_string(index));
    }
  }
  EXPECT_EQ(vertices, normals);
  EXPECT_EQ(triangles.size(), 6u);
  EXPECT_EQ(triangles["terrain"], 2u * 64 * 64);
  EXPECT_EQ(triangles["water"], 2u);
  EXPECT_GT(triangles["smoke"], 50u);
  EXPECT_GT(triangles["plants"], 1000u);
  EXPECT_EQ(triangles["cabin"], simulation->snapshot()->find<Cabin>()->mesh->triangles());
  EXPECT_EQ(triangles["butterflies"], 60u * 4);
}

TEST_F(LandscapeFiles, APlyFileHoldsAllOfThem) {
  const auto simulation = make_landscape(small);
  while (simulation->advance(Budget{})) continue;
  write_output(*simulation, "out", path("all.ply"));
  const std::string content = file_content(path("all.ply"));
  const std::size_t header = content.find("end_header\n") + 11;
  const auto number_after = [&](const std::string& word) {
    return std::stoul(content.substr(content.find(word) + word.size()));
  };
  const std::size_t vertices = number_after("element vertex "), faces = number_after("element face ");
  ASSERT_EQ(content.size(), header + vertices * 27 + faces * 13);
  for (std::size_t f = 0; f < faces; ++f) {
    const char* face = content.data() + header + vertices * 27 + f * 13;
    ASSERT_EQ(face[0], 3);
    std::uint32_t corner[3];
    std::memcpy(corner, face + 1, sizeof corner);
    for (const std::uint32_t index : corner) ASSERT_LT(index, vertices);
  }
  EXPECT_THROW(write_output(*simulation, "out", path("all.stl")), Error);
  EXPECT_THROW(write_output(*simulation, "history", path("all.obj")), Error);
}

// Before a run the program shows how large its file will be.
TEST_F(LandscapeFiles, AreAboutAsLargeAsWasSaid) {
  const auto simulation = make_landscape({"terrain_size=7", "smoke_grid=32", "trees=200", "duration=1"});
  const Simulation& large = *simulation;
  while (simulation->advance(Budget{})) continue;
  for (const std::string name : {"all.obj", "all.ply"}) {
    const double said = large.bytes_of("out", path(name));
    write_output(*simulation, "out", path(name));
    const double is = double(std::filesystem::file_size(path(name)));
    EXPECT_NEAR(said / is, 1, 0.15) << name << " " << is;
  }
  EXPECT_EQ(large.bytes_of("out", path("butterflies.csv")), 0);
}

TEST(Landscape, EndsAtItsDurationAndGoesOnWithALongerOne) {
  const auto simulation = make_landscape({"terrain_size=5", "trees=10", "duration=0.5"});
  EXPECT_TRUE(simulation->advance({1e9, 29}));
  EXPECT_FALSE(simulation->advance(Budget{}));
  EXPECT_EQ(simulation->progress().iteration, 30);
  simulation->set("duration", "1");
  EXPECT_FALSE(simulation->advance(Budget{}));
  EXPECT_EQ(simulation->progress().iteration, 60);
  const Table before = simulation->result();
  simulation->restart();
  while (simulation->advance({1e9, 7})) continue;
  const Table after = simulation->result();
  for (std::size_t c = 0; c < before.columns.size(); ++c)
    EXPECT_EQ(before.columns[c].numbers, after.columns[c].numbers);
}

TEST(Landscape, SmokeIsBornAtItsRateAndBlowsWithTheWind) {
  const auto centre = [](const std::string& direction) {
    Standing standing({"terrain_size=6", "trees=10", "smoke_rate=0", "wind_speed=6", "wind_direction=" + direction});
    standing.simulation->set("smoke_rate", "400");  // changed live, so that no smoke has risen at the start
    standing.simulation->advance({1e9, 120});
    EXPECT_EQ(standing.simulation->progress().figure, 400 * 0.05f * 39);  // a batch each 0.05 s; none has left yet
    standing.simulation->publish();
    const auto draw = standing.buffers.of<std::uint32_t>("smoke_draw");
    double x = 0, y = 0;
    for (std::size_t v = 0; v < draw[5]; ++v) {
      x += standing.buffers.of("smoke_positions")[3 * v] / double(draw[5]);
      y += standing.buffers.of("smoke_positions")[3 * v + 1] / double(draw[5]);
    }
    const CabinPlace cabin = standing.fact<Cabin>()->place;
    return glm::dvec2(x - cabin.chimney_mouth.x, y - cabin.chimney_mouth.y);
  };
  EXPECT_GT(centre("270").x, 0.8);  // wind from the west blows east
  EXPECT_LT(centre("0").y, -0.8);
}

// The smoke's surface as it is published now.
SurfaceData smoke_of(Standing& standing) {
  standing.simulation->publish();
  const auto draw = standing.buffers.of<std::uint32_t>("smoke_draw");
  const auto positions = standing.buffers.of("smoke_positions");
  const auto indices = standing.buffers.of<std::uint32_t>("smoke_indices");
  SurfaceData surface;
  surface.positions.assign(positions.begin(), positions.begin() + 3 * draw[5]);
  surface.indices.assign(indices.begin(), indices.begin() + draw[0]);
  surface.overflow = draw[7] != 0;
  return surface;
}

// The surface is closed at the chimney, at the cube's sides and at its top, whatever the size of the metaballs and the
// wind.
TEST(Landscape, TheSmokesSurfaceIsClosedAtEveryStep) {
  const std::vector<std::vector<std::string>> extremes = {
      {},
      {"smoke_radius=5"},
      {"smoke_radius=0.1", "smoke_grid=150", "smoke_rate=3000"},
      {"wind_speed=30"},
      {"wind_speed=0", "smoke_radius=3"},
      {"smoke_rate=20000", "smoke_grid=24", "wind_speed=12"},
      {"smoke_grid=16", "smoke_radius=2", "wind_direction=0"},
  };
  for (const std::vector<std::string>& extreme : extremes) {
    std::vector<std::string> settings = {"terrain_size=5", "trees=10", "butterflies=0", "smoke_grid=40",
                                         "duration=100000"};
    settings.insert(settings.end(), extreme.begin(), extreme.end());
    Standing standing(settings);
    std::size_t triangles = 0;
    float lowest = 1e9f;
    const glm::vec3 mouth = standing.fact<Cabin>()->place.chimney_mouth;
    for (int step = 0; step < 9; ++step) {
      const SurfaceData surface = smoke_of(standing);
      ASSERT_FALSE(surface.overflow);
      ASSERT_EQ(open_edges(surface), 0u) << testing::PrintToString(extreme) << " step " << step;
      triangles += surface.indices.size() / 3;
      for (std::size_t v = 2; v < surface.positions.size(); v += 3) lowest = std::min(lowest, surface.positions[v]);
      standing.simulation->advance({1e9, step < 6 ? 1 : 11});
    }
    EXPECT_GT(triangles, 1000u) << testing::PrintToString(extreme);
    EXPECT_GE(lowest, mouth.z);
    EXPECT_LT(lowest, mouth.z + 3 * smoke_cube_side / 15) << "it begins at the chimney";
  }
}

// A view does not begin with a chimney that is just being lit. At the start there is as much smoke, and as high, as
// much later, when all of the first smoke has gone.
TEST(Landscape, BeginsWithSmokeThatHasRisen) {
  for (const char* wind : {"wind_speed=0", "wind_speed=3", "wind_speed=12"}) {
    Standing standing({"terrain_size=5", "trees=10", "butterflies=0", "smoke_grid=40", "duration=100000", wind});
    struct Plume {
      double living, height;
      bool operator==(const Plume&) const = default;
    };
    const auto plume = [&] {
      double top = 0;
      const SurfaceData surface = smoke_of(standing);
      for (std::size_t v = 2; v < surface.positions.size(); v += 3) top = std::max(top, double(surface.positions[v]));
      return Plume{double(standing.buffers.of<std::uint32_t>("smoke_draw")[6]),
                   top - double(standing.fact<Cabin>()->place.chimney_mouth.z)};
    };
    const Plume first = plume();
    Plume least{1e9, 1e9}, most{0, 0};
    for (int i = 0; i < 6; ++i) {
      standing.simulation->advance({1e9, i == 0 ? 1300 : 120});
      const Plume later = plume();
      least = {std::min(least.living, later.living), std::min(least.height, later.height)};
      most = {std::max(most.living, later.living), std::max(most.height, later.height)};
    }
    EXPECT_GT(first.living, 0.9 * least.living) << wind;
    EXPECT_LT(first.living, 1.1 * most.living) << wind;
    EXPECT_GT(first.height, 0.85 * least.height) << wind;
    EXPECT_LT(first.height, 1.15 * most.height) << wind;
    standing.simulation->restart();
    EXPECT_TRUE(plume() == first) << wind;
  }
}

}  // namespace
}  // namespace kinescope::sim::landscape_test
