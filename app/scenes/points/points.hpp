// The scene of every simulation whose rows are points: camera, colours, legend, hover and whatever else such scenes
// share. Whatever a simulation shows besides its points is drawn by layers (layers.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "app/scenes/picture_mouse.hpp"
#include "app/scenes/points/alignment.hpp"
#include "app/scenes/points/colouring.hpp"
#include "app/scenes/points/point_axes.hpp"
#include "app/scenes/points/point_layer.hpp"
#include "app/scenes/points/scale_caption.hpp"
#include "app/scenes/points/selection.hpp"
#include "app/scenes/scene.hpp"
#include "kinescope/data/normalize.hpp"
#include "render/camera.hpp"
#include "render/gl/readback.hpp"
#include "render/points/bounds.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::app {

// What the simulation publishes, and how its scene shows and explains it.
struct PublishedPoints {
  sim::Published<float> positions;         // [points × columns]
  bool positions_stay = false;             // they do not change during a run
  bool positions_are_result = false;       // they are the first columns of the result
  sim::Published<std::uint32_t> emphasis;  // [points], a render::Emphasis each; none: all are normal
  // The parameter that sets the number of columns, 2 or 3. "": the snapshot has sim::PublishedColumns, from which the
  // user chooses the axes, or there are 2 columns.
  std::string dimensions_parameter;
  std::string arriving;  // what the legend calls a highlighted point

  // Once the snapshot has sim::Groups, this buffer [points] says which group colours each point. None: there are never
  // groups.
  sim::Published<std::uint32_t> classes;
  std::string group_name;  // "cluster"
  bool faint_until_grouped = false;
  // As in Contributions.
  std::string about;
  Explanations figures;
  Explanations phases = {};
};

class PointScene : public Scene {
 public:
  PointScene(const SceneSetup& setup, PublishedPoints published);
  // Layers are drawn in the order in which they were added.
  void add_under(std::unique_ptr<PointLayer> layer) { add(under_++, std::move(layer)); }
  void add_over(std::unique_ptr<PointLayer> layer) { add(layers_.size(), std::move(layer)); }

  void set_data(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& parameters) override;
  void set_run(const render::DrawnBuffers& buffers, Runner& runner) override;
  void update(const FrameTime& time, glm::ivec2 picture_size) override;
  void draw(const render::Canvas& canvas, render::Background background) override;
  void draw_overlay(const PictureArea& area) override;
  void interact(Ui& ui, const PictureArea& area) override;
  void fit_to(const PictureArea* area) override;
  void frame_all(bool at_once) override;
  bool moving() const override;
  void stand_beside(Scene* first) override;
  void follow(const Scene& leader) override;
  bool led() const override { return mouse_over_ || dragging_ || selection_drag_.under_way(); }
  void keep_state(KeptState& state) override;
  std::optional<ChosenRows> chosen_rows() const override { return ChosenRows{selected_, filters_, kept_}; }
  void choose_rows(const RowRequest& request) override;

 private:
  void add(std::size_t place, std::unique_ptr<PointLayer> layer) {
    layer->contribute(adds_);
    layers_.insert(layers_.begin() + std::ptrdiff_t(place), std::move(layer));
  }
  std::size_t points() const { return data_ ? data_->points : 0; }
  void colour_options(Ui& ui);
  void view_options(Ui& ui);
  void details(Ui& ui);
  bool has_choice() const { return !selected_->empty() || !filters_.empty() || kept_; }
  bool choose_nothing();
  void keep_columns(KeptState& state);
  void keep_colours(KeptState& state);
  void keep_hidden(KeptState& state);
  void keep_selection(KeptState& state);
  bool follows() const { return first_ && first_ != this; }
  void lie_over_first();
  render::PointBuffers buffers() const;
  render::PointStyle style(render::Background background) const;
  std::size_t edges() const { return data_ && data_->graph ? data_->graph->edges.size() : 0; }
  // `exact`: the density's range is that of the picture drawn last, even if this must wait for the GPU.
  Legend legend(render::Background background, bool exact) const;
  // The objects to which the PointViews of this frame refer.
  struct Shown {
    render::PointBuffers points;
    render::PointStyle style;
  };
  Shown shown(render::Background background) const { return {buffers(), style(background)}; }
  PointView view(const Shown& shown) const;
  // Calls f(layer, view) for each layer if there are points to draw.
  template <class F>
  void each_layer(render::Background background, F&& f) const {
    const Shown now = shown(background);
    if (!runner_ || now.points.count == 0) return;
    for (const auto& layer : layers_) f(*layer, view(now));
  }
  ScaleCaption scale_caption(const PictureArea& area, const Legend& shown) const;
  PictureArea legend_area(const PictureArea& area, const Legend& shown) const;
  bool offer_raw_values(Ui& ui, const PictureArea& area, const Legend& shown, bool hovered);
  PictureArea below_title(const PictureArea& area) const;
  void leave_room(const PictureArea& area, const Legend& shown);
  PointAxes axes() const;
  void draw_marks(const PictureArea& area);  // what layers draw over the picture, and the scale bar or axes
  std::size_t column_count() const { return column_names_.empty() ? std::size_t(dimensions_) : column_names_.size(); }
  void take_columns();
  void choose_columns(std::array<int, 3> columns);
  void column_options(Ui& ui);
  void edge_options(Ui& ui);
  float natural_edge_opacity() const;
  void take_groups();
  void colour_groups();
  bool by_groups() const { return published_.classes && colour_choice_ == 0; }
  void recolour();
  const PointLayer* colouring_layer() const;
  void take_layer_colours();
  void hide_later();
  void take_colouring(Colouring colouring);
  void update_bounds();
  render::Bounds framed() const;
  void move_camera(const PictureMouse& mouse);
  void pick(glm::vec2 at, bool hovered, float scale);
  void mark();
  void tooltip(Ui& ui);
  struct ColouredBy {
    std::string name, value;
    render::Rgb colour;
  };
  // The row whose group was requested last, and the latest answer.
  struct RowGroup {
    render::Readback readback{sizeof(std::uint32_t)};
    std::pair<std::uint32_t, std::uint64_t> asked{0, 0};  // row, publication
    std::optional<std::uint32_t> group;
  };
  // The way of the camera to a row, whose place is asked for first.
  struct Flight {
    std::uint32_t row = 0;
    render::Readback readback;
    std::optional<glm::vec3> place = std::nullopt;
    double begun = 0;
    render::Camera::State from = {}, last = {};  // the camera at the beginning, and where it was set last
  };
  std::optional<std::size_t> group_of(std::uint32_t row, RowGroup& known);
  std::optional<ColouredBy> coloured_by(std::size_t row, RowGroup& known);
  void row_facts(Ui& ui, std::size_t row, std::size_t most, RowGroup& known);
  void select(const std::vector<glm::vec2>& polygon, bool more);
  void select_rows(RowSet rows, std::vector<RowFilter> filters = {});
  void select_by(std::vector<RowFilter> filters);
  void pass_filters();
  void fly();
  void selection_details(Ui& ui);
  std::string row_title(std::size_t row) const;

