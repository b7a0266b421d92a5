// Buffers shared between CUDA and OpenGL on a CUDA device: shared and staged buffers give the same picture.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <cuda_runtime_api.h>
#include <random>
#include <string>

#include "render/gl/timer.hpp"
#include "render/points/bounds.hpp"
#include "render/shared/shared_buffers.hpp"
#include "tests/render/gl_test.hpp"

namespace kinescope::render::shared_buffers_cuda_test {
namespace {

class CudaBuffersTest : public GlTest {
 protected:
  void SetUp() override {
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess || count == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "no CUDA device: " << cudaGetErrorString(status);
    }
    GlTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    if (stream) {
      EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    }
    GlTest::TearDown();
    if (context) {
      EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
  }
  HeadlessOptions options() const override { return {.cuda_device = 0, .debug = true}; }

  std::unique_ptr<SharedBuffers> make(bool staged, bool wait = true) {
    return SharedBuffers::make(
        {.memory = sim::MemoryKind::device, .cuda_device = 0, .force_staging = staged, .wait_for_copies = wait});
  }
  // Publishes: copies the host's data to the buffer's address, on the stream.
  void write(SharedBuffers& buffers, sim::BufferSource::Id id, const void* data, std::size_t bytes) {
    ASSERT_EQ(cudaMemcpyAsync(buffers.address(id), data, bytes, cudaMemcpyHostToDevice, stream), cudaSuccess);
  }

