// The window, where there is a display (Xvfb will do).
#include <gtest/gtest.h>

#include "kinescope/error.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/window.hpp"

namespace kinescope::render::window_gl_test {
namespace {

TEST(Window, OpensWithOpenGl45OrSaysWhyNot) {
  const std::string why = why_no_display();
  if (!why.empty()) {
    try {
      Window window;
      FAIL() << "opened without a display";
    } catch (const sim::Error& error) {
      EXPECT_EQ(std::string(error.what()).find(why), 0u);
      EXPECT_EQ(error.exit_status(), 1);
    }
    return;
  }
  Window window({.title = "Kinescope test", .size = {320, 200}, .vsync = false, .debug = true});
  EXPECT_NE(window.handle(), nullptr);
  EXPECT_FALSE(window.info().renderer.empty());
  EXPECT_GE(window.content_scale(), 1.0f);
  EXPECT_FALSE(window.should_close());
  for (int frame = 0; frame < 3; ++frame) {
    window.poll();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClearColor(0, float(frame), 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (frame == 2) {
      PixelReader reader;
      ASSERT_TRUE(reader.request(0, {0, 0}, window.framebuffer_size()));
      const Image image = *reader.take(true);
      EXPECT_EQ(image.width, window.framebuffer_size().x);
      EXPECT_EQ(image.pixel(5, 5)[1], 255);
    }
    window.swap();
  }
  window.close();
  EXPECT_TRUE(window.should_close());
  EXPECT_TRUE(window.opengl().take_messages().empty());
}

}  // namespace
}  // namespace kinescope::render::window_gl_test
