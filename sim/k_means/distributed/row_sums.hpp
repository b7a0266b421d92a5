// The labels and sums of some of the rows, as a worker computes them: on the CPU or on a GPU, with the kernels that a
// run uses when it computes alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "kinescope/simulation.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/distributed/protocol.hpp"

namespace kinescope::sim::k_means {

class RowSums {
 public:
  virtual ~RowSums() = default;
  // Starts a pass over the rows of RowSumsSetup. The centroids must stay valid until take() or sums(). A pass may build
  // on the one before it: an object computes the passes of one worker in one generation, in their order.
  virtual void compute(const Pass& pass, std::span<const float> centroids) = 0;
  // These wait for the pass and return its sums (RunView::sums), [(d + 1) × pass.clusters + 1]. take() copies those
  // from `first` on. sums() returns all, in the processor's memory, valid until the next pass.
  virtual void take(std::size_t first, std::span<std::int64_t> to) = 0;
  virtual const std::int64_t* sums() = 0;
  // Whether centroids and sums in RowSumsSetup::memory are read and written directly there.
  virtual bool registered() const = 0;
};

struct RowSumsSetup {
  Setup setup;                           // data, backend, threads, device
  RunFacts facts;                        // as the coordinator has them
  Rows rows;                             // the rows to sum
  std::int64_t megabytes = 0;            // memory that they may take on the device; 0: half of what is free
  int sharing = 1;                       // number of workers that share the device and its free memory
  std::shared_ptr<SharedMemory> memory;  // memory for centroids and sums, to be registered with the GPU; may be null
  bool gathers = false;                  // offers a twin of the answers' places, in the memory of rank 0's GPU
};
// Throws Error (run) when memory is short.
std::unique_ptr<RowSums> make_row_sums(const RowSumsSetup& setup);

// Starts the backend, which takes a fraction of a second on a GPU. It stays started while the result lives.
struct Started {
  std::shared_ptr<void> backend;
  std::string device;  // the GPU's name and PCI address: "NVIDIA H200 0000:1b:00.0"; "": the CPU
};
Started started(const Setup& setup);

}  // namespace kinescope::sim::k_means
