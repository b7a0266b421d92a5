// Layers for scenes of points (point_layer.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/scenes/points/point_layer.hpp"
#include "render/fields/field_picture.hpp"
#include "render/lines/lines.hpp"

namespace kinescope::app {

// A layer that the user can show and hide.
class SwitchedLayer : public PointLayer {
 public:
  // `key` names the switch in sessions and in GUI tests.
  SwitchedLayer(const char* key, std::string label, std::string help, bool shown = true)
      : shown_(shown), key_(key), label_(std::move(label)), help_(std::move(help)) {}

  void view_options(Ui& ui, const PointView& view) override {
    if (offered(view)) toggle(ui, key_, label_.c_str(), help_.c_str(), shown_);
  }
  void keep_state(KeptState& state) override { state.on_off(key_, shown_); }

 protected:
  virtual bool offered(const PointView&) const { return true; }  // there is something to show

  bool shown_;

 private:
  const char* key_;
  std::string label_, help_;
};

// A field over the plane of the first two columns, as colours or as lines of equal value.
class FieldLayer : public PointLayer {
 public:
  struct Area {
    glm::ivec2 size{0, 0};  // columns, rows
    glm::vec2 low{0}, high{1};
    float maximum = 1;
    float reach = 0;  // how far from the points the field is visible
  };
  // Called whenever something new is published; returns nothing if there is no field.
  using Find = std::function<std::optional<Area>(const sim::Snapshot&)>;
  // `buffer`: [rows × columns], from 0 to Area::maximum. `name` says what the field is: "density".
  FieldLayer(sim::Published<float> buffer, std::string name, Find find)
      : buffer_(buffer), name_(std::move(name)), find_(std::move(find)) {}

  void begin_run(const std::shared_ptr<const sim::Dataset>&, sim::ParameterSet&) override { generation_ = 0; }
  void update(const PointView& view) override;
  void draw(const PointView& view, const render::Canvas& canvas) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;
  void view_options(Ui& ui, const PointView& view) override;
  float reach(const PointView& view) const override { return look_ != 0 && shows(view) ? place_->reach : 0; }
  void keep_state(KeptState& state) override { state.option("field", {"0", "1", "2"}, look_); }

 private:
  bool shows(const PointView& view) const {
    return place_ && view.points.dimensions == 2 && view.points.columns[0] == 0 && view.points.columns[1] == 1;
  }

  sim::Published<float> buffer_;
  std::string name_;
  Find find_;
  render::FieldPicture picture_;
  std::optional<Area> place_;
  std::uint64_t generation_ = 0;
  std::size_t look_ = 1;  // off, lines, colours
};

// Points that move while the scene's own points stay in place; drawn over them until the groups are known.
class MovingPointsLayer : public PointLayer {
 public:
  // `buffer` has the shape of the scene's positions. `legend` says what the points are.
  MovingPointsLayer(render::OpenGl& opengl, bool repeatable, sim::Published<float> buffer, std::string legend)
      : buffer_(buffer),
        legend_(std::move(legend)),
        cloud_(opengl, repeatable ? render::PointPath::compute : render::PointPath::automatic) {}

  void keep(std::vector<KeptBuffer>& kept, std::size_t columns) const override { kept.emplace_back(buffer_, columns); }
  void draw(const PointView& view, const render::Canvas& canvas) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;

 private:
  sim::Published<float> buffer_;
  std::string legend_;
  render::PointCloud cloud_;
};

// The recent paths of points.
class TrailLayer : public SwitchedLayer {
 public:
  // `buffer` has the moving points, `start` the places where they began; both are shaped like the scene's positions.
  TrailLayer(sim::Published<float> buffer, sim::Published<float> start)
      : SwitchedLayer("trails", "Trails", "Show the last positions of up to 2,000 points as lines", false),
        buffer_(buffer),
        start_(start) {}

  void begin_run(const std::shared_ptr<const sim::Dataset>&, sim::ParameterSet&) override;
  void update(const PointView& view) override;
  void draw(const PointView& view, const render::Canvas& canvas) override;

 private:
  static constexpr std::size_t length = 64, most = 2000;

  sim::Published<float> buffer_, start_;
  render::Lines lines_;
  render::Trails trails_{length, most};
  std::uint64_t generation_ = 0;
  long iteration_ = 0;
  bool begun_ = false;
  int skip_ = 0;  // publications to ignore: they were under way when the points started again
};

// A disc at the centre of each group, with the group's number; its area follows the group's size.
class CentreLayer : public SwitchedLayer {
 public:
  // The name of one centre, for the legend; the label of the option, and its help: "mode", "Modes", "...".
  CentreLayer(std::string legend, std::string label, std::string help)
      : SwitchedLayer("centres", std::move(label), std::move(help)), legend_(std::move(legend)) {}
  void draw_overlay(const PointView& view, const PictureArea& area) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;

 private:
  std::string legend_;
};

}  // namespace kinescope::app
