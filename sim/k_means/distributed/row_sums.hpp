// The labels and sums of some of the rows, as a worker computes them: on the CPU or on a GPU, with the kernels of a run
// that computes alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sim/core/simulation.hpp"
#include "sim/k_means/distributed/crew.hpp"
#include "sim/k_means/distributed/group.hpp"

namespace kinescope::sim::k_means {

class RowSums {
 public:
  virtual ~RowSums() = default;
  // Writes the sums of a pass over these rows (RunView::sums) to `sums`, [(d + 1) × pass.clusters + 1]. A pass may
  // build on the one before: they are those of one worker in one generation, in their order.
  virtual void sum(const Pass& pass, std::span<const float> centroids, std::span<std::int64_t> sums) = 0;
};

struct RowSumsSetup {
  Setup setup;                 // data, backend, threads, device
  RunFacts facts;              // as the coordinator has them
  Rows rows;                   // which
  std::int64_t megabytes = 0;  // that they may take on the device; 0: a half of what is free
  int sharing = 1;             // so many workers share the device, and what is free there
};
// Throws Error (run) when memory is short.
std::unique_ptr<RowSums> make_row_sums(const RowSumsSetup& setup);

// Starts the backend, which takes a part of a second on a GPU; it stays started while the result lives.
struct Started {
  std::shared_ptr<void> backend;
  std::string device;  // a GPU, by its name and where it is in the machine: "NVIDIA H200 0000:1b:00.0"; "": none
};
Started started(const Setup& setup);

}  // namespace kinescope::sim::k_means
