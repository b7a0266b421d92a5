// Ends the program with one line on a processor that lacks the instructions that all other files are compiled with.
// This file is compiled for any processor of its kind, and runs before the other files' static objects are made.
#include <string_view>
#include <unistd.h>

namespace {

#ifdef __x86_64__
[[gnu::constructor(101)]] void require_instructions() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return;
  constexpr std::string_view line =
      "kinescope: error: this processor lacks AVX2, FMA or BMI2, which most have had since about 2015\n";
  const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(written < 0 ? 2 : 1);
}
#endif

}  // namespace