  const std::shared_ptr<const void> alive_ =
      std::make_shared<char>();  // jobs in the background use it to check whether the scene still exists
  SceneSetup setup_;
  PublishedPoints published_;
  std::shared_ptr<const sim::Dataset> data_;
  std::vector<std::unique_ptr<PointLayer>> layers_;
  std::size_t under_ = 0;                                        // number of layers under the points; they come first
  sim::Normalization normalization_ = sim::Normalization::none;  // with which the run was made
  int dimensions_ = 2;
  std::vector<std::string> column_names_;
  std::vector<double> column_origins_;   // [column_names_]
  std::array<int, 3> columns_{0, 1, 2};  // columns of `positions` that are x, y and z; −1: none
  std::shared_ptr<const sim::Groups> groups_;
  std::vector<std::size_t> groups_by_size_;  // indices; the place is the number shown, colours go with the index
  // The class colour of each group, and the groups, with their centres, to which these colours were given. A cluster
  // that is found again with another bandwidth or another number of clusters keeps its colour.
  std::vector<std::size_t> group_colours_;
  std::shared_ptr<const sim::Groups> coloured_groups_;
  bool groups_went_on_ = false;  // the groups replaced earlier ones, in the same order

  render::PointCloud cloud_;
  render::BoundsFinder bounds_finder_;
  render::Camera camera_;
  std::optional<render::Camera> window_camera_;  // while fit_to() has another one
  render::Bounds bounds_;
  std::uint64_t bounded_generation_ = 0;
  PointScene* first_ = nullptr;                          // the leader of the pictures side by side; null: it is alone
  Aligner aligner_;                                      // used while this scene follows another
  render::Bounds beside_;                                // bounds of the points beside, while it leads
  double now_ = 0, bounded_at_ = -1, picked_time_ = -1;  // times of frames in seconds
  bool fresh_ = true;                                    // no bounds of these data are known yet

  std::vector<std::string> colour_choices_;
  std::size_t colour_choice_ = 0;
  Colouring colouring_;
  std::shared_ptr<const Colouring> layer_colours_;  // what colouring_ was copied from, if from a layer
  int colouring_ticket_ = 0;                        // number of the latest request
  std::vector<bool> hidden_;
  std::vector<std::size_t> hidden_later_;  // classes that a session had hidden, until they exist
  bool show_arriving_ = false;
  render::Background background_ = render::Background::dark;

  double size_factor_ = 1, opacity_ = 1, edge_factor_ = 1;
  bool edges_ = true;     // edges are drawn, if the data have any
  std::size_t mode_ = 0;  // points, density

  std::optional<std::uint32_t> hovered_, kept_;
  RowGroup hovered_group_, kept_group_;
  std::uint64_t pick_request_ = 0;
  glm::vec2 picked_at_{-1, -1};
  std::uint64_t picked_generation_ = 0;
  bool dragging_ = false, mouse_over_ = false;
  SelectionDrag selection_drag_;
  RowSet selected_ = std::make_shared<std::vector<std::uint32_t>>();
  std::vector<RowFilter> filters_;  // by which they are selected
  bool filtering_ = false;          // they are being found
  long choices_ = 0;                // how often the selection has changed so far
  long calls_ = 0;                  // how often a row was clicked or a selection made in the picture so far
  std::optional<Flight> flight_;
};

}  // namespace kinescope::app
