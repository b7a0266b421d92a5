// Labels for many clusters and columns.
#pragma once

#include "sim/core/array.hpp"
#include "sim/core/cuda.cuh"
#include "sim/k_means/launches.hpp"

namespace kinescope::sim::k_means {

// The nearest of all centroids, exactly, by the formula; a point a thread.
struct LabelExactly {
  RunView run;
  Stage stage;
  __device__ void operator()(std::int64_t i) const {
    if (run.idle(stage)) return;
    run.labels[i] = nearest(run.points.first_column(i), run.current_centroids(), run.clusters, run.dimensions()).label;
  }
};

struct SquareOfLabel {
  RunView run;
  Stage stage;
  __device__ void operator()(std::int64_t i) const {
    if (run.idle(stage)) return;
    run.squares[i] = squared_distance(run.points.first_column(i),
                                      run.current_centroids() + std::int64_t(run.labels[i]) * run.dimensions(),
                                      run.dimensions());
  }
};

struct RememberLabel {
  RunView run;
  std::uint32_t* to;
  __device__ void operator()(std::int64_t i) const {
    if (!run.idle(Stage::lloyd)) to[i] = run.labels[i];
  }
};

class MatrixLabels {
 public:
  explicit MatrixLabels(Cuda& cuda) : cuda_(cuda) {}

  void prepare(const RunView& run) {
    if (earlier_.size() == 0) earlier_ = Array<std::uint32_t, Cuda>(cuda_, static_cast<std::size_t>(run.points.count));
  }
  // Before run.labels are made anew.
  void remember_labels(const RunView& run) {
    cuda_.for_each("earlier labels", run.points.count, RememberLabel{run, earlier_.data()});
  }
  const std::uint32_t* earlier_labels() const { return earlier_.data(); }
  void label(const RunView& run, Stage stage) {
    cuda_.for_each("label", run.points.count, LabelExactly{run, stage});
  }
  void squares(const RunView& run, Stage stage) {
    cuda_.for_each("squares", run.points.count, SquareOfLabel{run, stage});
  }

 private:
  Cuda& cuda_;
  Array<std::uint32_t, Cuda> earlier_;
};

}  // namespace kinescope::sim::k_means
