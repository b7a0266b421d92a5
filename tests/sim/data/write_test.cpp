#include "sim/data/writers/write.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "sim/core/random.hpp"
#include "tests/sim/data/helpers.hpp"

// These replace the C library's functions, to record which calls are made and when.
static std::vector<std::string>* system_calls = nullptr;
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (system_calls && fstat(descriptor, &status) == 0)
    system_calls->push_back(S_ISDIR(status.st_mode) ? "sync the folder" : "sync " + std::to_string(status.st_size));
  return int(syscall(SYS_fsync, descriptor));
}
extern "C" int rename(const char* from, const char* to) noexcept {
  if (system_calls) system_calls->push_back("rename");
  return int(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace kinescope::sim::write_test {
namespace {

// A name never leads to less than the whole file, even if the machine stops.
TEST(WriteFiles, AreOnTheDiskBeforeTheyHaveTheirName) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("sync-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::vector<std::string> calls;
  system_calls = &calls;
  write_bytes((folder / "file").string(), "whole");
  system_calls = nullptr;
  EXPECT_EQ(calls, (std::vector<std::string>{"sync 5", "rename", "sync the folder"}));
  std::filesystem::remove_all(folder);
}

// Floats of every size, among them the ends of the range, denormals, both zeros and a missing value.
std::vector<float> hard_floats() {
  using Limits = std::numeric_limits<float>;
  std::vector<float> values = {0,
                               -0.0f,
                               1,
                               -1,
                               0.1f,
                               1.0f / 3,
                               Limits::max(),
                               Limits::lowest(),
                               Limits::min(),
                               Limits::denorm_min(),
                               Limits::epsilon(),
                               16777216,
                               1e10f,
                               123456.789f,
                               Limits::quiet_NaN()};
  const Random random(3, 0);
  for (int i = 0; values.size() < 5000; ++i) {
    const auto value = std::bit_cast<float>(random.words(i)[0]);
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

Table sample_table() {
  Table table;
  const std::vector<float> values = hard_floats();
  table.rows = values.size();
  table.columns.push_back({"x", false, values, {}});
  table.columns.push_back({"say \"y\", please", false, std::vector<float>(values.rbegin(), values.rend()), {}});
  std::vector<std::string> texts = {"plain",      "",          "a,b",      "semi;colon", "tab\tin",
                                    "\"quoted\"", "line\nend", "cr\rhere", " padded ",   "#hash"};
  texts.resize(table.rows, "text");
  table.columns.push_back({"name", true, {}, texts});
  return table;
}

void expect_same_bits(const std::vector<float>& read, const std::vector<float>& written) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i)
    if (std::isnan(written[i]))
      EXPECT_TRUE(std::isnan(read[i])) << i;
    else
      ASSERT_EQ(std::bit_cast<std::uint32_t>(read[i]), std::bit_cast<std::uint32_t>(written[i])) << written[i];
}

TEST(Write, CsvReadsBackBitByBit) {
  const TemporaryFolder folder;
  const Table written = sample_table();
  write_table(folder.path("out.csv"), written);
  const Table read = load_table({folder.path("out.csv")});
  ASSERT_EQ(read.columns.size(), 3u);
  for (int column = 0; column < 2; ++column) {
    EXPECT_EQ(read.columns[column].name, written.columns[column].name);
    expect_same_bits(read.columns[column].numbers.floats(), written.columns[column].numbers.floats());
  }
  EXPECT_EQ(read.columns[2].texts, written.columns[2].texts);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"out.csv"});
}

TEST(Write, NpyReadsBackBitByBitWithoutTexts) {
  const TemporaryFolder folder;
  const Table written = sample_table();
  write_table(folder.path("out.npy"), written);
  const Table read = load_table({folder.path("out.npy")});
  ASSERT_EQ(read.columns.size(), 2u);
  for (int column = 0; column < 2; ++column)
    expect_same_bits(read.columns[column].numbers.floats(), written.columns[column].numbers.floats());
  const std::string bytes = bytes_of(folder.path("out.npy"));
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes.size() % 64, written.rows * 8 % 64);  // the header is padded to 64 bytes
  EXPECT_NE(bytes.find("{'descr': '<f4', 'fortran_order': False, 'shape': (5000, 2), }"), std::string::npos);
}

TEST(Write, AMissingValueInTheOnlyColumnKeepsItsRow) {
  const TemporaryFolder folder;
  Table table;
  table.rows = 3;
  table.columns.push_back({"x", false, {1, std::numeric_limits<float>::quiet_NaN(), 3}, {}});
  write_csv(folder.path("one.csv"), table);
  EXPECT_EQ(bytes_of(folder.path("one.csv")), "x\n1\n\"\"\n3\n");
  EXPECT_EQ(load_table({folder.path("one.csv")}).rows, 3u);
}

TEST(Write, OtherEndingsAreRefusedByName) {
  EXPECT_EQ(input_message([] { write_table("out.txt", Table()); }),
            "out.txt: expected a name that ends in .csv or .npy");
  EXPECT_EQ(input_message([] { write_table("csv", Table()); }), "csv: expected a name that ends in .csv or .npy");
}

TEST(Write, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.write("result.csv", "old");
  EXPECT_THROW(write_then_rename(path,
                                 [&](const std::string& temporary) {
                                   EXPECT_NE(temporary, path);
                                   EXPECT_TRUE(temporary.ends_with(".csv"));
                                   EXPECT_EQ(std::filesystem::path(temporary).parent_path(),
                                             std::filesystem::path(path).parent_path());
                                   std::ofstream(temporary) << "half";
                                   EXPECT_EQ(bytes_of(path), "old");
                                   throw std::runtime_error("interrupted");
                                 }),
               std::runtime_error);
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"result.csv"});
}

