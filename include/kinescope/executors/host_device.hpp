// Marks a function for both processors: nvcc sees __host__ __device__, the CPU compiler nothing.
#pragma once

#ifdef __CUDACC__
#define KINESCOPE_HD __host__ __device__
#else
#define KINESCOPE_HD
#endif
