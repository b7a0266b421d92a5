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
  // Begins a pass over these rows. A pass may build on the one before: they are those of one worker in one generation,
  // in their order. The centroids must stay until take() or sums().
  virtual void compute(const Pass& pass, std::span<const float> centroids) = 0;
  // Waits for the pass. Its sums (RunView::sums), [(d + 1) × pass.clusters + 1]: those from `first` on, copied; or all,
  // in the memory of the processor, until the next pass.
  virtual void take(std::size_t first, std::span<std::int64_t> to) = 0;
  virtual const std::int64_t* sums() = 0;
  // Whether centroids and sums that lie in RowSumsSetup::memory are read and written there.
  virtual bool registered() const = 0;
};

struct RowSumsSetup {
  Setup setup;                           // data, backend, threads, device
  RunFacts facts;                        // as the coordinator has them
  Rows rows;                             // which
  std::int64_t megabytes = 0;            // that they may take on the device; 0: a half of what is free
  int sharing = 1;                       // so many workers share the device, and what is free there
  std::shared_ptr<SharedMemory> memory;  // in which centroids come and sums go, registered with the GPU; or null
  bool gathers = false;                  // offers a twin of the answers' places there, of rank 0's GPU
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