  cudaStream_t stream = nullptr;
};

class SoftwareCudaBuffersTest : public CudaBuffersTest {
 protected:
  HeadlessOptions options() const override { return {.cuda_device = 0, .software = true, .debug = true}; }
};

std::vector<float> random_positions(std::size_t count, int dimensions, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, 0.35f);
  std::vector<float> positions(count * std::size_t(dimensions));
  for (float& value : positions) value = normal(generator);
  return positions;
}

TEST_F(CudaBuffersTest, SharingWorksOnTheGpuThatDraws) {
  if (context->is_software()) GTEST_SKIP() << "OpenGL draws with " << context->info().renderer;
  const auto buffers = make(false);
  EXPECT_EQ(buffers->path(), SharedPath::cuda_shared) << buffers->reason();
  EXPECT_EQ(buffers->reason(), "");
  EXPECT_EQ(buffers->memory_kind(), sim::MemoryKind::device);
  const auto forced = make(true);
  EXPECT_EQ(forced->path(), SharedPath::cuda_staged);
  EXPECT_EQ(forced->reason(), "");  // staging was requested, so there is nothing to explain
}

TEST_F(SoftwareCudaBuffersTest, ADifferentGpuMeansStagingWithAReason) {
  if (!context->is_software()) GTEST_SKIP() << "there is no software OpenGL here beside " << context->info().renderer;
  const auto buffers = make(false);
  EXPECT_EQ(buffers->path(), SharedPath::cuda_staged);
  EXPECT_NE(buffers->reason().find(context->info().renderer.substr(0, 8)), std::string::npos) << buffers->reason();
  const auto id = buffers->create("a", 4);
  const std::uint32_t value = 7;
  ASSERT_TRUE(buffers->begin(stream));
  write(*buffers, id, &value, 4);
  buffers->end();
  ASSERT_TRUE(buffers->ready());
  std::uint32_t found = 0;
  glGetNamedBufferSubData(buffers->buffer(id), buffers->offset(id), 4, &found);
  EXPECT_EQ(found, 7u);
}

TEST_F(CudaBuffersTest, BothWaysGiveTheSamePicture) {
  const glm::ivec2 size{640, 480};
  for (const int dimensions : {2, 3})
    for (const float opacity : {1.0f, 0.3f}) {
      const std::size_t count = 20'000;
      std::vector<std::uint32_t> states(count), classes(count);
      for (std::size_t i = 0; i < count; ++i) {
        states[i] = std::uint32_t(i % 3);
        classes[i] = std::uint32_t(i % 7);
      }
      PointStyle style;
      style.colour_by = ColourBy::classes;
      style.opacity = opacity;
      const std::unique_ptr<SharedBuffers> ways[2] = {make(false), make(true)};
      PointCloud cloud(context->opengl(), PointPath::compute);
      cloud.set_classes(classes);
      std::size_t ids[2][2];
      for (int way = 0; way < 2; ++way) {
        ids[way][0] = ways[way]->create("positions", count * std::size_t(dimensions) * sizeof(float));
        ids[way][1] = ways[way]->create("states", count * sizeof(std::uint32_t));
        EXPECT_FALSE(ways[way]->ready());
      }
      for (unsigned frame = 0; frame < 5; ++frame) {
        const std::vector<float> positions = random_positions(count, dimensions, frame);
        Image images[2];
        for (int way = 0; way < 2; ++way) {
          SharedBuffers& buffers = *ways[way];
          ASSERT_TRUE(buffers.begin(stream));
          write(buffers, ids[way][0], positions.data(), positions.size() * sizeof(float));
          write(buffers, ids[way][1], states.data(), states.size() * sizeof(std::uint32_t));
          buffers.end();
          ASSERT_TRUE(buffers.ready());
          EXPECT_EQ(buffers.generation(), frame + 1);
          const PointBuffers points{buffers.view(ids[way][0]), dimensions, count, buffers.view(ids[way][1])};
          const Framebuffer framebuffer(size);
          framebuffer.clear({0, 0, 0, 1});
          cloud.draw(points, glm::mat4(1), style, Canvas::all_of(framebuffer));
          images[way] = framebuffer.read();
          buffers.drawn();
        }
        EXPECT_TRUE(images[0].rgba == images[1].rgba) << "frame " << frame;
        EXPECT_NE(*std::max_element(images[0].rgba.begin(), images[0].rgba.end() - 1), 0);
      }
    }
}

TEST_F(CudaBuffersTest, AStagedCopyArrivesWithoutWaiting) {
  const auto buffers = make(true, false);
  const auto id = buffers->create("a", 4);
  for (std::uint32_t value = 1; value <= 3; ++value) {
    ASSERT_TRUE(buffers->begin(stream));
    write(*buffers, id, &value, 4);
    buffers->end();
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    ASSERT_TRUE(buffers->ready());
    std::uint32_t found = 0;
    glGetNamedBufferSubData(buffers->buffer(id), 0, 4, &found);
    EXPECT_EQ(found, value);
  }
  EXPECT_GT(buffers->upload_ms(), 0);
}

TEST_F(CudaBuffersTest, ABufferCanBeMadeAnew) {
  for (const bool staged : {false, true}) {
    const auto buffers = make(staged);
    const auto first = buffers->create("a", 100), second = buffers->create("b", 8);
    ASSERT_TRUE(buffers->begin(stream));
    buffers->end();
    EXPECT_EQ(buffers->size(first), 100);
    EXPECT_EQ(buffers->create("a", 4000), first);
    EXPECT_FALSE(buffers->view(first));
    EXPECT_TRUE(buffers->view(second));
    ASSERT_TRUE(buffers->begin(stream));
    const std::vector<char> data(4000, 'x');
    write(*buffers, first, data.data(), data.size());
    buffers->end();
    ASSERT_TRUE(buffers->ready());
    EXPECT_EQ(buffers->size(first), 4000);
    std::vector<char> found(4000);
    glGetNamedBufferSubData(buffers->buffer(first), buffers->offset(first), 4000, found.data());
    EXPECT_EQ(found, data);
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// Speed is not asserted, because it depends on the machine. It is printed, so that a run on a device shows it.
TEST_F(CudaBuffersTest, AMillionPointsTimed) {
  const std::size_t count = context->is_software() ? 100'000 : 1'000'000;
  const glm::ivec2 size{1920, 1080};
  std::printf("OpenGL: %s, %s, %zu points, %d x %d\n", context->info().renderer.c_str(), context->platform().c_str(),
              count, size.x, size.y);
  const Framebuffer framebuffer(size);
  for (const int dimensions : {2, 3}) {
    std::vector<std::uint32_t> classes(count);
    for (std::size_t i = 0; i < count; ++i) classes[i] = std::uint32_t(i % 8);
    const std::vector<float> positions = random_positions(count, dimensions, 1);
    const std::size_t bytes = positions.size() * sizeof(float);
    for (const bool staged : {false, true}) {
      const auto buffers = make(staged);
      const auto id = buffers->create("positions", bytes);
      std::vector<double> publish_ms;
      for (int frame = 0; frame < 30; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        ASSERT_TRUE(buffers->begin(stream));
        if (frame == 0) write(*buffers, id, positions.data(), bytes);
        buffers->end();
        publish_ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      }
      std::printf("%d-D, %s: publish %.3f ms\n", dimensions, buffers->path_text(), median(publish_ms));
      if (staged) continue;
      ASSERT_TRUE(buffers->begin(stream));
      write(*buffers, id, positions.data(), bytes);
      buffers->end();
      const PointBuffers points{buffers->view(id), dimensions, count, {}};
      struct Case {
        const char* name;
        float diameter, opacity;
        bool density;
        PointPath path;
      };
      for (const Case& each :
           {Case{"opaque, default size", 0, 1, false, PointPath::compute},
            Case{"opaque, 1 pixel", 0.5f, 1, false, PointPath::compute},
            Case{"opaque, 4 pixels", 2.7f, 1, false, PointPath::compute},
            Case{"translucent", 0, 0.2f, false, PointPath::compute}, Case{"density", 0, 1, true, PointPath::compute},
            Case{"sprites", 0, 1, false, PointPath::sprites}}) {
        PointCloud cloud(context->opengl(), each.path);
        cloud.set_classes(classes);
        PointStyle style;
        style.colour_by = ColourBy::classes;
        style.diameter = each.diameter;
        style.opacity = each.opacity;
        style.density = each.density;
        GpuTimer timer(context->is_software());
        std::vector<double> gpu_ms, cpu_ms;
        for (int frame = 0; frame < (context->is_software() ? 3 : 60); ++frame) {
          framebuffer.clear({0, 0, 0, 1});
          const auto start = std::chrono::steady_clock::now();
          timer.begin();
          cloud.draw(points, glm::mat4(1), style, Canvas::all_of(framebuffer));
          timer.end();
          cpu_ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
          glFinish();
          if (frame > 1 && timer.latest_ms()) gpu_ms.push_back(*timer.latest_ms());
          buffers->drawn();
        }
        std::printf("%d-D, %-22s GPU %.3f ms (%s), CPU %.3f ms\n", dimensions, each.name, median(gpu_ms),
                    timer_kind_name(timer.kind()), median(cpu_ms));
        EXPECT_FALSE(gpu_ms.empty());
      }
      BoundsFinder finder;
      const Bounds bounds = finder.now(points);
      EXPECT_LT(bounds.low.x, -1);
    }
  }
}

}  // namespace
}  // namespace kinescope::render::shared_buffers_cuda_test
