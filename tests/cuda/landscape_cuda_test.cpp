// The landscape on a CUDA device against the CPU, and its speed.
#include <cstdio>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "sim/core/devices.hpp"
#include "tests/sim/landscape_cases.hpp"

namespace kinescope::sim {
namespace {

using namespace landscape_cases;

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
  const auto cpu = make(settings), cuda = make(settings, Backend::cuda);
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
  const auto& one = dynamic_cast<Landscape&>(*cpu);
  const auto& other = dynamic_cast<Landscape&>(*cuda);
  EXPECT_EQ(one.cabin_place().position, other.cabin_place().position);
  EXPECT_EQ(one.terrain()->high, other.terrain()->high);
}

class DeviceBuffers : public BufferSource {
 public:
  ~DeviceBuffers() override {
    for (void* pointer : memory_) cudaFree(pointer);
  }
  MemoryKind memory_kind() const override { return MemoryKind::device; }
  Id create(std::string_view, std::size_t bytes) override {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
    memory_.push_back(pointer);
    return memory_.size() - 1;
  }
  void* address(Id id) override { return memory_[id]; }
  bool begin(void*) override { return true; }
  void end() override {}

 private:
  std::vector<void*> memory_;
};

TEST_F(LandscapeCuda, StepsAndPublishesWithoutWaiting) {
  for (const char* grid : {"96", "128", "256"}) {
    DeviceBuffers buffers;
    const auto simulation = make({std::string("smoke_grid=") + grid, "duration=1000"}, Backend::cuda);
    simulation->attach(buffers);
    simulation->advance({1e9, 600});
    simulation->publish();
    simulation->finish();
    const double before = simulation->progress().seconds;
    simulation->advance({1e9, 600});
    const double step = (simulation->progress().seconds - before) / 600;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    const auto stream = static_cast<cudaStream_t>(simulation->stream());
    cudaEventRecord(begin, stream);
    for (int i = 0; i < 20; ++i) simulation->publish();
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    std::printf("grid %s: step %.1f us, publish %.3f ms, %g particles\n", grid, 1e6 * step, milliseconds / 20,
                simulation->progress().figure);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
}

TEST_F(LandscapeCuda, Speed) {
  for (const int levels : {10, 11, 12, 13}) {
    TerrainSettings settings;
    settings.levels = levels;
    std::printf("terrain %d: %.3f ms\n", levels, 1e3 * cuda_->time_terrain(settings, 20));
  }
  for (const int nodes : {64, 128, 256, 512})
    for (const int count : {1000, 10'000, 100'000}) {
      CubicGrid grid;
      grid.nodes = nodes;
      for (const bool plume : {false, true}) {
        std::vector<Ball> balls = cloud(count, 3.0f / float(nodes));
        if (plume)  // a cone that widens upwards
          for (Ball& b : balls) {
            b.x = 0.5f + (0.12f + 0.6f * b.z) * (b.x - 0.5f);
            b.y = 0.5f + (0.12f + 0.6f * b.z) * (b.y - 0.5f);
          }
        std::size_t vertices = 0;
        const double seconds = cuda_->time_surface(grid, balls, 0.25f, 20, &vertices);
        std::printf("balls %6d in %d^3 %s: %.3f ms, %zu vertices\n", count, nodes, plume ? "plume" : "cube ",
                    1e3 * seconds, vertices);
      }
    }
  for (const int nodes : {128, 256, 512}) {
    std::size_t vertices = 0;
    const double seconds = cuda_->time_dense_surface(nodes, 20, &vertices);
    std::printf("dense %d^3: %.3f ms, %zu vertices\n", nodes, 1e3 * seconds, vertices);
  }
}

}  // namespace
}  // namespace kinescope::sim