TEST(Write, ReplacesAFileKeepingItsModeAndLinks) {
  const TemporaryFolder folder;
  const std::string path = folder.write("real.csv", "old"), link = folder.path("link.csv");
  chmod(path.c_str(), 0640);
  std::filesystem::create_symlink("real.csv", link);
  write_then_rename(link, [](const std::string& temporary) { std::ofstream(temporary) << "new"; });
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  const std::string dangling = folder.path("dangling.csv");
  std::filesystem::create_symlink("later.csv", dangling);
  write_then_rename(dangling, [](const std::string& temporary) { std::ofstream(temporary) << "new"; });
  EXPECT_TRUE(std::filesystem::is_symlink(dangling));
  EXPECT_EQ(bytes_of(folder.path("later.csv")), "new");
  EXPECT_EQ(bytes_of(path), "new");
  struct stat status {};
  stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(Write, FoldersThatCannotTakeTheFileSaySo) {
  const TemporaryFolder folder;
  const Table table = sample_table();
  EXPECT_EQ(input_message([&] { write_csv(folder.path("absent/out.csv"), table); }),
            folder.path("absent/out.csv") + ": its folder does not exist");
  std::filesystem::create_directory(folder.path("folder.csv"));
  EXPECT_EQ(input_message([&] { write_csv(folder.path("folder.csv"), table); }),
            folder.path("folder.csv") + ": is a directory");
  EXPECT_EQ(input_message([&] { write_csv(folder.path("new/"), table); }),
            folder.path("new/") + ": is the name of a folder");
  const std::string file = folder.write("file", "");
  EXPECT_EQ(input_message([&] { write_csv(file + "/out.csv", table); }), file + "/out.csv: its folder does not exist");
  EXPECT_EQ(input_message([&] { write_csv("", table); }), "the name of the file to write is empty");
}

TEST(Write, AFolderWithoutPermissionSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("locked"));
  chmod(folder.path("locked").c_str(), 0500);
  EXPECT_EQ(input_message([&] { write_csv(folder.path("locked/out.csv"), sample_table()); }),
            folder.path("locked/out.csv") + ": cannot be written: Permission denied");
}

TEST(Write, AFullDiskIsARunThatFailed) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path("full.csv"));
  for (const auto write : {write_csv, write_npy}) {
    try {
      write(folder.path("full.csv"), sample_table());
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), folder.path("full.csv") + ": cannot be written: No space left on device");
      EXPECT_EQ(error.exit_status(), 1);
    }
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"full.csv"});
  struct stat status {};
  ASSERT_EQ(stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));  // the device was not renamed away
}

TEST(StagedFile, AreDroppedTogetherUnlessKept) {
  const TemporaryFolder folder;
  StagedFile kept(folder.path("kept.csv")), other(folder.path("other.csv"));
  kept.keep();
  EXPECT_EQ(folder.names().size(), 2u);
  drop_staged_files();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"kept.csv"});
}

}  // namespace
}  // namespace kinescope::sim::write_test
