// Pictures segmented on a CUDA device give what the CPU gives.
#include <cmath>
#include <gtest/gtest.h>

#include "bench/mean_shift/made_picture.hpp"
#include "kinescope/executors/devices.hpp"
#include "tests/cuda/device_buffers.hpp"
#include "tests/sim/mean_shift/mean_shift_pictures.hpp"

namespace kinescope::sim::mean_shift_pictures_cuda_test {
namespace {

using mean_shift_cases::Trial;
using test_buffers::DeviceBuffers;
using namespace mean_shift_pictures;

class MeanShiftPicturesCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

TEST_F(MeanShiftPicturesCuda, PublishesColoursAndClusters) {
  for (const std::string features : {"rgb", "xyrgb"}) expect_published<DeviceBuffers>(Backend::cuda, features);
}

TEST_F(MeanShiftPicturesCuda, AgreesWithTheCpu) {
  for (const std::string method : {"field", "tiled", "grid", "bins"}) {
    Trial run(bench::made_picture(96, 64), {"bandwidth=14", "method=" + method, "iterations=10",
                                            std::string("features=") + (method == "bins" ? "xyrgb" : "rgb")});
    const auto cpu = mean_shift_cases::rows(run.finished()->result());
    run.setup.backend = Backend::cuda;
    const auto cuda = mean_shift_cases::rows(run.finished()->result());
    std::size_t apart = 0;
    for (std::size_t i = 0; i < cpu.size(); ++i) apart += !(std::fabs(cpu[i] - cuda[i]) <= 1e-3 * 14);
    EXPECT_LE(apart, cpu.size() / 500) << method;
  }
}

}  // namespace
}  // namespace kinescope::sim::mean_shift_pictures_cuda_test
