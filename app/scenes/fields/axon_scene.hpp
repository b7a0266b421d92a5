// FitzHugh–Nagumo along an axon, as plots: the axon, the phase plane, space and time. With a second solution there is
// also a plot of the difference, with the implicit scheme one of Newton's corrections.
#pragma once

#include <deque>
#include <vector>

#include "app/scenes/fields/waves.hpp"
#include "app/scenes/plot.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"
#include "render/fields/field_picture.hpp"

namespace kinescope::app {

class AxonScene : public Scene {
 public:
  explicit AxonScene(const SceneSetup& setup);

  void set_data(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& parameters) override;
  void set_run(const render::DrawnBuffers& buffers, Runner& runner) override;
  void update(const FrameTime& time, glm::ivec2 picture_size) override;
  void draw(const render::Canvas& canvas, render::Background background) override;
  void draw_overlay(const PictureArea& area) override;
  void interact(Ui& ui, const PictureArea& area) override;
  void keep_state(KeptState& state) override;

 private:
  void view_options(Ui& ui);
  struct Plots {
    Plot axon, difference, phase, space_time, newton;
  };
  // Places the plots in a picture of `size` pixels. Within a frame, the same size gives the same plots.
  Plots lay_out(glm::vec2 size, float scale, render::Background background) const;
  void forget();
  Plots describe(render::Background background) const;
  bool stimulate(Ui& ui, const PictureArea& area);
  double length() const { return double(now_.nodes - 1) * now_.dx; }
  bool two() const { return compare_ != sim::fitzhugh_nagumo::Compare::none; }
  // The values of Compare are `none`, then the schemes in the order of Scheme.
  bool has(sim::fitzhugh_nagumo::Scheme scheme) const { return scheme_ == scheme || int(compare_) == int(scheme) + 1; }
  bool implicit() const { return has(sim::fitzhugh_nagumo::Scheme::implicit); }
  bool adaptive() const {
    using sim::fitzhugh_nagumo::Scheme;
    return has(Scheme::adaptive) || has(Scheme::adaptive_paper);
  }
  render::Series along(const sim::Published<float>& buffer) const;
  void draw_axon(const Plot& plot, const render::Canvas& canvas, render::Background background);
  void draw_phase(const Plot& plot, const render::Canvas& canvas, render::Background background);
  void draw_space_time(const Plot& plot, const render::Canvas& canvas, render::Background background);
  void draw_newton(const Plot& plot, const render::Canvas& canvas, render::Background background);
  void name_nullclines(const Plot& plot, const PictureArea& area) const;
  void draw_plots(const Plots& plots, const PictureArea& area) const;
  void draw_brush(const Plot& plot, const PictureArea& area, double x) const;

  sim::WaveFigures now_;
  // The parameters' values; with Compare::none there is one solution.
  sim::fitzhugh_nagumo::Scheme scheme_{};
  sim::fitzhugh_nagumo::Compare compare_{};
  std::string scheme_name_, compare_name_;
  PlotPainter painter_;
  render::FieldPicture field_;
  FieldColours colours_ = wave_colours();
  double reach_ = 1.2;                     // largest v that is shown; more while a run blows up
  double difference_reach_ = 1e-6;         // a round number above the largest difference of this run
  double newton_low_ = -6;                 // decimal logarithm of the smallest correction that is shown
  double newton_columns_ = 3.25;           // number of Newton iterations that are shown
  std::deque<std::vector<float>> recent_;  // Newton's corrections, the latest last
  double radius_ = 8;                      // of a stimulus, in units of length
  double stroke_ = 0;                      // x of the mouse at the last stimulus
  bool show_nodes_ = true;
};

}  // namespace kinescope::app
