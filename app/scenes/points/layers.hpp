// Layers for scenes of points (point_layer.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/scenes/points/point_layer.hpp"
#include "app/scenes/view_state.hpp"
#include "render/fields/field_picture.hpp"
#include "render/lines/lines.hpp"

namespace kinescope::app {

// A field over the plane of the first two columns, as colours or as lines of equal value.
class FieldLayer : public PointLayer {
 public:
  struct Place {
    glm::ivec2 size{0, 0};  // columns, rows
    glm::vec2 low{0}, high{1};
    float maximum = 1;
    float reach = 0;  // how far from the points the field is visible
  };
  // Called whenever something new is published; returns nothing if there is no field.
  using Find = std::function<std::optional<Place>(const sim::Simulation&)>;
  // `buffer`: [rows × columns], from 0 to Place::maximum. `name` says what the field is: "density".
  FieldLayer(sim::Published<float> buffer, std::string name, Find find);

  void begin_run() override { generation_ = 0; }
  void update(const PointView& view) override;
  void draw(const PointView& view, const render::Canvas& canvas) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;
  void view_options(Ui& ui, const PointView& view) override;
  float reach(const PointView& view) const override { return look_ != 0 && shows(view) ? place_->reach : 0; }
  void add_state(Texts& state) const override { state["field"] = number_state(double(look_)); }
  void take_state(const Texts& state) override {
    double look = double(look_);
    read_number(state, "field", 0, 2, look);
    look_ = std::size_t(look);
  }

 private:
  bool shows(const PointView& view) const;

  sim::Published<float> buffer_;
  std::string name_;
  Find find_;
  render::FieldPicture picture_;
  std::optional<Place> place_;
  std::uint64_t generation_ = 0;
  std::size_t look_ = 1;  // off, lines, colours
};

// Points that move while the scene's own points stay in place; drawn over them until the groups are known.
class MovingPointsLayer : public PointLayer {
 public:
  // `buffer` has the shape of the scene's positions. `legend` says what the points are.
  MovingPointsLayer(render::OpenGl& opengl, bool repeatable, sim::Published<float> buffer, std::string legend);

  void keep(std::vector<KeptBuffer>& kept, std::size_t columns) const override { kept.emplace_back(buffer_, columns); }
  void draw(const PointView& view, const render::Canvas& canvas) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;

 private:
  sim::Published<float> buffer_;
  std::string legend_;
  render::PointCloud cloud_;
};

// The recent paths of points; the user can show and hide them.
class TrailLayer : public PointLayer {
 public:
  struct Source {
    sim::Published<float> buffer;  // the moving points; shaped like the scene's positions
    sim::Published<float> start;   // where they began; none: unknown
    std::size_t length = 64, most = 2000;
    bool shown = false;
  };
  explicit TrailLayer(Source source);

  void begin_run() override;
  void update(const PointView& view) override;
  void draw(const PointView& view, const render::Canvas& canvas) override;
  void view_options(Ui& ui, const PointView& view) override;
  void add_state(Texts& state) const override { state["trails"] = switch_state(shown_); }
  void take_state(const Texts& state) override { read_switch(state, "trails", shown_); }

 private:
  void begin(const PointView& view);

  Source source_;
  render::Lines lines_;
  render::Trails trails_;
  std::uint64_t generation_ = 0;
  long iteration_ = 0;
  bool shown_, begun_ = false;
  int skip_ = 0;  // publications to ignore: they were under way when the points started again
};

// A disc at the centre of each group, with the group's number; its area follows the group's size.
class CentreLayer : public PointLayer {
 public:
  // The name of one centre, for the legend; the label of the option, and its help: "mode", "Modes", "...".
  CentreLayer(std::string legend, std::string label, std::string help)
      : legend_(std::move(legend)), label_(std::move(label)), help_(std::move(help)) {}
  void draw_overlay(const PointView& view, const PictureArea& area) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;
  void view_options(Ui& ui, const PointView& view) override;
  void add_state(Texts& state) const override { state["centres"] = switch_state(shown_); }
  void take_state(const Texts& state) override { read_switch(state, "centres", shown_); }

 private:
  std::string legend_, label_, help_;
  bool shown_ = true;
};

}  // namespace kinescope::app
