// Shaders, pictures, timers, and the ring of shared buffers.
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "render/gl/shader.hpp"
#include "render/gl/timer.hpp"
#include "render/pictures/picture.hpp"
#include "render/shared/shared_buffers.hpp"
#include "tests/render/gl_test.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace kinescope::render::objects_gl_test {
namespace {

class Objects : public GlTest {};

std::string complaint(const std::vector<std::pair<std::string, std::string>>& sources) {
  try {
    Shader::from_text(sources);
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Objects, ShaderErrorsNameFileAndLine) {
  const std::string compute = "#version 450\nlayout(local_size_x = 1) in;\n\nvoid main() {\n  int x = undeclared;\n}\n";
  EXPECT_TRUE(complaint({{"a/broken_compute.glsl", compute}}).starts_with("shaders/a/broken_compute.glsl:5: "))
      << complaint({{"a/broken_compute.glsl", compute}});
  const std::string including =
      "#version 450\n#include \"a/part.glsl\"\nlayout(local_size_x = 1) in;\nvoid main() { f(); }\n";
  EXPECT_TRUE(complaint({{"a/whole_compute.glsl", including}, {"a/part.glsl", "\nvoid f() { int x = nothing; }\n"}})
                  .starts_with("shaders/a/part.glsl:2: "));
  EXPECT_NE(complaint({{"a/name.glsl", "#version 450\n"}}).find("shaders/a/name.glsl"), std::string::npos);
  EXPECT_NE(complaint({{"a/x_compute.glsl", "#version 450\n#include \"no/such.glsl\"\n"}}).find("shaders/no/such.glsl"),
            std::string::npos);
  context->opengl().take_messages();  // a driver may report a failed compilation there too; here it is intended
}

TEST_F(Objects, AShaderThatGoesIsNotInUse) {
  const std::string text = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
  {
    Shader shader = Shader::from_text({{"a/brief_compute.glsl", text}});
    shader.use();
  }
  GLint used = -1;
  glGetIntegerv(GL_CURRENT_PROGRAM, &used);
  EXPECT_EQ(used, 0);
}

TEST_F(Objects, ALineAfterAnIncludeKeepsItsNumber) {
  const std::string text =
      "#version 450\nlayout(local_size_x = 1) in;\n#include \"common/index.glsl\"\nvoid main() { wrong(); }\n";
  EXPECT_TRUE(complaint({{"a/late_compute.glsl", text}}).starts_with("shaders/a/late_compute.glsl:4: "));
  context->opengl().take_messages();
}

TEST(Uniforms, AreFoundInTheText) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(declared_uniforms("uniform float a;\nuniform ivec2 b , c;uniform highp mat4 d;"),
            (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(
      declared_uniforms("// uniform float a;\n/* uniform float b;\n uniform float c; */ uniform /* x */ float d; // e"),
      Names{"d"});
  EXPECT_EQ(declared_uniforms("uniform vec2 a[4], b[2][3]; uniform float[3] c; uniform bool d = true, e;\n"
                              "uniform float f[2] = float[2](1.0, 2.0), g;"),
            (Names{"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_EQ(declared_uniforms("layout(binding = 3) uniform sampler2D a; uniform layout(location = 2) float b;\n"
                              "layout(r32f, binding = 0) writeonly uniform image2D c;"),
            (Names{"a", "b", "c"}));
  EXPECT_EQ(declared_uniforms("layout(std140) uniform Frame { vec4 a; } frame;\nlayout(row_major) uniform;\n"
                              "uniform struct { vec3 at; float b; } lamp, lamps[2]; uniform Light sun;"),
            (Names{"lamp", "lamps", "sun"}));
  EXPECT_EQ(declared_uniforms("#define X uniform float z;\n#ifdef X\nuniform float a;\n#else\nuniform uint b,\n"
                              "#endif\n  c;\nfloat uniformly, not_uniform;"),
            (Names{"a", "b", "c"}));
  EXPECT_EQ(declared_uniforms("uniform float"), Names{});
}

TEST_F(Objects, AMisspeltUniformIsAnError) {
  Shader shader = Shader::from_text({{"a/sized_compute.glsl",
                                      "#version 450\nlayout(local_size_x = 1) in;\nuniform float radius, unused;\n"
                                      "struct Lamp { float power; vec3 place; };\nuniform Lamp lamps[2];\n"
                                      "layout(std430, binding = 0) buffer B { float b[]; };\n"
                                      "void main() { b[0] = radius + lamps[1].power; }\n"}});
  shader.set("radius", 2.0f);
  shader.set("unused", 1.0f);  // the compiler has removed it
  shader.set("lamps[1].power", 3.0f);
  for (const char* wrong : {"radus", "lamp[1].power", "power", ""}) try {
      shader.set(wrong, 1.0f);
      ADD_FAILURE() << wrong;
    } catch (const sim::Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("shaders/a/sized_compute.glsl"), std::string::npos) << text;
      EXPECT_NE(text.find("'" + std::string(wrong) + "'"), std::string::npos) << text;
    }
  Buffer buffer(4);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer.name());
  shader.use();
  shader.dispatch(1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  float sum = 0;
  glGetNamedBufferSubData(buffer.name(), 0, 4, &sum);
  EXPECT_EQ(sum, 5);
}

TEST_F(Objects, DispatchReachesEveryThreadOnce) {
  Shader shader =
      Shader::from_text({{"a/mark_compute.glsl",
                          "#version 450\nlayout(local_size_x = 1) in;\n#include \"common/index.glsl\"\n"
                          "layout(std430, binding = 0) buffer B { uint seen[]; };\nuniform uint count;\n"
                          "void main() { uint i = thread_index(); if (i < count) atomicAdd(seen[i], 1u); }\n"}});
  const std::size_t count = 100'000;  // more groups than one row may have
  Buffer buffer(4 * count);
  buffer.clear();
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer.name());
  shader.use();
  shader.set("count", std::uint32_t(count));
  shader.dispatch(count, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  std::vector<std::uint32_t> seen(count);
  glGetNamedBufferSubData(buffer.name(), 0, GLsizeiptr(4 * count), seen.data());
  EXPECT_EQ(seen, std::vector<std::uint32_t>(count, 1));
}

TEST_F(Objects, PngDecodesBack) {
  Image image{5, 3, {}};
  for (int i = 0; i < 5 * 3 * 4; ++i) image.rgba.push_back(std::uint8_t(i * 4));
  const std::vector<std::uint8_t> png = encode_png(image, false);
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
      stbi_load_from_memory(png.data(), int(png.size()), &width, &height, &channels, 4), stbi_image_free);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(width, 5);
  EXPECT_EQ(height, 3);
  EXPECT_EQ(std::memcmp(decoded.get(), image.rgba.data(), image.rgba.size()), 0);
  EXPECT_THROW(encode_png(Image{}), sim::Error);
}

void fill(const Canvas& canvas, glm::ivec2 low, glm::ivec2 high, glm::vec4 colour) {
  glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer);
  glEnable(GL_SCISSOR_TEST);
  const glm::ivec2 from = glm::max(low, canvas.tile_origin) - canvas.tile_origin;
  const glm::ivec2 to = glm::min(high, canvas.tile_origin + canvas.size) - canvas.tile_origin;
  if (to.x > from.x && to.y > from.y) {
    glScissor(canvas.origin.x + from.x, canvas.origin.y + from.y, to.x - from.x, to.y - from.y);
    glClearBufferfv(GL_COLOR, 0, &colour[0]);
  }
  glDisable(GL_SCISSOR_TEST);
}

TEST_F(Objects, PicturesAreUprightAndTheSameInTiles) {
  const auto draw = [](const Canvas& canvas) { fill(canvas, {10, 20}, {90, 40}, {1, 0, 0, 1}); };
  const Image whole = render_picture({200, 100}, {0, 0, 1}, draw);
  const Image tiles = render_picture({200, 100}, {0, 0, 1}, draw, 33);
  EXPECT_EQ(whole.rgba, tiles.rgba);
  EXPECT_EQ(whole.pixel(10, 99 - 20)[0], 255);  // y of the picture runs down
  EXPECT_EQ(whole.pixel(10, 99 - 19)[0], 0);
  EXPECT_EQ(whole.pixel(89, 99 - 39)[0], 255);
  EXPECT_EQ(whole.pixel(0, 0)[2], 255);
  EXPECT_THROW(render_picture({0, 5}, {0, 0, 0}, draw), sim::Error);
}

TEST_F(Objects, ReadingBackWithoutStallingGivesTheSamePicture) {
  const Framebuffer framebuffer({64, 48});
  PixelReader reader;
  std::vector<Image> drawn;
  for (int frame = 0; frame < 3; ++frame) {
    framebuffer.clear({0.2f * float(frame), 0, 0, 1});
    fill(Canvas::all_of(framebuffer), {3, 4}, {20 + frame, 30}, {0, 1, 0, 1});
    drawn.push_back(framebuffer.read());
    EXPECT_TRUE(reader.request(framebuffer));
  }
  EXPECT_FALSE(reader.request(framebuffer));  // three are under way
  for (int frame = 0; frame < 3; ++frame) EXPECT_EQ(reader.take(true)->rgba, drawn[std::size_t(frame)].rgba);
  EXPECT_FALSE(reader.take(true));
}

TEST_F(Objects, MultisampledFramebuffersResolve) {
  const Framebuffer framebuffer({16, 16}, {.depth = true, .samples = 4});
  framebuffer.clear({0, 1, 0, 1});
  framebuffer.resolve();
  EXPECT_EQ(framebuffer.read().pixel(8, 8)[1], 255);
}

TEST_F(Objects, FramebuffersOfImpossibleSizesAreRefused) {
  for (const glm::ivec2 refused : {glm::ivec2(1 << 20, 4), glm::ivec2(0, 5)}) try {
      const Framebuffer made(refused);
      ADD_FAILURE() << refused.x;
    } catch (const sim::Error& error) {
      const std::string text = error.what(), size = std::to_string(refused.x) + " x " + std::to_string(refused.y);
      EXPECT_EQ(text.find("this OpenGL cannot draw a picture of " + size + " pixels: each side must be 1 to "), 0u)
          << text;
    }
}

TEST_F(Objects, TimersMeasureInBothWays) {
  const Framebuffer framebuffer({512, 512});
  for (const TimerKind kind : {TimerKind::finish, TimerKind::query}) {
    GpuTimer timer(kind);
    EXPECT_FALSE(timer.latest_ms());
    for (int frame = 0; frame < 20; ++frame) {
      timer.begin();
      framebuffer.clear({0, 0, 0, 1});
      timer.end();
    }
    glFinish();
    ASSERT_TRUE(timer.latest_ms());
    EXPECT_GE(*timer.latest_ms(), 0);
    EXPECT_LT(*timer.latest_ms(), 10'000);
  }
  EXPECT_STREQ(timer_kind_name(TimerKind::query), "query");
}

class Ring : public GlTest {
 protected:
  std::uint32_t drawn_value(const BufferView& view) {
    std::uint32_t value = 0;
    glGetNamedBufferSubData(view.buffer, view.offset, 4, &value);
    return value;
  }
};

TEST_F(Ring, NothingIsDrawableBeforeTheFirstPublish) {
  const auto buffers = SharedBuffers::make({});
  const auto id = buffers->create("a", 1000);
  EXPECT_FALSE(buffers->ready());
  EXPECT_EQ(buffers->buffer(id), 0u);
  EXPECT_EQ(buffers->size(id), 0);
  EXPECT_EQ(buffers->find("a"), id);
  EXPECT_FALSE(buffers->find("b"));
  EXPECT_FALSE(buffers->view(sim::Published<float>{"b"}));
  ASSERT_TRUE(buffers->begin(nullptr));
  buffers->end();
  EXPECT_TRUE(buffers->ready());
  EXPECT_NE(buffers->buffer(id), 0u);
  EXPECT_EQ(buffers->size(id), 1000);
  EXPECT_EQ(buffers->offset(id) % 256, 0);
  EXPECT_STREQ(buffers->path_text(), "mapped ring");
  // A buffer that is created again keeps its id, and is not drawable until it has been published again.
  EXPECT_EQ(buffers->create("a", 24), id);
  EXPECT_FALSE(buffers->view(id));
}

TEST_F(Ring, ASlotThatIsBeingDrawnIsNeverWritten) {
  const auto buffers = SharedBuffers::make({});
  const auto id = buffers->create("a", 4);
  std::uint32_t published = 0;
  for (std::uint32_t frame = 1; frame <= 200; ++frame) {
    if (buffers->begin(nullptr)) {
      const auto* address = static_cast<const std::byte*>(buffers->address(id));
      // What is on screen stays as it is while the next frame is being written.
      const std::uint32_t value = frame;
      std::memcpy(const_cast<std::byte*>(address), &value, 4);
      if (published > 0) {
        EXPECT_EQ(drawn_value(buffers->view(id)), published);
      }
      buffers->end();
      published = frame;
    }
    EXPECT_EQ(drawn_value(buffers->view(id)), published);
    buffers->drawn();
    glFinish();  // a GPU that keeps up, as with frames of a sixtieth of a second
  }
  EXPECT_EQ(buffers->generation(), 200u);
}

// If the GPU lags behind, begin() may refuse a slot, but only until the commands that are being drawn have finished.
TEST_F(Ring, ASlowGpuStarvesNobody) {
  const auto buffers = SharedBuffers::make({});
  const std::size_t bytes = 16 << 20;
  const auto id = buffers->create("a", bytes);
  const Buffer copy(bytes);
  for (std::uint32_t frame = 1; frame <= 60; ++frame) {
    const auto begin = std::chrono::steady_clock::now();
    while (!buffers->begin(nullptr))
      ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "frame " << frame;
    std::memset(buffers->address(id), int(frame), 4);
    buffers->end();
    glCopyNamedBufferSubData(buffers->buffer(id), copy.name(), buffers->offset(id), 0, GLsizeiptr(bytes));
    buffers->drawn();
  }
  EXPECT_EQ(buffers->generation(), 60u);
}

TEST_F(Ring, AFrameWithoutNewsDrawsTheLastPicture) {
  const auto buffers = SharedBuffers::make({});
  const auto id = buffers->create("a", 4);
  ASSERT_TRUE(buffers->begin(nullptr));
  const std::uint32_t value = 42;
  std::memcpy(buffers->address(id), &value, 4);
  buffers->end();
  for (int frame = 0; frame < 10; ++frame) {
    EXPECT_EQ(drawn_value(buffers->view(id)), 42u);
    buffers->drawn();
  }
}

TEST_F(Ring, BeginDoesNotWaitForTheGpu) {
  // Each frame's draw is a copy that takes long; begin() must refuse rather than hand out a slot whose draw is not
  // done.
  const auto buffers = SharedBuffers::make({});
  const std::size_t bytes = 64 << 20;
  const auto id = buffers->create("a", bytes);
  const Buffer copy(bytes);
  std::vector<std::pair<GLintptr, Fence>> draws;
  int refused = 0;
  for (std::uint32_t frame = 1; frame <= 12; ++frame) {
    if (buffers->begin(nullptr)) {
      void* address = buffers->address(id);
      const GLintptr drawn_offset = buffers->view(id) ? buffers->offset(id) : -1;
      std::memset(address, int(frame), 4);
      buffers->end();
      EXPECT_NE(buffers->offset(id), drawn_offset);
      for (const auto& [offset, fence] : draws)
        if (offset == buffers->offset(id)) {
          EXPECT_TRUE(fence.signalled());
        }
    } else {
      ++refused;
    }
    glCopyNamedBufferSubData(buffers->buffer(id), copy.name(), buffers->offset(id), 0, GLsizeiptr(bytes));
    draws.emplace_back(buffers->offset(id), Fence::place());
    buffers->drawn();
  }
  RecordProperty("refused", refused);
}

TEST(SharedBuffersWithoutContext, DeviceMemoryNeedsCuda) {
#ifndef KINESCOPE_CUDA
  EXPECT_THROW(SharedBuffers::make({.memory = sim::MemoryKind::device}), sim::Error);
#else
  GTEST_SKIP() << "built with CUDA";
#endif
}

}  // namespace
}  // namespace kinescope::render::objects_gl_test
