#include <dlfcn.h>
#include <string>

#include "kinescope/error.hpp"
#include "sim/fitzhugh_nagumo/axon/cusparse.hpp"

namespace kinescope::sim::fitzhugh_nagumo {
namespace {

constexpr int success = 0;  // CUSPARSE_STATUS_SUCCESS

void check(int status, const std::string& what) {
  if (status != success) throw run_error("solver=cusparse: " + what + " failed with status " + std::to_string(status));
}

}  // namespace

Cusparse::Cusparse(Cuda& cuda) : cuda_(cuda) {
  cuda_.make_current();
  for (const char* name : {"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so.11", "libcusparse.so"})
    if (!library_) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw input_error("solver=cusparse: the library libcusparse is not installed; try solver=auto");
  check(reinterpret_cast<int (*)(void**)>(function("cusparseCreate"))(&handle_), "cusparseCreate");
}

Cusparse::~Cusparse() {
  if (handle_)
    if (void* destroy = dlsym(library_, "cusparseDestroy")) reinterpret_cast<int (*)(void*)>(destroy)(handle_);
}

void* Cusparse::function(const std::string& name) const {
  void* found = dlsym(library_, name.c_str());
  if (!found) throw input_error("solver=cusparse: the installed libcusparse has no " + name + "; try solver=auto");
  return found;
}

template <class T>
void Cusparse::solve(const System<T>& system, T* solution, std::int64_t rows) {
  const auto& [lower, diagonal, upper, right] = system;
  const std::string solve_function = sizeof(T) == 8 ? "cusparseDgtsv2_nopivot" : "cusparseSgtsv2_nopivot",
                    size_function = solve_function + "_bufferSizeExt";
  using Size = int (*)(void*, int, int, const T*, const T*, const T*, const T*, int, std::size_t*);
  using Solve = int (*)(void*, int, int, const T*, const T*, const T*, T*, int, void*);
  cuda_.make_current();
  // Set for each solve, because launches that are recorded go to another stream.
  check(reinterpret_cast<int (*)(void*, cudaStream_t)>(function("cusparseSetStream"))(handle_, cuda_.stream()),
        "cusparseSetStream");
  const int n = static_cast<int>(rows);
  const std::size_t bytes = static_cast<std::size_t>(rows) * sizeof(T);
  CUDA_CHECK(cudaMemcpyAsync(solution, right, bytes, cudaMemcpyDeviceToDevice, cuda_.stream()));
  std::size_t needed = 0;
  check(reinterpret_cast<Size>(function(size_function))(handle_, n, 1, lower, diagonal, upper, solution, n, &needed),
        size_function);
  if (workspace_.size() < needed) workspace_ = Array<unsigned char, Cuda>(cuda_, needed);
  const auto solve = reinterpret_cast<Solve>(function(solve_function));
  cuda_.library("cusparse", [&] {
    check(solve(handle_, n, 1, lower, diagonal, upper, solution, n, workspace_.data()), solve_function);
  });
}

template void Cusparse::solve(const System<float>&, float*, std::int64_t);
template void Cusparse::solve(const System<double>&, double*, std::int64_t);

}  // namespace kinescope::sim::fitzhugh_nagumo
