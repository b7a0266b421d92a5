// Runs that several processes compute: a strip for each worker beside the frame times, points in the colours of their
// workers, and marks on the curve where a worker was lost or joined.
#include "app/features/feature.hpp"
#include "app/features/workers/workers_view.hpp"

namespace kinescope::app {
namespace {

CurveMark mark(const sim::KMeansWorkers::Event& event, const char* what, bool warns) {
  return {long(event.iteration), "Worker " + std::to_string(event.worker) + what, warns};
}

class WorkersFeature : public Feature {
 public:
  WorkersFeature() {
    adds_.plots = {
        {.title = "Workers", .draw = [this](Ui& ui) { strips_.draw(ui); }, .offered = [this] { return has_workers_; }}};
    adds_.marks = [this] { return marks_; };
  }

  void begin_run(const BegunRun& run) override {
    strips_.begin_run();
    points_ = run.data ? run.data->points : 0;
  }
  void update(const FrameTime& time) override {
    const auto* workers = time.now->find<sim::KMeansWorkers>();
    has_workers_ = workers != nullptr;
    marks_.clear();
    if (!workers) return;
    for (const auto& each : workers->lost) marks_.push_back(mark(each, " was lost", true));
    for (const auto& each : workers->joined) marks_.push_back(mark(each, " joined", false));
    strips_.update(*workers, time.seconds, std::int64_t(points_));
  }

 private:
  bool has_workers_ = false;
  std::size_t points_ = 0;
  WorkerStrips strips_;
  std::vector<CurveMark> marks_;
};

}  // namespace

FeatureKind workers_feature() {
  return {.make = [](const SceneSetup&) -> std::unique_ptr<Feature> { return std::make_unique<WorkersFeature>(); },
          .make_layer = [](const SceneSetup& setup) -> std::unique_ptr<PointLayer> {
            if (!setup.workers) return nullptr;
            return std::make_unique<WorkerColours>();
          }};
}

}  // namespace kinescope::app
