#include "app/scenes/images.hpp"

#include <algorithm>
#include <cmath>

#include "app/scenes/picture_mouse.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {

namespace {

constexpr float grip = 8;                // design pixels on either side of the divider in which the mouse can grab it
constexpr std::size_t most_listed = 12;  // clusters in the legend at most

// Reads one word of a published buffer back; waits for it.
std::optional<std::uint32_t> word_of(const render::BufferView& view, std::size_t index) {
  if (!view || (index + 1) * sizeof(std::uint32_t) > std::size_t(view.bytes)) return std::nullopt;
  std::uint32_t word = 0;
  view.read(index * sizeof word, sizeof word, &word);
  return word;
}

render::Rgb colour_of(std::uint32_t word) {
  return {std::uint8_t(word), std::uint8_t(word >> 8), std::uint8_t(word >> 16)};
}

std::string rgb_text(const render::Rgb& c) {
  return std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]);
}

}  // namespace

ImageScene::ImageScene(SegmentedPicture published) : published_(std::move(published)) {
  adds_ = {.about = published_.about + " Drag the divider to compare; zoom with the wheel.",
           .figures = published_.figures,
           .sections = {{Section::Panel::view, [this](Ui& ui) { view_options(ui); }}}};
  kept_buffers_ = {KeptBuffer(published_.segmented), KeptBuffer(published_.clusters)};
}

void ImageScene::set_data(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet&) {
  if (data == data_) return;
  data_ = data;
  const sim::Picture& picture = data_->picture;
  const glm::ivec2 size{int(picture.width), int(picture.height)};
  rows_.clear();
  if (picture.opacity) {
    std::vector<std::array<std::uint8_t, 4>> colours(picture.opacity->size());
    rows_.resize(colours.size());
    std::uint32_t row = 0;
    for (std::size_t pixel = 0; pixel < colours.size(); ++pixel) {
      rows_[pixel] = row;
      if ((*picture.opacity)[pixel] == 0) continue;
      colours[pixel] = data_->colours[row++];
      colours[pixel][3] = std::uint8_t((*picture.opacity)[pixel] / 257);
    }
    pair_.set_left(colours, size, rows_);
  } else {
    pair_.set_left(data_->colours, size);
  }
  camera_ = render::Camera(2);
  fresh_ = true;
}

// In the camera's plane y points up: the y of a pixel is the negative of the plane's.
render::Bounds ImageScene::bounds() const {
  return {{0, -float(data_->picture.height), 0}, {float(data_->picture.width), 0, 0}};
}

void ImageScene::frame_all(bool at_once) {
  if (at_once && !camera_.following()) return;
  if (data_) camera_.frame_all(bounds(), at_once);
}

void ImageScene::update(const FrameTime& time, glm::ivec2 picture_size) {
  Scene::update(time, picture_size);
  camera_.set_size(picture_size);
  if (!data_) return;
  if (fresh_) camera_.frame_all(bounds(), true);
  fresh_ = false;
  camera_.follow(bounds(), time.seconds);
  groups_ = time.drawn->share<sim::Groups>();
}

void ImageScene::draw(const render::Canvas& canvas, render::Background background) {
  if (!data_ || !shared_) return;
  render::Camera camera = camera_;
  camera.set_size(canvas.whole());
  const glm::vec3 upper_left = camera.point_at({0, 0});
  const render::PairView view{
      {upper_left.x, -upper_left.y}, camera.units_per_pixel(), float(divider_) * float(canvas.whole().x)};
  pair_.draw(shared_->view(published_.segmented), view, background, canvas);
}

// The clusters by size, the largest first.
Legend ImageScene::legend() const {
  if (!groups_) return {.title = published_.before_groups};
  Legend legend{.title = sim::count_of(groups_->sizes.size(), "cluster")};
  std::vector<std::size_t> order = sim::by_size(groups_->sizes);
  const std::size_t more = order.size() - std::min(most_listed, order.size());
  order.resize(order.size() - more);
  for (const std::size_t k : order) {
    const render::Rgb& colour = groups_->colours[k];
    legend.entries.push_back({rgb_text(colour), colour, groups_->sizes[k]});
  }
  if (more > 0) legend.notes.push_back({"and " + sim::with_commas(more) + " smaller ones", LegendMark::none});
  return legend;
}

