// The name of the processor, as the system lists it.
#include "kinescope/executors/devices.hpp"

#include <gtest/gtest.h>
#include <string>

#include "tests/temporary_folder.hpp"

namespace kinescope::sim::devices_test {
namespace {

std::string name_in(const std::string& list) {
  return cpu_name(TemporaryFolder().write("cpuinfo", list));
}

TEST(Devices, TheProcessorIsCalledAsTheSystemCallsIt) {
  EXPECT_EQ(name_in("processor\t: 0\nmodel name\t: AMD EPYC 9B14\nmodel name\t: another\n"), "AMD EPYC 9B14");
}

TEST(Devices, AProcessorWithoutANameIsCpu) {
  for (const char* list :
       {"", "processor\t: 0\n", "model name", "model name\t:", "model name\t:\n", "model name\t: \n"})
    EXPECT_EQ(name_in(list), "CPU") << list;
  EXPECT_EQ(cpu_name("/nowhere"), "CPU");
}

}  // namespace
}  // namespace kinescope::sim::devices_test
