// What an algorithm may ask of the processor that it computes on. It is a template over an executor, so that one text
// runs on both: Cpu (cpu.hpp) and Cuda (cuda.cuh).
#pragma once

#include <concepts>
#include <cstddef>

#include "kinescope/executors/extent.hpp"
#include "kinescope/executors/host_device.hpp"
#include "kinescope/snapshot.hpp"

namespace kinescope::sim {

class Trace;

namespace any_launch {
struct Work {
  KINESCOPE_HD void operator()(std::int64_t) const {}
};
struct Value {
  KINESCOPE_HD int operator()(std::int64_t i) const { return static_cast<int>(i); }
};
struct Finish {
  KINESCOPE_HD void operator()(int) const {}
};
struct Once {
  KINESCOPE_HD void operator()() const {}
};
}  // namespace any_launch

// Memory is of the executor: only launches read and write it. Launches run one after the other, in the order of the
// calls, and may return before they have ended. Their labels name them in traces.
template <class E>
concept Executor = requires(E& executor, void* memory, const void* values, std::size_t bytes, Extent extent) {
  { E::backend } -> std::convertible_to<Backend>;
  // Aligned to 64 bytes. Throws Error (run) when memory is short.
  { executor.allocate(bytes) } -> std::same_as<void*>;
  executor.release(memory, bytes);                          // as many as were allocated
  { executor.held() } -> std::convertible_to<std::size_t>;  // bytes allocated and not released; from any thread
  // From and to the host's memory; both wait for the launches before them, and for the copy.
  executor.copy_in(memory, values, bytes);
  executor.copy_out(memory, values, bytes);
  executor.wait();  // for all launches so far
  // f(i) for each i of the extent, in any order, on any threads.
  executor.for_each("label", extent, any_launch::Work{});
  // f(0) + f(1) + … in the order that extent.hpp states, then finish(sum) once.
  executor.reduce("label", extent, 0, any_launch::Value{}, any_launch::Finish{});
  executor.once("label", any_launch::Once{});           // f() once
  { executor.stream() } -> std::convertible_to<void*>;  // the cudaStream_t of the launches, or null
  { executor.trace() } -> std::same_as<Trace&>;
};

}  // namespace kinescope::sim