void ImageScene::draw_divider(const PictureArea& area, bool grabbed) const {
  const float x = std::round(area.low.x + divider_at(area)), thick = std::max(1.f, std::round(2 * area.scale));
  const ImU32 line = grabbed ? area.theme->accent : area.theme->ink;
  // A rim in the background's colour makes the line stand out from any picture.
  const ImU32 rim = with_alpha(area.theme->background, 160);
  area.list->AddRectFilled({x - thick, area.low.y}, {x + thick, area.high.y}, rim);
  area.list->AddRectFilled({x - thick / 2, area.low.y}, {x + thick / 2, area.high.y}, line);
  const ImVec2 middle{x, std::round(0.5f * (area.low.y + area.high.y))};
  area.list->AddCircleFilled(middle, 11 * area.scale, rim, 32);
  area.list->AddCircleFilled(middle, 10 * area.scale, line, 32);
  const float w = 3 * area.scale, gap = 2 * area.scale;
  for (const float side : {-1.f, 1.f})
    area.list->AddTriangleFilled({middle.x + side * gap, middle.y - w}, {middle.x + side * gap, middle.y + w},
                                 {middle.x + side * (gap + w), middle.y}, area.theme->background);
  ImFont* font = area.fonts.caption;
  const float pad = 8 * area.scale;
  const auto name = [&](const char* text, bool left) {
    const float width = width_of(font, text);
    const float from = left ? x - pad * 2 - width : x + pad * 2, y = area.high.y - pad * 2 - font->FontSize;
    if (left ? from - pad < area.low.x : from + width + pad > area.high.x) return;
    area.list->AddRectFilled({from - pad, y - pad / 2}, {from + width + pad, y + font->FontSize + pad / 2},
                             with_alpha(area.theme->panel, 224), corner * area.scale);
    put_text(area.list, font, {from, y}, area.theme->ink, text);
  };
  name("Original", true);
  name("Segmented", false);
}

void ImageScene::draw_overlay(const PictureArea& area) {
  draw_divider(area, false);
  draw_legend(area, legend());
}

void ImageScene::interact(Ui& ui, const PictureArea& area) {
  const PictureMouse mouse = mouse_over(ui, area);
  const float width = area.size().x, x = area.low.x + divider_at(area);
  const bool near = mouse.hovered && std::fabs(mouse.at.x - divider_at(area)) <= grip * area.scale;
  if (ImGui::IsItemActivated()) on_divider_ = near && ImGui::IsMouseDown(0);
  if (!mouse.held) on_divider_ = false;
  if (on_divider_) divider_ = std::clamp(double(mouse.at.x / std::max(1.f, width)), 0.0, 1.0);
  if (near || on_divider_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ui.ids.widget("divider", {x - 4, area.low.y}, {x + 4, area.high.y});
  ui.ids.state("divider", std::to_string(int(std::lround(100 * divider_))));
  if (!on_divider_) {
    if (mouse.held && mouse.moved()) camera_.pan(mouse.before, mouse.at);
    mouse.zoom(camera_);
  }
  draw_divider(area, near || on_divider_);
  draw_legend(area, legend());
  if (mouse.hovered && !mouse.held && !near)
    if (const auto pixel = pixel_at(mouse.at)) tooltip(ui, *pixel);
}

std::optional<std::size_t> ImageScene::pixel_at(glm::vec2 mouse) const {
  if (!data_) return std::nullopt;
  const glm::vec3 at = camera_.point_at(mouse);
  const auto width = double(data_->picture.width), height = double(data_->picture.height);
  if (at.x < 0 || -at.y < 0 || at.x >= width || -at.y >= height) return std::nullopt;
  return std::size_t(-at.y) * data_->picture.width + std::size_t(at.x);
}

std::optional<std::size_t> ImageScene::row_of(std::size_t pixel) const {
  if (rows_.empty()) return pixel;
  return (*data_->picture.opacity)[pixel] == 0 ? std::nullopt : std::optional<std::size_t>(rows_[pixel]);
}

void ImageScene::tooltip(Ui& ui, std::size_t pixel) {
  const std::optional<std::size_t> row = row_of(pixel);
  ImGui::SetNextWindowSize({ui.px(208), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(2)});
  ImGui::BeginTooltip();
  fact(ui, "x, y", std::to_string(pixel % data_->picture.width) + ", " + std::to_string(pixel / data_->picture.width));
  if (row) {
    const auto& own = data_->colours[*row];
    fact(ui, "r, g, b", rgb_text({own[0], own[1], own[2]}));
  }
  if (data_->picture.opacity)
    fact(ui, "opacity", std::to_string(((*data_->picture.opacity)[pixel] * 100 + 32767) / 65535) + " %");
  const auto word = [&](const sim::Published<std::uint32_t>& name) {
    return row && shared_ ? word_of(shared_->view(name), *row) : std::nullopt;
  };
  if (const auto shifted = word(published_.segmented))
    fact(ui, groups_ ? published_.shade.c_str() : "shifted to", rgb_text(colour_of(*shifted)));
  const auto cluster = groups_ ? word(published_.clusters) : std::nullopt;
  if (cluster && *cluster < groups_->sizes.size()) {
    const std::vector<std::size_t> order = sim::by_size(groups_->sizes);
    fact(ui, "cluster", sim::with_commas(std::size_t(std::ranges::find(order, *cluster) - order.begin())));
    fact(ui, "its pixels", sim::with_commas(groups_->sizes[*cluster]));
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar(2);
  ui.ids.state("hover", std::to_string(pixel));
}

void ImageScene::view_options(Ui& ui) {
  double percent = 100 * divider_;
  if (slider(ui, "divider-place", "Divider", "%", "Where the original ends and the segmented picture begins", percent,
             {.low = 0, .high = 100, .whole = true, .initial = 50})
          .changed)
    divider_ = percent / 100;
  gap(ui, 4);
}

void ImageScene::keep_state(KeptState& state) {
  state.number("divider", 0, 1, divider_);
  if (state.camera(camera_)) fresh_ = false;
}

}  // namespace kinescope::app
