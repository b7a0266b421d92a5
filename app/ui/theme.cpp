#include "app/ui/theme.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace kinescope::app {
namespace {

constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
  return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, alpha);
}

constexpr Theme dark{.variant = render::Background::dark,
                     .background = rgb(0x111318),
                     .panel = rgb(0x1a1d24),
                     .control = rgb(0x262b35),
                     .control_hovered = rgb(0x313743),
                     .line = rgb(0x2e333e),
                     .ink = rgb(0xe6e8ec),
                     .ink_dim = rgb(0xa3aab6),
                     .accent = rgb(0x6ea8fe),
                     .accent_hovered = rgb(0x8cbaff),
                     .on_accent = rgb(0x0e1726),
                     .warning = rgb(0xff9d8f)};

constexpr Theme light{.variant = render::Background::light,
                      .background = rgb(0xffffff),
                      .panel = rgb(0xf4f5f7),
                      .control = rgb(0xe5e8ed),
                      .control_hovered = rgb(0xd9dde4),
                      .line = rgb(0xd7dbe2),
                      .ink = rgb(0x1b1e24),
                      .ink_dim = rgb(0x535b68),
                      .accent = rgb(0x1d5fd1),
                      .accent_hovered = rgb(0x174fb0),
                      .on_accent = rgb(0xffffff),
                      .warning = rgb(0xb3261e)};

// Gives all digits the width of the widest and centres each in it, so that changing numbers do not jitter.
void make_digits_tabular(ImFont* font) {
  float widest = 0;
  for (ImWchar digit = '0'; digit <= '9'; ++digit) widest = std::max(widest, font->FindGlyph(digit)->AdvanceX);
  for (ImWchar digit = '0'; digit <= '9'; ++digit) {
    auto* glyph = const_cast<ImFontGlyph*>(font->FindGlyph(digit));
    const float shift = 0.5f * (widest - glyph->AdvanceX);
    glyph->X0 += shift;
    glyph->X1 += shift;
    glyph->AdvanceX = widest;
    font->IndexAdvanceX[digit] = widest;
  }
}

void set_colours(const Theme& theme) {
  constexpr auto vector = ImGui::ColorConvertU32ToFloat4;
  ImVec4* c = ImGui::GetStyle().Colors;
  for (int i = 0; i < ImGuiCol_COUNT; ++i) c[i] = vector(theme.control);
  const ImVec4 none{0, 0, 0, 0};
  c[ImGuiCol_Text] = vector(theme.ink);
  c[ImGuiCol_TextDisabled] = vector(theme.ink_dim);
  c[ImGuiCol_WindowBg] = vector(theme.panel);
  c[ImGuiCol_ChildBg] = none;
  c[ImGuiCol_PopupBg] = vector(theme.panel);
  c[ImGuiCol_Border] = vector(theme.line);
  c[ImGuiCol_BorderShadow] = none;
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vector(theme.control_hovered);
  c[ImGuiCol_ScrollbarBg] = none;
  c[ImGuiCol_ScrollbarGrab] = vector(theme.line);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vector(theme.ink_dim);
  c[ImGuiCol_HeaderHovered] = c[ImGuiCol_HeaderActive] = vector(theme.control_hovered);
  c[ImGuiCol_Separator] = vector(theme.line);
  c[ImGuiCol_TextSelectedBg] = vector((theme.accent & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 96));
  c[ImGuiCol_NavHighlight] = c[ImGuiCol_DragDropTarget] = vector(theme.accent);
  c[ImGuiCol_ModalWindowDimBg] = c[ImGuiCol_NavWindowingDimBg] = ImVec4(0, 0, 0, 0.4f);
}

void set_distances(float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = {16, 16};
  style.FramePadding = {8, 6};
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {8, 8};
  style.ScrollbarSize = 8;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowRounding = 0;
  style.ChildRounding = style.PopupRounding = style.FrameRounding = style.ScrollbarRounding = style.GrabRounding =
      corner;
  style.ScaleAllSizes(scale);
}

