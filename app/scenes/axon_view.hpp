// FitzHugh–Nagumo along an axon, as plots: the axon, the phase plane, space and time; with a second solution their
// difference, with the implicit scheme Newton's corrections.
#pragma once

#include <deque>
#include <vector>

#include "app/scenes/plot.hpp"
#include "app/scenes/wave_view.hpp"
#include "render/field_picture.hpp"

namespace kinescope::app {

class AxonView : public WaveView {
 public:
  explicit AxonView(const SceneSetup& setup) : painter_(setup.opengl) {}

  void begin_run(const WaveRun& run) override;
  void update(const FrameTime& time, const WaveMoment& moment, glm::ivec2 picture_size) override;
  void draw(const render::Canvas& canvas, render::Ground ground) override;
  void draw_overlay(const PictureArea& area) override;
  bool interact(Ui& ui, const PictureArea& area) override;
  void view_options(Ui& ui) override;
  Texts view_state() const override;
  void set_view_state(const Texts& state) override;

 private:
  struct Plots {
    Plot axon, difference, phase, space_time, newton;
  };
  // The same for the same size: of a picture of `size` pixels.
  Plots lay_out(glm::vec2 size, float scale, render::Ground ground) const;
  void forget();
  void describe(Plots& plots, render::Ground ground) const;
  bool two() const { return run_.two(); }
  bool implicit() const { return run_.has(sim::fitzhugh_nagumo::Scheme::implicit); }
  bool adaptive() const { return run_.has(sim::fitzhugh_nagumo::Scheme::adaptive); }
  render::Series along(const sim::Published<float>& buffer) const;
  void draw_axon(const Plot& plot, const render::Canvas& canvas, render::Ground ground);
  void draw_phase(const Plot& plot, const render::Canvas& canvas, render::Ground ground);
  void draw_space_time(const Plot& plot, const render::Canvas& canvas, render::Ground ground);
  void draw_newton(const Plot& plot, const render::Canvas& canvas, render::Ground ground);
  void name_nullclines(const Plot& plot, const PictureArea& area) const;
  void draw_plots(const Plots& plots, const PictureArea& area) const;
  void draw_brush(const Plot& plot, const PictureArea& area, double x) const;

  WaveRun run_;
  WaveMoment moment_;
  PlotPainter painter_;
  render::FieldPicture field_;
  WaveColours colours_;
  double reach_ = 1.2;                     // of v, up; more while a run blows up
  double difference_reach_ = 1e-6;         // a round number, the largest of this run
  double newton_low_ = -6;                 // decimal logarithm of the smallest correction to be seen
  double newton_columns_ = 3.25;           // how far the iterations of a step go
  std::deque<std::vector<float>> recent_;  // Newton's corrections, the latest last
  double radius_ = 8;                      // of a stimulus, length
  double stroke_ = 0;                      // where the hand has come to
  bool show_nodes_ = true;
};

}  // namespace kinescope::app
