// Marks a function for both processors: the CPU compiler sees nothing, nvcc sees __host__ __device__.
#pragma once

#ifdef __CUDACC__
#define KINESCOPE_HD __host__ __device__
#else
#define KINESCOPE_HD
#endif