// What is in a file; "" if it cannot be read.
std::string bytes_of(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  return file && bytes << file.rdbuf() ? bytes.str() : "";
}

}  // namespace

const Theme& theme(render::Background variant) {
  return variant == render::Background::dark ? dark : light;
}

render::Rgb accent_colour(render::Background variant) {
  const ImU32 accent = theme(variant).accent;
  return {std::uint8_t(accent >> IM_COL32_R_SHIFT), std::uint8_t(accent >> IM_COL32_G_SHIFT),
          std::uint8_t(accent >> IM_COL32_B_SHIFT)};
}

std::string font_path(bool strong) {
  std::error_code ignored;
  const auto exists = [&](const std::string& path) { return std::filesystem::exists(path, ignored); };
  // An installed bundle has its own fonts, in share/ beside the program's folder.
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::string bundled = (program.parent_path().parent_path() / "share/kinescope/fonts").string();
  const std::string inter = "/usr/share/fonts/opentype/inter", inter_truetype = "/usr/share/fonts/truetype/inter";
  const std::string roboto = "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF";
  const std::pair<std::string, std::string> candidates[] = {
      {inter + "/Inter-Regular.otf", inter + "/Inter-SemiBold.otf"},
      {inter_truetype + "/Inter-Regular.ttf", inter_truetype + "/Inter-SemiBold.ttf"},
      {roboto + "/Roboto-Regular.ttf", roboto + "/Roboto-Medium.ttf"},
      {bundled + "/Inter-Regular.otf", bundled + "/Inter-SemiBold.otf"},
      {bundled + "/Inter-Regular.ttf", bundled + "/Inter-SemiBold.ttf"},
      {bundled + "/Roboto-Regular.ttf", bundled + "/Roboto-Medium.ttf"},
  };
  for (const auto& [regular, semi_bold] : candidates)
    if (exists(regular)) return strong && exists(semi_bold) ? semi_bold : regular;
  return "";
}

Fonts load_fonts(ImFontAtlas& atlas, float scale) {
  // Latin with its extensions, Greek, Cyrillic, dashes and dots, superscripts, currencies, № to ™, arrows, signs of
  // mathematics, shapes.
  static constexpr ImWchar ranges[] = {0x0020, 0x024F, 0x0370, 0x03FF, 0x0400, 0x04FF, 0x2010,
                                       0x203A, 0x2070, 0x209C, 0x20A0, 0x20BF, 0x2116, 0x2122,
                                       0x2190, 0x2193, 0x2200, 0x2265, 0x25A0, 0x25CF, 0};
  atlas.Clear();
  Fonts fonts;
  std::string regular = bytes_of(font_path(false)), strong = bytes_of(font_path(true));
  fonts.found = !regular.empty() && !strong.empty();
  if (!fonts.found) {
    ImFontConfig config;
    config.SizePixels = 13 * scale;
    fonts.text = fonts.strong = fonts.caption = atlas.AddFontDefault(&config);
    atlas.Build();
    return fonts;
  }
  ImFontConfig config;
  config.OversampleH = scale < 2 ? 3 : 1;
  config.OversampleV = 1;
  config.PixelSnapH = false;
  config.FontDataOwnedByAtlas = false;  // it needs them until it is built
  const auto add = [&](std::string& file, float height) {
    return atlas.AddFontFromMemoryTTF(file.data(), static_cast<int>(file.size()), height * scale, &config, ranges);
  };
  fonts.text = add(regular, text_height);
  fonts.strong = add(strong, text_height);
  fonts.caption = add(regular, caption_height);
  atlas.Build();
  for (ImFont* font : {fonts.text, fonts.strong, fonts.caption}) make_digits_tabular(font);
  return fonts;
}

void apply_theme(const Theme& theme, float scale) {
  set_distances(scale);
  set_colours(theme);
}

}  // namespace kinescope::app
