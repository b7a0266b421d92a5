// Framebuffers to draw pictures into, the rectangle that is drawn to, and ways to read pictures back.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>

#include "render/gl/image.hpp"
#include "render/gl/objects.hpp"

namespace kinescope::render {

Handle<DeleteFramebuffer> make_framebuffer();
void require_complete(GLuint framebuffer, glm::ivec2 size);  // throws sim::Error (run) if the framebuffer is incomplete

struct FramebufferOptions {
  bool depth = false;  // 32-bit float
  int samples = 1;     // > 1: multisampled; resolve() before reading
  GLenum format = GL_RGBA8;
};

// A framebuffer with a colour attachment, and with a depth attachment if `options` request it.
class Framebuffer {
 public:
  Framebuffer() = default;
  // Throws sim::Error (run) if the driver refuses the size.
  explicit Framebuffer(glm::ivec2 size, const FramebufferOptions& options = {});
  // A framebuffer that shares the depth of another one, which must outlive it.
  static Framebuffer over(const Framebuffer& other, GLenum format);

  GLuint name() const { return handle_.name(); }
  glm::ivec2 size() const { return size_; }
  explicit operator bool() const { return bool(handle_); }
  const Texture& colour() const {
    return colour_;
  }  // single-sampled; for a multisampled framebuffer valid after resolve()
  const Texture& depth() const { return depth_; }

  void bind() const;  // also sets glViewport to all of it
  void clear(glm::vec4 colour) const;
  void resolve() const;  // does nothing for a single-sampled framebuffer

  // Reads an RGBA8 framebuffer; waits until everything is drawn.
  Image read() const;

 private:
  friend class PixelReader;
  GLuint readable() const { return resolved_ ? resolved_.name() : handle_.name(); }

  Handle<DeleteFramebuffer> handle_, resolved_;
  Texture colour_, multisampled_, depth_;
  glm::ivec2 size_{0, 0};
};

// Reads pictures back without stalling: each arrives a frame or two after its request, in the order of the requests.
class PixelReader {
 public:
  // Requests a picture. Returns false, and requests nothing, while three pictures are under way.
  bool request(const Framebuffer& framebuffer);
  // Requests a rectangle of a framebuffer; `origin` is its (left, bottom) in pixels. Framebuffer 0 is the window.
  bool request(GLuint framebuffer, glm::ivec2 origin, glm::ivec2 size);
  // The oldest requested picture, if it has arrived; with `wait`, waits for it.
  std::optional<Image> take(bool wait = false);

 private:
  struct Slot {
    Buffer buffer;
    const std::uint8_t* mapped = nullptr;
    Fence fence;
    glm::ivec2 size{0, 0};
  };

  std::array<Slot, 3> slots_;
  std::size_t oldest_ = 0, under_way_ = 0;
};

class VectorPicture;  // render/vectors/vector_picture.hpp

// Where a renderer draws: a rectangle of a framebuffer that shows a whole picture or one tile of it.
struct Canvas {
  GLuint framebuffer = 0;         // 0: the window's own
  glm::ivec2 origin{0, 0};        // the rectangle's lower left corner in the framebuffer, pixels, y up as OpenGL counts
  glm::ivec2 size{0, 0};          // the rectangle's size, in pixels
  glm::ivec2 picture_size{0, 0};  // the whole picture's size, in pixels; (0, 0): the rectangle shows all of it
  glm::ivec2 tile_origin{0, 0};   // the rectangle's lower left corner within the picture
  float scale = 1;                // framebuffer pixels per logical pixel: the scale of text and of marks next to it
  // Painters add shapes to it instead of drawing, if they can; its size is that of the framebuffer. Null: they draw.
  VectorPicture* vectors = nullptr;

  void bind() const;                   // also sets glViewport to the rectangle
  void clear(glm::vec3 colour) const;  // binds and clears the whole framebuffer
  glm::ivec2 whole() const { return picture_size.x > 0 ? picture_size : size; }
  // A part of the picture as a picture of its own; (left, top) is counted from the upper left corner. The returned
  // rectangle has the size (0, 0) if this tile shows nothing of the part.
  Canvas part(glm::ivec2 left_top, glm::ivec2 size) const;
  // The part of a window between its panels; (left, top) is counted from the window's upper left corner, all in pixels.
  static Canvas in_window(glm::ivec2 left_top, glm::ivec2 size, glm::ivec2 framebuffer_size) {
    return {0, {left_top.x, framebuffer_size.y - left_top.y - size.y}, size, {0, 0}, {0, 0}};
  }
  static Canvas all_of(const Framebuffer& framebuffer) {
    return {framebuffer.name(), {0, 0}, framebuffer.size(), {0, 0}, {0, 0}};
  }
};

}  // namespace kinescope::render
