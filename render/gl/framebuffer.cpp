#include "render/gl/framebuffer.hpp"

#include <cstring>
#include <glm/common.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <string>

#include "kinescope/error.hpp"

namespace kinescope::render {

Handle<DeleteFramebuffer> make_framebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  return Handle<DeleteFramebuffer>(name);
}

namespace {

sim::Error refusal(glm::ivec2 size, const std::string& why = "") {
  return sim::run_error("this OpenGL cannot draw a picture of " + std::to_string(size.x) + " x " +
                        std::to_string(size.y) + " pixels" + why);
}

// Reverses the order of the rows: OpenGL stores the bottom row first, an Image the top row.
void copy_flipped(const std::uint8_t* from, glm::ivec2 size, Image& image) {
  const std::size_t row = 4 * std::size_t(size.x);
  for (int y = 0; y < size.y; ++y)
    std::memcpy(&image.rgba[row * std::size_t(size.y - 1 - y)], from + row * std::size_t(y), row);
}

}  // namespace

void require_complete(GLuint framebuffer, glm::ivec2 size) {
  if (glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) throw refusal(size);
}

Framebuffer::Framebuffer(glm::ivec2 size, const FramebufferOptions& options)
    : handle_(make_framebuffer()), size_(size) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (size.x < 1 || size.y < 1 || size.x > largest || size.y > largest)
    throw refusal(size, ": each side must be 1 to " + std::to_string(largest));
  colour_ = Texture::flat(size, options.format);
  if (options.samples > 1) {
    resolved_ = make_framebuffer();
    glNamedFramebufferTexture(resolved_.name(), GL_COLOR_ATTACHMENT0, colour_.name(), 0);
    require_complete(resolved_.name(), size);
    multisampled_ = Texture::multisampled(size, options.format, options.samples);
  }
  const Texture& drawn = multisampled_ ? multisampled_ : colour_;
  glNamedFramebufferTexture(name(), GL_COLOR_ATTACHMENT0, drawn.name(), 0);
  if (options.depth) {
    depth_ = Texture::multisampled(size, GL_DEPTH_COMPONENT32F, options.samples);
    glNamedFramebufferTexture(name(), GL_DEPTH_ATTACHMENT, depth_.name(), 0);
  }
  require_complete(name(), size);
}

Framebuffer Framebuffer::over(const Framebuffer& other, GLenum format) {
  Framebuffer made(other.size(), {.format = format});
  glNamedFramebufferTexture(made.name(), GL_DEPTH_ATTACHMENT, other.depth_.name(), 0);
  require_complete(made.name(), made.size());
  return made;
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, name());
  glViewport(0, 0, size_.x, size_.y);
}

void Framebuffer::clear(glm::vec4 colour) const {
  glDisable(GL_SCISSOR_TEST);
  glClearNamedFramebufferfv(name(), GL_COLOR, 0, glm::value_ptr(colour));
  const float far_away = 1;
  if (depth_) {
    glDepthMask(GL_TRUE);
    glClearNamedFramebufferfv(name(), GL_DEPTH, 0, &far_away);
  }
}

void Framebuffer::resolve() const {
  if (!resolved_) return;
  glBlitNamedFramebuffer(name(), resolved_.name(), 0, 0, size_.x, size_.y, 0, 0, size_.x, size_.y, GL_COLOR_BUFFER_BIT,
                         GL_NEAREST);
}

Image Framebuffer::read() const {
  Image image{size_.x, size_.y, std::vector<std::uint8_t>(4 * std::size_t(size_.x) * size_.y)};
  std::vector<std::uint8_t> rows(image.rgba.size());
  glGetTextureImage(colour_.name(), 0, GL_RGBA, GL_UNSIGNED_BYTE, GLsizei(rows.size()), rows.data());
  copy_flipped(rows.data(), size_, image);
  return image;
}

bool PixelReader::request(const Framebuffer& framebuffer) {
  return request(framebuffer.readable(), {0, 0}, framebuffer.size());
}

bool PixelReader::request(GLuint framebuffer, glm::ivec2 origin, glm::ivec2 size) {
  if (under_way_ == slots_.size()) return false;
  Slot& slot = slots_[(oldest_ + under_way_) % slots_.size()];
  const std::size_t bytes = 4 * std::size_t(size.x) * size.y;
  if (slot.buffer.bytes() < bytes) {
    constexpr GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    slot.buffer = Buffer(bytes, nullptr, flags | GL_CLIENT_STORAGE_BIT);
    slot.mapped =
        static_cast<const std::uint8_t*>(glMapNamedBufferRange(slot.buffer.name(), 0, GLsizeiptr(bytes), flags));
    if (!slot.mapped) throw sim::run_error("out of memory while reading a picture back");
  }
  slot.size = size;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, slot.buffer.name());
  glReadPixels(origin.x, origin.y, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  slot.fence = Fence::place();
  ++under_way_;
  return true;
}

std::optional<Image> PixelReader::take(bool wait) {
  if (under_way_ == 0) return std::nullopt;
  Slot& slot = slots_[oldest_];
  if (wait)
    slot.fence.wait();
  else if (!slot.fence.signalled())
    return std::nullopt;
  Image image{slot.size.x, slot.size.y, std::vector<std::uint8_t>(4 * std::size_t(slot.size.x) * slot.size.y)};
  copy_flipped(slot.mapped, slot.size, image);
  oldest_ = (oldest_ + 1) % slots_.size();
  --under_way_;
  return image;
}

void Canvas::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(origin.x, origin.y, size.x, size.y);
}

void Canvas::clear(glm::vec3 colour) const {
  bind();
  glDisable(GL_SCISSOR_TEST);
  glClearColor(colour.r, colour.g, colour.b, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

Canvas Canvas::part(glm::ivec2 left_top, glm::ivec2 part_size) const {
  const glm::ivec2 box{left_top.x, whole().y - left_top.y - part_size.y};
  const glm::ivec2 low = glm::max(box, tile_origin), high = glm::min(box + part_size, tile_origin + size);
  Canvas part = *this;
  part.origin = origin + low - tile_origin;
  part.size = glm::max(high - low, glm::ivec2(0));
  if (part.size.x == 0 || part.size.y == 0) part.size = {0, 0};
  part.picture_size = part_size;
  part.tile_origin = low - box;
  return part;
}

}  // namespace kinescope::render
