// Numbers below 1e-38 count as 0.
#pragma once

#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace kinescope::sim {

// While one of these lives, its thread treats numbers below 1e-38 as 0. The far tails of waves consist of such numbers,
// and processors are a hundred times slower with them.
class FlushTiny {
 public:
  FlushTiny() : before_(get()) { set(before_ | tiny_as_zero); }
  FlushTiny(const FlushTiny&) = delete;
  FlushTiny& operator=(const FlushTiny&) = delete;
  ~FlushTiny() { set(before_); }

 private:
#if defined(__SSE2__)
  using Mode = unsigned;
  static constexpr Mode tiny_as_zero = 0x8040;  // results, and what goes in
  static Mode get() {
    return _mm_getcsr();
  }
  static void set(Mode mode) {
    _mm_setcsr(mode);
  }
#elif defined(__aarch64__)
  using Mode = std::uint64_t;
  static constexpr Mode tiny_as_zero = Mode{1} << 24;
  static Mode get() {
    return __builtin_aarch64_get_fpcr64();
  }
  static void set(Mode mode) {
    __builtin_aarch64_set_fpcr64(mode);
  }
#else
  using Mode = unsigned;
  static constexpr Mode tiny_as_zero = 0;
  static Mode get() {
    return 0;
  }
  static void set(Mode) {}
#endif
  Mode before_;
};

}  // namespace kinescope::sim
