// Beside the frame times: the number of clusters against the bandwidth, for runs of mean shift.
#include "app/features/bandwidth/bandwidth_plot.hpp"
#include "app/features/feature.hpp"
#include "kinescope/mean_shift/mean_shift.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::app {
namespace {

class BandwidthFeature : public Feature {
 public:
  BandwidthFeature() {
    adds_.plots = {{.title = "Bandwidth",
                    .draw = [this](Ui& ui) { plot_.draw(ui, used_->value, requests_.wishes); },
                    .offered = [this] { return used_ != nullptr; }}};
  }

  void begin_run(const BegunRun& run) override {
    if (const auto* own = dynamic_cast<const sim::MeanShiftParameters*>(&run.made)) plot_.set_data(run.data, *own);
  }
  void update(const FrameTime& time) override {
    used_ = time.now->share<sim::Bandwidth>();
    plot_.update();
  }
  bool moving() const override { return plot_.moving(); }

 private:
  std::shared_ptr<const sim::Bandwidth> used_;  // null: no run of mean shift is shown
  BandwidthPlot plot_;
};

}  // namespace

FeatureKind bandwidth_feature() {
  return {.make = [](const SceneSetup&) -> std::unique_ptr<Feature> { return std::make_unique<BandwidthFeature>(); }};
}

}  // namespace kinescope::app
