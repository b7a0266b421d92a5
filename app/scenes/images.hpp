// The scene of a picture that a simulation segments: the original and the result in the same place, with a divider
// between them that can be dragged.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "app/scenes/scene.hpp"
#include "kinescope/groups.hpp"
#include "render/camera.hpp"
#include "render/pictures/picture_pair.hpp"

namespace kinescope::app {

// How a simulation segments a picture. The groups have colours.
struct SegmentedPicture {
  sim::Published<std::uint32_t> segmented, clusters;
  std::string before_groups;  // the legend's title while there are no groups
  std::string shade;          // what a pixel's new colour is once there are groups: "mode's r, g, b"
  std::string about;
  Explanations figures;
};

class ImageScene : public Scene {
 public:
  // The data must be a picture (sim::is_image).
  explicit ImageScene(SegmentedPicture published);

  void set_data(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& parameters) override;
  void update(const FrameTime& time, glm::ivec2 picture_size) override;
  void draw(const render::Canvas& canvas, render::Background background) override;
  void draw_overlay(const PictureArea& area) override;
  void interact(Ui& ui, const PictureArea& area) override;
  void frame_all(bool at_once) override;
  bool moving() const override { return camera_.moving(); }
  void keep_state(KeptState& state) override;

 private:
  void view_options(Ui& ui);
  render::Bounds bounds() const;
  // Pixels from the area's left.
  float divider_at(const PictureArea& area) const { return float(divider_) * (area.high.x - area.low.x); }
  Legend legend() const;
  void draw_divider(const PictureArea& area, bool grabbed) const;
  std::optional<std::size_t> pixel_at(glm::vec2 mouse) const;
  // The point of a pixel; nothing if it is fully transparent.
  std::optional<std::size_t> row_of(std::size_t pixel) const;
  void tooltip(Ui& ui, std::size_t pixel);

  const SegmentedPicture published_;
  std::shared_ptr<const sim::Dataset> data_;
  std::vector<std::uint32_t> rows_;  // of each pixel; empty if pixel i is point i
  render::PicturePair pair_;
  render::Camera camera_{2};
  double divider_ = 0.5;  // as a part of the picture's width
  bool fresh_ = true, on_divider_ = false;
  std::shared_ptr<const sim::Groups> groups_;
};

}  // namespace kinescope::app
