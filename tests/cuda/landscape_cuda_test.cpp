// The landscape on a CUDA device against the CPU.
#include <chrono>
#include <cuda_runtime_api.h>
#include <future>
#include <gtest/gtest.h>

#include "kinescope/executors/devices.hpp"
#include "sim/landscape/plants/plant_files.hpp"
#include "sim/landscape/terrain/terrain_formulas.hpp"
#include "tests/cuda/device_buffers.hpp"
#include "tests/sim/landscape/landscape_cases.hpp"

namespace kinescope::sim::landscape_cuda_test {
namespace {

using namespace landscape_cases;
using test_buffers::DeviceBuffers;

class LandscapeCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
    cpu_ = make_parts_cpu(0);
    cuda_ = make_parts_cuda(0);
  }
  std::unique_ptr<Parts> cpu_, cuda_;
};

TEST_F(LandscapeCuda, TerrainHasTheSameBits) {
  for (const Shape shape : {Shape::hills, Shape::island, Shape::alps})
    for (const int levels : {5, 6, 8, 11, 12}) {
      TerrainSettings settings;
      settings.levels = levels;
      settings.shape = shape;
      const TerrainData cpu = cpu_->terrain(settings), cuda = cuda_->terrain(settings);
      ASSERT_EQ(cpu.heights.size(), cuda.heights.size());
      EXPECT_TRUE(cpu.heights == cuda.heights) << levels;
      std::size_t apart = 0;
      for (std::size_t i = 0; i < cpu.normals.size(); ++i) {
        const Normal a = unpack_normal(cpu.normals[i]), b = unpack_normal(cuda.normals[i]);
        apart += !(std::fabs(a.x - b.x) < 7e-5f && std::fabs(a.y - b.y) < 7e-5f);
      }
      EXPECT_EQ(apart, 0u) << levels;
    }
}

void expect_same(const SurfaceData& cpu, const SurfaceData& cuda) {
  EXPECT_EQ(cpu.overflow, cuda.overflow);
  EXPECT_TRUE(cpu.indices == cuda.indices);
  ASSERT_EQ(cpu.positions.size(), cuda.positions.size());
  std::size_t apart = 0;
  for (std::size_t i = 0; i < cpu.positions.size(); ++i)
    apart += !(std::fabs(cpu.positions[i] - cuda.positions[i]) < 1e-6f &&
               std::fabs(cpu.normals[i] - cuda.normals[i]) < 1e-5f);
  EXPECT_EQ(apart, 0u);
}

