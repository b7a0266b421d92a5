// The CPU executor: launches on oneTBB's threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/executors/devices.hpp"
#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/extent.hpp"
#include "kinescope/simulation.hpp"
#include "kinescope/trace.hpp"

namespace kinescope::sim {

// Limits oneTBB to this many threads while the returned object lives, also for preparing data. If several limits are
// alive, the smallest counts. 0 means all threads; then the result is null.
std::shared_ptr<void> limit_threads(int threads);

class Cpu {
 public:
  static constexpr Backend backend = Backend::cpu;

  explicit Cpu(int threads) : Cpu(Setup{.threads = threads}) {}
  explicit Cpu(const Setup& setup);

  void* allocate(std::size_t bytes);
  void release(void* memory, std::size_t bytes) noexcept;
  std::size_t held() const;
  void copy_in(void* to, const void* from, std::size_t bytes);
  void copy_out(void* to, const void* from, std::size_t bytes);
  void wait() {}
  void* stream() const { return nullptr; }
  Trace& trace() { return *trace_; }

  template <class F>
  void for_each(const char* label, Extent extent, F f) {
    const ScopedSpan span(*trace_, label);
    const std::int64_t count = actual(extent);
    blocks(count, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) f(i);
    });
  }

  // Adds total = f(0) + f(1) + ... in the order that extent.hpp states, then calls finish(total) once, on one thread.
  // The operator + of T adds.
  template <class T, class F, class Finish>
  void reduce(const char* label, Extent extent, T identity, F f, Finish finish) {
    const ScopedSpan span(*trace_, label);
    const std::int64_t count = actual(extent);
    const std::int64_t block_count = (count + reduction_block - 1) / reduction_block;
    std::vector<T>& totals = scratch<T>(static_cast<std::size_t>(block_count), identity);
    blocks(block_count * reduction_block, [&](std::int64_t begin, std::int64_t end) {
      std::array<T, reduction_block> values;
      for (std::int64_t first = begin; first < end; first += reduction_block) {
        const int present = static_cast<int>(std::min<std::int64_t>(reduction_block, count - first));
        for (int i = 0; i < present; ++i) values[i] = f(first + i);
        std::fill(values.begin() + present, values.end(), identity);
        totals[static_cast<std::size_t>(first / reduction_block)] = sum_in_tree(values);
      }
    });
    finish(sum_of_totals(totals, identity));
  }

  // Calls f(k) for each k; each call is long enough for a thread of its own.
  template <class F>
  void tasks(const char* label, std::int64_t count, F f) {
    const ScopedSpan span(*trace_, label);
    if (count == 1) return f(std::int64_t{0});
    on_threads(count, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) f(k);
    });
  }

  template <class F>
  void once(const char* label, F f) {
    const ScopedSpan span(*trace_, label);
    f();
  }

 private:
  static std::int64_t actual(const Extent& extent) { return extent.actual ? *extent.actual : extent.maximum; }

  // Small launches stay on the calling thread: waking another one costs more.
  template <class F>
  void blocks(std::int64_t count, const F& f) {
    constexpr std::int64_t grain = 4 * reduction_block;
    count <= grain ? f(std::int64_t{0}, count) : on_threads(count, grain, f);
  }

  // Calls f(begin, end) for ranges of at least `grain` that make up 0 … count, on the arena's threads.
  template <class F>
  void on_threads(std::int64_t count, std::int64_t grain, const F& f) {
    run_ranges(count, grain, &f, [](const void* work, std::int64_t begin, std::int64_t end) {
      (*static_cast<const F*>(work))(begin, end);
    });
  }

  // Not a template, so that oneTBB's part is compiled once and not for each launch.
  void run_ranges(std::int64_t count, std::int64_t grain, const void* work,
                  void (*run)(const void* work, std::int64_t begin, std::int64_t end));

  template <class T>
  static std::vector<T>& scratch(std::size_t size, const T& identity) {
    thread_local std::vector<T> totals;
    totals.assign(size, identity);
    return totals;
  }

  template <class T>
  static T sum_in_tree(std::array<T, reduction_block>& values) {
    for (int width = reduction_block / 2; width > 0; width /= 2)
      for (int i = 0; i < width; ++i) values[i] = values[i] + values[i + width];
    return values[0];
  }

  template <class T>
  static T sum_of_totals(const std::vector<T>& totals, const T& identity) {
    std::array<T, reduction_block> sums;
    sums.fill(identity);
    for (std::size_t i = 0; i < totals.size(); ++i) sums[i % reduction_block] = sums[i % reduction_block] + totals[i];
    return sum_in_tree(sums);
  }

  struct Threads;  // defined in cpu.cpp, because oneTBB's header takes a second to compile

  std::shared_ptr<Threads> threads_;
  std::shared_ptr<Trace> trace_;
};
static_assert(Executor<Cpu>);

}  // namespace kinescope::sim
