#include "app/view/figure/list_shapes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <map>
#include <optional>
#include <utility>

#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

struct Letter {
  const ImFont* font = nullptr;
  const ImFontGlyph* glyph = nullptr;
};

// Which letter a place in the texture is.
using Letters = std::map<std::pair<float, float>, Letter>;

Letters letters_of(const Fonts& fonts) {
  Letters letters;
  for (const ImFont* font : {fonts.caption, fonts.strong, fonts.text})
    if (font)
      for (const ImFontGlyph& glyph : font->Glyphs)
        if (glyph.Visible) letters[{glyph.U0, glyph.V0}] = {font, &glyph};
  return letters;
}

render::Paint paint_of(ImU32 colour) {
  return {{std::uint8_t(colour >> IM_COL32_R_SHIFT), std::uint8_t(colour >> IM_COL32_G_SHIFT),
           std::uint8_t(colour >> IM_COL32_B_SHIFT)},
          float(colour >> IM_COL32_A_SHIFT & 255) / 255};
}

// A colour map is many bands: those who draw the file with antialiasing would show seams between them.
void grow(std::vector<glm::vec2>& corners) {
  glm::vec2 middle(0);
  for (const glm::vec2 corner : corners) middle += corner / float(corners.size());
  for (glm::vec2& corner : corners) corner += 0.4f * glm::sign(corner - middle);
}

class ListShapes {
 public:
  ListShapes(render::VectorPicture& picture, const Fonts& fonts)
      : picture_(picture), fonts_(fonts), letters_(letters_of(fonts)) {}

  void add(const ImDrawList& list) {
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.ElemCount == 0) continue;
      const ImVec4& clip = command.ClipRect;
      const glm::vec2 whole(picture_.size());
      picture_.clip(glm::max(glm::vec2(clip.x, clip.y), 0.f), glm::min(glm::vec2(clip.z, clip.w), whole));
      vertices_ = &list.VtxBuffer[int(command.VtxOffset)];
      const ImDrawIdx* const begin = &list.IdxBuffer[int(command.IdxOffset)];
      const ImDrawIdx* const end = begin + command.ElemCount;
      for (const ImDrawIdx* at = begin; at + 3 <= end;) at = take(at, end);
      end_words();
    }
  }

 private:
  // Adds the letter or the fan of triangles that begins here; returns where the next begins.
  const ImDrawIdx* take(const ImDrawIdx* at, const ImDrawIdx* end) {
    const ImDrawVert& first = vertices_[at[0]];
    const auto letter = letters_.find({first.uv.x, first.uv.y});
    if (letter != letters_.end() && at + 6 <= end) {
      take_letter(letter->second, first, vertices_[at[2]]);
      return at + 6;
    }
    end_words();
    std::vector<ImDrawIdx> fan{at[0], at[1], at[2]};
    for (at += 3; at + 3 <= end && at[0] == fan.front() && at[1] == fan.back(); at += 3) fan.push_back(at[2]);
    render::Path polygon;
    float opacity = 0;
    glm::vec3 colour(0);
    for (const ImDrawIdx index : fan) {
      const ImDrawVert& vertex = vertices_[index];
      polygon.corners.emplace_back(vertex.pos.x, vertex.pos.y);
      const render::Paint paint = paint_of(vertex.col);
      colour += glm::vec3(paint.colour[0], paint.colour[1], paint.colour[2]) / float(fan.size());
      opacity += paint.opacity / float(fan.size());
    }
    if (vertices_[fan[0]].col != vertices_[fan[fan.size() / 2]].col) grow(polygon.corners);
    for (int c = 0; c < 3; ++c) polygon.paint.colour[std::size_t(c)] = std::uint8_t(std::lround(colour[c]));
    polygon.paint.opacity = opacity;
    if (opacity > 0) picture_.add(std::move(polygon));
    return at;
  }

  // A letter goes on with the words before it if it lies where their next letter would, or some spaces after.
  void take_letter(const Letter& letter, const ImDrawVert& low, const ImDrawVert& high) {
    const ImFontGlyph& glyph = *letter.glyph;
    const float scale = (high.pos.y - low.pos.y) / (glyph.Y1 - glyph.Y0);
    const float left = low.pos.x - scale * glyph.X0;
    const float base = low.pos.y + scale * (letter.font->Ascent - glyph.Y0);
    const float space = scale * letter.font->GetCharAdvance(' ');
    const bool strong = letter.font == fonts_.strong && fonts_.strong != fonts_.text;
    const float size = scale * letter.font->FontSize / line_of_size;
    const render::Paint paint = paint_of(low.col);
    if (words_) {
      const float spaces = std::round((left - pen_) / space);
      const bool goes_on = words_->strong == strong && std::abs(words_->size - size) < 0.01f * size &&
                           words_->paint == paint && std::abs(base - words_->begin.y) < 0.5f && spaces >= 0 &&
                           spaces <= 8 && std::abs(left - pen_ - spaces * space) < 0.2f * space;
      if (goes_on)
        words_->text.append(std::size_t(spaces), ' ');
      else
        end_words();
    }
    if (!words_) words_ = {{left, base}, size, 0, strong, "", paint};
    sim::append_utf8(words_->text, glyph.Codepoint);
    pen_ = left + scale * glyph.AdvanceX;
    words_->width = pen_ - words_->begin.x;
  }

  void end_words() {
    if (words_) picture_.add(*std::exchange(words_, std::nullopt));
  }

  render::VectorPicture& picture_;
  const Fonts& fonts_;
  const Letters letters_;
  const ImDrawVert* vertices_ = nullptr;
  std::optional<render::Words> words_;  // to which more letters may come
  float pen_ = 0;                       // where the next letter would begin
};

}  // namespace

void add_list(render::VectorPicture& picture, const ImDrawList& list, const Fonts& fonts) {
  ListShapes(picture, fonts).add(list);
}

}  // namespace kinescope::app
