// Multiplies a tile of points with a tile of centroids on matrix units. Two structs do that in different ways, with the
// same members:
//
//   bands, eights          a thread's scores are [bands][eights][4]: those of 2 · bands points and 2 · eights centroids
//   offset(row, piece)     where eight halves of a row are in shared memory
//   point(…), side()       which points, and which half of the centroids, a thread's scores belong to
//   accumulate(…)          adds the products of some columns to the scores, or starts the scores with them
#pragma once

#include <type_traits>

#include "sim/k_means/cuda/matrix_cuda.cuh"

namespace kinescope::sim::k_means {
namespace kernels {

__device__ inline void load_matrix(unsigned (&r)[4], const __half* from) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(from));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

// Adds the product of a 16 × 16 and a 16 × 8 matrix to a 16 × 8 matrix.
__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  const auto half_of = [&](unsigned a0, unsigned a1, unsigned b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a0), "r"(a1), "r"(b));
  };
  half_of(a[0], a[1], b0);
  half_of(a[2], a[3], b1);
#endif
}

// For any GPU: eight warps in four rows of two; each processes 32 points and 64 centroids.
template <int depth>
struct WarpProducts {
  static constexpr int bands = 2, eights = 8;
  static constexpr int row = depth + 8;  // in halves; the 8 extra ones put the rows of a tile into different banks
  using Scores = float[bands][eights][4];

  __device__ static int offset(int r, int piece) { return r * row + piece * 8; }
  __device__ static int point(int band, int half) {
    return threadIdx.x / 64 * 32 + band * 16 + half * 8 + threadIdx.x % 32 / 4;
  }
  __device__ static int side() { return threadIdx.x / 32 % 2; }

  __device__ static void accumulate(const __half* points, const __half* centroids, int columns, Scores& scores,
                                    bool begins) {
    const int lane = threadIdx.x % 32;
    if (begins)
      for (auto& band : scores)
        for (auto& four : band)
          for (float& score : four) score = 0;
    const __half* a_from = points + (threadIdx.x / 64 * 32 + lane % 16) * row + lane / 16 * 8;
    const __half* b_from = centroids + (side() * 64 + lane % 8 + lane / 16 * 8) * row + lane / 8 % 2 * 8;
    const auto sixteen = [&](int c) {
      unsigned a[2][4], b[4][4];
      for (int i = 0; i < 2; ++i) load_matrix(a[i], a_from + i * 16 * row + c);
      for (int j = 0; j < 4; ++j) load_matrix(b[j], b_from + j * 16 * row + c);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 8; ++j) multiply(scores[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    };
    if (columns == depth) {
#pragma unroll
      for (int c = 0; c < depth; c += 16) sixteen(c);
    } else {
      for (int c = 0; c < columns; c += 16) sixteen(c);
    }
  }
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// For Hopper: two warpgroups; each processes 64 points and 128 centroids. Rows are stored in two pieces of 64 columns,
// and the eight 16-byte units of a piece are swizzled by the row's number.
struct WarpgroupProducts {
  static constexpr int bands = 1, eights = 16;
  using Scores = float[bands][eights][4];

  __device__ static int offset(int r, int piece) { return piece / 8 * (tile * 64) + r * 64 + (piece % 8 ^ r % 8) * 8; }
  __device__ static int point(int, int half) { return threadIdx.x / 32 * 16 + half * 8 + threadIdx.x % 32 / 4; }
  __device__ static int side() { return 0; }

  // The descriptor of a matrix in shared memory: 128-byte rows, 1024 bytes from one group of eight rows to the next,
  // swizzled.
  __device__ static std::uint64_t descriptor(const __half* from) {
    const std::uint64_t address = __cvta_generic_to_shared(from);
    return (address & 0x3FFFF) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
  }

  // Adds the product of a 64 × 16 and a 16 × 128 matrix to a 64 × 128 matrix.
  __device__ static void multiply_sixteen(float (&c)[eights][4], std::uint64_t a, std::uint64_t b, int adds) {
    asm volatile(
        "{ .reg .pred p; setp.ne.s32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, p, 1, 1, 0, 0; }"
        : "+f"(c[0][0]), "+f"(c[0][1]), "+f"(c[0][2]), "+f"(c[0][3]), "+f"(c[1][0]), "+f"(c[1][1]), "+f"(c[1][2]),
          "+f"(c[1][3]), "+f"(c[2][0]), "+f"(c[2][1]), "+f"(c[2][2]), "+f"(c[2][3]), "+f"(c[3][0]), "+f"(c[3][1]),
          "+f"(c[3][2]), "+f"(c[3][3]), "+f"(c[4][0]), "+f"(c[4][1]), "+f"(c[4][2]), "+f"(c[4][3]), "+f"(c[5][0]),
          "+f"(c[5][1]), "+f"(c[5][2]), "+f"(c[5][3]), "+f"(c[6][0]), "+f"(c[6][1]), "+f"(c[6][2]), "+f"(c[6][3]),
          "+f"(c[7][0]), "+f"(c[7][1]), "+f"(c[7][2]), "+f"(c[7][3]), "+f"(c[8][0]), "+f"(c[8][1]), "+f"(c[8][2]),
          "+f"(c[8][3]), "+f"(c[9][0]), "+f"(c[9][1]), "+f"(c[9][2]), "+f"(c[9][3]), "+f"(c[10][0]), "+f"(c[10][1]),
          "+f"(c[10][2]), "+f"(c[10][3]), "+f"(c[11][0]), "+f"(c[11][1]), "+f"(c[11][2]), "+f"(c[11][3]),
          "+f"(c[12][0]), "+f"(c[12][1]), "+f"(c[12][2]), "+f"(c[12][3]), "+f"(c[13][0]), "+f"(c[13][1]),
          "+f"(c[13][2]), "+f"(c[13][3]), "+f"(c[14][0]), "+f"(c[14][1]), "+f"(c[14][2]), "+f"(c[14][3]),
          "+f"(c[15][0]), "+f"(c[15][1]), "+f"(c[15][2]), "+f"(c[15][3])
        : "l"(a), "l"(b), "r"(adds));
  }

  __device__ static void accumulate(const __half* points, const __half* centroids, int columns, Scores& scores,
                                    bool begins) {
    const std::uint64_t a = descriptor(points + threadIdx.x / 128 * 64 * 64), b = descriptor(centroids);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int c = 0; c < 128; c += 16) {
      if (c >= columns) break;
      const std::uint64_t at = c / 64 * (tile * 128 / 16) + c % 64 / 8;
      multiply_sixteen(scores[0], a + at, b + at, c > 0 || !begins);
    }
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
};

template <int depth>
using Products = std::conditional_t<depth == 128, WarpgroupProducts, WarpProducts<depth>>;
#else
template <int depth>
using Products = WarpProducts<depth>;
#endif

}  // namespace kernels
}  // namespace kinescope::sim::k_means
