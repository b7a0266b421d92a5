// How much memory a run takes beside its data. The bounds are those of one copy: a second one would break them.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::memory_test {
namespace {

// The sanitizers keep shadows of all memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool counts = false;
#else
constexpr bool counts = true;
#endif

constexpr double program = 90e6;  // bytes: of code, threads, labels and what rows need besides their numbers

// An array of noise by rows, written block by block.
template <class Number>
std::string noise(const Folder& folder, const std::string& type, std::size_t rows, std::size_t columns) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "), }";
  header.resize((header.size() + 10) / 64 * 64 + 53, ' ');
  header += '\n';
  std::string path = folder.file("noise.npy");
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size() & 255) << static_cast<char>(header.size() >> 8)
       << header;
  std::vector<Number> row(columns);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < rows; ++i) {
    for (Number& each : row) {
      state = state * 1664525 + 1013904223;
      each = static_cast<Number>(state >> 7) / static_cast<Number>(3 << 20);
    }
    row[5] = static_cast<Number>(i % 4);  // may be a label
    file.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(columns * sizeof(Number)));
  }
  return path;
}

std::size_t bytes_of_run(const std::string& path, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"run",   "k-means",    "--backend", "cpu",          "--data", path,
                                    "--set", "clusters=2", "--set",     "iterations=1", "--set",  "start=random"};
  words.insert(words.end(), more.begin(), more.end());
  unsetenv("MALLOC_PERTURB_");  // it would write to all memory at once
  const Outcome outcome = run_program(words);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  return outcome.most_bytes;
}

TEST(CommandLineMemory, KMeansHoldsItsPointsOnce) {
  if (!counts) GTEST_SKIP() << "with a sanitizer";
  constexpr double numbers = 1'600'000.0 * 32;
  {
    const Folder folder;
    const std::string path = noise<float>(folder, "<f4", 1'600'000, 32);  // 205 MB
    EXPECT_LT(double(bytes_of_run(path, {})), 1.1 * 4 * numbers + program);
    EXPECT_LT(double(bytes_of_run(path, {"--label", "c5"})), 1.3 * 4 * numbers + program);
    EXPECT_LT(double(bytes_of_run(path, {"--columns", "c0,c2,c4"})), 1.3 * 4 * numbers + program);
  }
  const Folder folder;  // of float64 the file's numbers are held at first, twice as many bytes
  EXPECT_LT(double(bytes_of_run(noise<double>(folder, "<f8", 1'600'000, 32), {})), 1.1 * 8 * numbers + program);
}

TEST(CommandLineMemory, AColumnGoesBackWhileItsNumbersBecomePoints) {
  if (!counts) GTEST_SKIP() << "with a sanitizer";
  constexpr std::size_t rows = 3'400'000;  // of so few columns that they are not kept as rows
  const Folder folder;
  EXPECT_LT(double(bytes_of_run(noise<float>(folder, "<f4", rows, 15), {})), 1.5 * 4 * 15 * rows + program);
}

}  // namespace
}  // namespace kinescope::tests::command_line::memory_test
