// make_coordinates on CUDA.
#include <algorithm>
#include <optional>
#include <vector>

#include "kinescope/executors/cpu.hpp"
#include "sim/glimmer/coordinates/coordinates_cuda.cuh"
#include "sim/glimmer/coordinates/dense_rows_cuda.cuh"
#include "sim/glimmer/coordinates/sparse_rows_cuda.cuh"

namespace kinescope::sim::glimmer {

template <>
Coordinates<Cuda> make_coordinates(Cuda& cuda, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                                   const std::vector<std::int64_t>& levels) {
  std::size_t free = 0, total = 0;
  cuda.make_current();
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const auto feeder = feeder_of(data, parameters);
  if (feeder) {
    const auto n = static_cast<std::int64_t>(data.points);
    const Sources sources = Sources::of(n, parameters.landmarks.value());
    if (sources.landmarks < n)  // the rows stay in the host's memory (DistancePages sends them)
      return coordinates_of_distances(cuda, *feeder, data, parameters, seed, [](auto& result, std::size_t size) {
        float* rows = nullptr;
        CUDA_CHECK(cudaMallocHost(&rows, size * sizeof(float)));
        result.host_rows = std::shared_ptr<float>(rows, cudaFreeHost);
        return rows;
      });
  }
  if (!feeder && data.sparse() && 3 * data.sparse()->bytes() <= free / 2)
    return CoordinateMaker<Cuda, SparseRowsCuda>(cuda, data, parameters, seed).make(levels);
  if (!feeder && !data.sparse() && data.values().size() * sizeof(float) <= free / 2)
    return CoordinateMaker<Cuda, DenseRowsCuda>(cuda, data, parameters, seed).make(levels);
  std::optional<ScopedSpan> span;
  if (feeder) span.emplace(cuda.trace(), "distances by need");
  Cpu cpu(0);
  const Coordinates<Cpu> host = make_coordinates(cpu, data, parameters, seed, levels);
  const auto upload = [&]<class T>(const Array<T, Cpu>& values) {
    if (values.size() == 0) return Array<T, Cuda>();
    return Array<T, Cuda>(cuda, std::span<const T>(values.data(), values.size()));
  };
  const auto width = static_cast<std::size_t>(host.width), wide = (width + 3) / 4 * 4;
  Coordinates<Cuda> result{upload(host.permutation), host.formula, static_cast<std::int64_t>(wide)};
  std::vector<float> rows(data.points * wide);
  for (std::size_t i = 0; i < data.points; ++i) std::copy_n(host.rows.data() + i * width, width, &rows[i * wide]);
  result.rows = Array<float, Cuda>(cuda, rows);
  result.norms = upload(host.norms);
  result.reference = upload(host.reference);
  result.held_out = upload(host.held_out);
  result.sources = host.sources, result.landmarks = host.landmarks;
  result.held_out_each = host.held_out_each;
  result.tail = host.tail;
  result.scale = host.scale, result.unit = host.unit, result.reference_scale = host.reference_scale;
  return result;
}

}  // namespace kinescope::sim::glimmer
