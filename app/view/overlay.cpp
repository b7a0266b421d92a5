#include "app/view/overlay.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <utility>

#include "app/view/figure/list_shapes.hpp"

namespace kinescope::app {

Overlay::Overlay(float scale) : scale_(scale), shared_(std::make_unique<ImDrawListSharedData>()) {
  fonts_ = load_fonts(atlas_, scale);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas_.GetTexDataAsRGBA32(&pixels, &width, &height);
  texture_ = render::Texture::flat({width, height}, GL_RGBA8);
  texture_.write(GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  atlas_.ClearTexData();
  atlas_.SetTexID(reinterpret_cast<ImTextureID>(std::intptr_t(texture_.name())));
  shared_->TexUvWhitePixel = atlas_.TexUvWhitePixel;
  shared_->TexUvLines = atlas_.TexUvLines;
  shared_->Font = fonts_.text;
  shared_->FontSize = fonts_.text->FontSize;
  shared_->CurveTessellationTol = 1.25f;
  shared_->SetCircleTessellationMaxError(0.3f);
  shared_->InitialFlags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedLinesUseTex |
                          ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AllowVtxOffset;
}

Overlay::~Overlay() = default;

void Overlay::fill(ImDrawList& list, ImVec2 size, const Theme& theme,
                   const std::function<void(const PictureArea&)>& draw) {
  shared_->ClipRectFullscreen = {0, 0, size.x, size.y};
  list._ResetForNewFrame();
  list.PushClipRectFullScreen();
  list.PushTextureID(atlas_.TexID);
  draw({&list, {0, 0}, size, scale_, &theme, fonts_});
}

void Overlay::add_shapes(render::VectorPicture& picture, const Theme& theme,
                         const std::function<void(const PictureArea&)>& draw) {
  // Without rims of fading triangles, which only hide the steps of pixels.
  const ImDrawListFlags flags = std::exchange(shared_->InitialFlags, ImDrawListFlags_AllowVtxOffset);
  ImDrawList list(shared_.get());
  fill(list, {float(picture.size().x), float(picture.size().y)}, theme, draw);
  shared_->InitialFlags = flags;
  add_list(picture, list, fonts_);
}

void Overlay::draw(const render::Canvas& canvas, const Theme& theme,
                   const std::function<void(const PictureArea&)>& draw) {
  const glm::ivec2 whole = canvas.whole();
  const ImVec2 size{float(whole.x), float(whole.y)};
  ImDrawList list(shared_.get());
  fill(list, size, theme, draw);

  ImDrawList* lists[] = {&list};
  ImDrawData data;
  data.Valid = true;
  data.CmdLists = lists;
  data.CmdListsCount = 1;
  data.TotalIdxCount = list.IdxBuffer.Size;
  data.TotalVtxCount = list.VtxBuffer.Size;
  data.DisplayPos = {float(canvas.tile_origin.x), size.y - float(canvas.tile_origin.y + canvas.size.y)};
  data.DisplaySize = {float(canvas.size.x), float(canvas.size.y)};
  data.FramebufferScale = {1, 1};
  canvas.bind();
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace kinescope::app