TEST_F(LandscapeCuda, SurfacesAreTheSame) {
  for (const int nodes : {17, 50, 96}) {
    CubicGrid grid;
    grid.nodes = nodes;
    std::vector<Ball> balls = cloud(700, 0.07f);
    for (int i = 0; i < 3000; ++i) balls.push_back({0.3f, 0.4f, 0.5f + 1e-5f * float(i), 0.1f});
    const std::vector<float> field = cpu_->field(grid, balls);
    EXPECT_TRUE(field == cuda_->field(grid, balls)) << nodes;
    for (const std::size_t capacity : {std::size_t{500'000}, std::size_t{2000}}) {
      expect_same(cpu_->surface(grid, balls, 0.25f, capacity), cuda_->surface(grid, balls, 0.25f, capacity));
      expect_same(cpu_->surface(grid, field, 0.25f, capacity), cuda_->surface(grid, field, 0.25f, capacity));
    }
  }
}

TEST_F(LandscapeCuda, SurfacesAreClosed) {
  CubicGrid grid;
  grid.nodes = 128;
  const SurfaceData one = cuda_->surface(grid, cloud(1, 0.3f), 0.25f, 500'000);
  EXPECT_EQ(topology(one).open_edges, 0u);
  EXPECT_EQ(topology(one).euler(), 2);
  EXPECT_EQ(topology(cuda_->surface(grid, cloud(2000, 0.05f), 0.25f, 2'000'000)).open_edges, 0u);
}

TEST_F(LandscapeCuda, TheSameBallsAgainGiveTheSameBits) {
  CubicGrid grid;
  grid.nodes = 64;
  const SurfaceData first = cuda_->surface(grid, cloud(5000, 0.05f), 0.25f, 500'000);
  for (int i = 0; i < 5; ++i) {
    const SurfaceData again = cuda_->surface(grid, cloud(5000, 0.05f), 0.25f, 500'000);
    EXPECT_TRUE(first.positions == again.positions && first.normals == again.normals && first.indices == again.indices);
  }
}

TEST_F(LandscapeCuda, RunsAgree) {
  const std::vector<std::string> settings = {"terrain_size=8", "trees=2000", "smoke_rate=900", "duration=6"};
  const auto cpu = make_landscape(settings), cuda = make_landscape(settings, Backend::cuda);
  while (cpu->advance(Budget{})) continue;
  while (cuda->advance({0.002})) continue;
  cuda->finish();
  EXPECT_EQ(cuda->progress().iteration, 360);
  EXPECT_EQ(cpu->progress().figure, cuda->progress().figure);
  const Table a = cpu->result(), b = cuda->result();
  for (std::size_t c = 0; c < a.columns.size(); ++c)
    for (std::size_t i = 0; i < a.rows; ++i)
      ASSERT_NEAR(a.columns[c].numbers[i], b.columns[c].numbers[i], 2e-3) << a.columns[c].name << ", " << i;
  const auto value = [](const Report& report, const std::string& key) -> double {
    for (const auto& [name, entry] : report.entries)
      if (name == key) return static_cast<double>(std::get<std::int64_t>(entry));
    return -1;
  };
  const double triangles = value(cpu->report(), "smoke_triangles");
  EXPECT_GT(triangles, 1000);
  EXPECT_NEAR(value(cuda->report(), "smoke_triangles"), triangles, 0.01 * triangles);
  const auto one = cpu->snapshot(), other = cuda->snapshot();
  EXPECT_EQ(one->find<Cabin>()->place.position, other->find<Cabin>()->place.position);
  EXPECT_EQ(one->find<TerrainGrid>()->high, other->find<TerrainGrid>()->high);
}

TEST_F(LandscapeCuda, PlantsStandAtTheSamePlacesAndAreExchangedAlike) {
  const std::vector<std::string> settings = {"terrain_size=8", "trees=3000", "smoke_rate=0", "duration=2"};
  const auto cpu = make_landscape(settings), cuda = make_landscape(settings, Backend::cuda);
  HostBuffers host;
  DeviceBuffers device;
  cpu->attach(host);
  cuda->attach(device);
  cpu->publish();
  cuda->publish();
  cuda->finish();
  const auto rows = host.of("plant_instances");
  const std::vector<float> others = device.of("plant_instances");
  ASSERT_EQ(rows.size(), others.size());
  for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], others[i]) << i / 8 << ", " << i % 8;
  // From the next iteration on butterflies keep clear of the thicker trunks, also in launches that were recorded
  // before.
  cpu->advance({1e9, 60});
  cuda->advance({1e9, 60});
  PlantGrammar thick = load_plants()[1];
  thick.radius = 6;
  cpu->receive(PlantChange{1, thick});
  cuda->receive(PlantChange{1, thick});
  while (cpu->advance(Budget{})) continue;
  while (cuda->advance(Budget{})) continue;
  cuda->finish();
  const Table a = cpu->result(), b = cuda->result();
  for (std::size_t c = 0; c < a.columns.size(); ++c)
    for (std::size_t i = 0; i < a.rows; ++i)
      ASSERT_NEAR(a.columns[c].numbers[i], b.columns[c].numbers[i], 2e-3) << a.columns[c].name << ", " << i;
}

// Holds up a stream until release(): what is enqueued after it waits.
class HeldStream {
 public:
  explicit HeldStream(void* stream) {
    EXPECT_EQ(cudaLaunchHostFunc(
                  static_cast<cudaStream_t>(stream),
                  [](void* self) { static_cast<HeldStream*>(self)->released_.get_future().wait(); }, this),
              cudaSuccess);
  }
  void release() { released_.set_value(); }

 private:
  std::promise<void> released_;
};

TEST_F(LandscapeCuda, PublishesWithoutWaiting) {
  DeviceBuffers buffers;
  const auto simulation = make_landscape({"smoke_grid=128", "duration=1000"}, Backend::cuda);
  simulation->attach(buffers);
  simulation->advance({1e9, 60});
  simulation->publish();  // the first one creates what later ones reuse
  simulation->finish();
  HeldStream held(simulation->stream());
  auto published = std::async(std::launch::async, [&] { simulation->publish(); });
  EXPECT_EQ(published.wait_for(std::chrono::seconds(5)), std::future_status::ready) << "publish() waits for the device";
  held.release();
  published.get();
  simulation->finish();
}

}  // namespace
}  // namespace kinescope::sim::landscape_cuda_test
