// The scene of a simulation whose data may be a picture or points: whichever the data are, that scene draws.
#pragma once

#include <functional>

#include "app/scenes/scene.hpp"

namespace kinescope::app {

class PictureOrPoints : public Scene {
 public:
  using Make = std::function<std::unique_ptr<Scene>()>;  // called when first needed
  PictureOrPoints(Make make_picture, Make make_points)
      : make_picture_(std::move(make_picture)), make_points_(std::move(make_points)) {}

  void set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters) override;
  void set_run(render::SharedBuffers& buffers, Runner& runner) override { now_->set_run(buffers, runner); }
  void update(const FrameTime& time, glm::ivec2 size) override {
    if (now_) now_->update(time, size);
  }
  void draw(const render::Canvas& canvas, render::Ground ground) override {
    if (now_) now_->draw(canvas, ground);
  }
  void draw_overlay(const PictureArea& area) override {
    if (now_) now_->draw_overlay(area);
  }
  void interact(Ui& ui, const PictureArea& area) override {
    if (now_) now_->interact(ui, area);
  }
  void frame_all(bool at_once) override {
    if (now_) now_->frame_all(at_once);
  }
  bool moving() const override { return now_ && now_->moving(); }
  void colour_options(Ui& ui) override {
    if (now_) now_->colour_options(ui);
  }
  void view_options(Ui& ui) override {
    if (now_) now_->view_options(ui);
  }
  void details(Ui& ui) override {
    if (now_) now_->details(ui);
  }
  void choose_nothing() override {
    if (now_) now_->choose_nothing();
  }
  long chosen() const override { return now_ ? now_->chosen() : 0; }
  std::string about() const override { return now_ ? now_->about() : ""; }
  Explanations figures() const override { return now_ ? now_->figures() : Explanations(); }
  std::vector<std::string> further_parameters() const override {
    return now_ ? now_->further_parameters() : std::vector<std::string>();
  }
  std::vector<std::string> data_parameters() const override {
    return now_ ? now_->data_parameters() : std::vector<std::string>();
  }
  std::vector<std::string> own_parameters() const override {
    return now_ ? now_->own_parameters() : std::vector<std::string>();
  }
  ParameterHint hint(const sim::Parameter& parameter, sim::ParameterSet& set) const override {
    return now_ ? now_->hint(parameter, set) : ParameterHint();
  }
  double pace(sim::ParameterSet& parameters, double usual) const override {
    return now_ ? now_->pace(parameters, usual) : usual;
  }
  Texts view_state() const override { return now_ ? now_->view_state() : Texts(); }
  void set_view_state(const Texts& state) override {
    if (now_) now_->set_view_state(state);
  }
  std::optional<sim::Table> take_table() override { return now_ ? now_->take_table() : std::nullopt; }
  std::size_t points() const override { return now_ ? now_->points() : 0; }
  double take_command_ms() override { return now_ ? now_->take_command_ms() : 0; }

 private:
  Make make_picture_, make_points_;
  std::unique_ptr<Scene> picture_, points_;
  Scene* now_ = nullptr;
};

}  // namespace kinescope::app
