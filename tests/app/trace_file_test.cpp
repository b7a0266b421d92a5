// --trace: spans go to the disk while they are recorded, and the file gets its name at the end.
#include "app/io/trace_file.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kinescope::app::trace_file_test {
namespace {

namespace fs = std::filesystem;

TEST(TraceFile, HoldsNoMoreThanSinceTheLastWrite) {
  const fs::path folder = fs::path(testing::TempDir()) / ("kinescope-trace-" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string path = (folder / "t.json").string();
  constexpr std::size_t writes = 5, spans = 20'000;  // each write is more than the 1 MiB that a file collects
  TraceFile file(path);
  EXPECT_TRUE(fs::is_empty(folder)) << "before the first write Ctrl-C may end the program at once";
  std::uintmax_t before = 0;
  for (std::size_t i = 0; i < writes; ++i) {
    for (std::size_t k = 0; k < spans; ++k) file.trace()->add({"label", 0, 1000, sim::Trace::Track::launches});
    file.write();
    EXPECT_TRUE(file.trace()->take().empty());
    EXPECT_FALSE(fs::exists(path)) << "it is not whole yet";
    const fs::path beside = fs::directory_iterator(folder)->path();
    if (i > 0) EXPECT_GT(fs::file_size(beside), before);
    before = fs::file_size(beside);
  }
  file.finish();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  std::size_t found = 0;
  std::string line, last;
  for (std::ifstream kept(path); std::getline(kept, line); last = line)
    found += line.find("\"ph\":\"X\"") != std::string::npos;
  EXPECT_EQ(found, writes * spans);
  EXPECT_EQ(last, "]}");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kinescope::app::trace_file_test
