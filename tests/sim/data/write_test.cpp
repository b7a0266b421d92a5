#include "kinescope/data/write.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <tuple>
#include <unistd.h>
#include <vector>

#include "kinescope/data/table_writer.hpp"
#include "kinescope/random.hpp"
#include "tests/sim/data/helpers.hpp"

// These replace the C library's functions, to record which calls are made and when.
static std::vector<std::string>* system_calls = nullptr;
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (system_calls && fstat(descriptor, &status) == 0)
    system_calls->push_back(S_ISDIR(status.st_mode) ? "sync the folder" : "sync " + std::to_string(status.st_size));
  return int(syscall(SYS_fsync, descriptor));
}
extern "C" int renameat(int folder, const char* from, int other, const char* to) noexcept {
  if (system_calls) system_calls->push_back("rename");
  return int(syscall(SYS_renameat2, folder, from, other, to, 0));
}

namespace kinescope::sim::write_test {
namespace {

// A name never leads to less than the whole file, even if the machine stops.
TEST(WriteFiles, AreOnTheDiskBeforeTheyHaveTheirName) {
  const TemporaryFolder folder;
  std::vector<std::string> calls;
  system_calls = &calls;
  write_bytes(folder.path("file"), "whole");
  system_calls = nullptr;
  EXPECT_EQ(calls, (std::vector<std::string>{"sync 5", "rename", "sync the folder"}));
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

TEST(Write, EachFormatIsFoundByItsEnding) {
  ASSERT_FALSE(table_writers().empty());
  EXPECT_EQ(table_writers().front()->ending, ".csv") << "a table that is saved without a question";
  std::set<std::string> endings;
  for (const TableWriter* writer : table_writers()) {
    std::string ending(writer->ending), upper = ending;
    EXPECT_TRUE(endings.insert(ending).second) << ending;
    ASSERT_TRUE(ending.size() > 1 && ending.front() == '.') << ending;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    EXPECT_NE(upper, ending);
    EXPECT_EQ(find_table_writer("a.b" + ending), writer);
    EXPECT_EQ(find_table_writer("a" + upper), writer);
  }
  EXPECT_EQ(find_table_writer("csv"), nullptr);
  EXPECT_EQ(find_table_writer("a.csv.gz"), nullptr);
}

TEST(Write, EndingsOfTablesStandBetweenASimulationsOwn) {
  const std::vector<std::string> tables = table_endings();
  std::vector<std::string> all = {".obj"};
  all.insert(all.end(), tables.begin(), tables.end());
  all.emplace_back(".png");
  EXPECT_EQ(table_endings({.first = {".obj"}, .last = {".png"}}), all);
  const std::vector<std::string> texts = table_endings({.need_texts = true});
  EXPECT_EQ(std::ranges::count(texts, ".csv"), 1);
  EXPECT_EQ(std::ranges::count(texts, ".npy"), 0) << "an array holds no texts";
}

TEST(Write, ReplacesAFileKeepingItsModeAndLinks) {
  const TemporaryFolder folder;
  const std::string path = folder.write("real.csv", "old"), link = folder.path("link.csv");
  chmod(path.c_str(), 0640);
  std::filesystem::create_symlink("real.csv", link);
  write_bytes(link, "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  const std::string dangling = folder.path("dangling.csv");
  std::filesystem::create_symlink("later.csv", dangling);
  write_bytes(dangling, "new");
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
  EXPECT_EQ(input_message([&] { write_csv(file + "/out.csv", table); }), file + "/out.csv: its folder is a file");
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
  const TemporaryFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{64, before.rlim_max};
  for (const auto write : {write_csv, write_npy}) {
    setrlimit(RLIMIT_FSIZE, &little);
    try {
      write(folder.path("full.csv"), sample_table());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), folder.path("full.csv") + ": cannot be written: File too large");
      EXPECT_EQ(error.exit_status(), 1);
    }
    setrlimit(RLIMIT_FSIZE, &before);
  }
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Write, DevicesAndPipesStayWhatTheyAre) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/null", folder.path("null.csv"));
  ASSERT_EQ(mkfifo(folder.path("pipe.csv").c_str(), 0600), 0);
  for (const char* name : {"null.csv", "pipe.csv"})
    EXPECT_EQ(input_message([&] { write_bytes(folder.path(name), "bytes"); }),
              folder.path(name) + ": is not a regular file");
}

TEST(Write, AnOutputKeepsItsPermissions) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.csv", "old");
  const mode_t before = umask(077);
  for (const mode_t mode : {0666, 0644, 0600}) {
    chmod(path.c_str(), mode);
    write_bytes(path, "new");
    struct stat found {};
    stat(path.c_str(), &found);
    EXPECT_EQ(found.st_mode & 0777, mode);
  }
  umask(before);
}

TEST(Write, AnOutputKeepsItsOwnerAndGroup) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  const TemporaryFolder folder;
  chmod(folder.path("").c_str(), 0777);
  const std::string path = folder.write("out.csv", "old");
  const auto state_after = [&](const std::function<void()>& write) {
    EXPECT_EQ(chown(path.c_str(), 1000, 2000), 0);
    EXPECT_EQ(chmod(path.c_str(), 0664), 0);
    write();
    struct stat found {};
    stat(path.c_str(), &found);
    return found;
  };
  struct stat found = state_after([&] { write_bytes(path, "new"); });
  EXPECT_EQ(std::tuple(found.st_uid, found.st_gid, found.st_mode & 0777), std::tuple(1000u, 2000u, 0664u));
  // Another user cannot give the group of which they are no member: its members may do no more than all others.
  found = state_after([&] {
    ASSERT_EQ(seteuid(65534), 0);
    EXPECT_NO_THROW(write_bytes(path, "new"));
    ASSERT_EQ(seteuid(0), 0);
  });
  EXPECT_EQ(std::tuple(found.st_uid, found.st_mode & 0777), std::tuple(65534u, 0644u));
}

// What the file itself may be opened for is no matter to whoever has just made it. Root may open anything.
TEST(Write, NeedsNoPermissionToOpenWhatItHasMade) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.csv", "old");
  chmod(folder.path("").c_str(), 0777);
  const bool is_root = geteuid() == 0;
  for (const mode_t mask : {0777, 0444, 0222, 0277}) {
    if (is_root) ASSERT_EQ(seteuid(65534), 0);
    const mode_t before = umask(mask);
    EXPECT_NO_THROW(write_bytes(folder.path("new.csv"), "new")) << mask;
    umask(before);
    if (is_root) ASSERT_EQ(seteuid(0), 0);
    std::filesystem::remove(folder.path("new.csv"));
  }
  for (const mode_t mode : {0200, 0222}) {
    if (is_root) ASSERT_EQ(chown(path.c_str(), 65534, gid_t(-1)), 0);
    chmod(path.c_str(), mode);
    if (is_root) ASSERT_EQ(seteuid(65534), 0);
    EXPECT_NO_THROW(write_bytes(path, "new")) << mode;
    if (is_root) ASSERT_EQ(seteuid(0), 0);
  }
}

}  // namespace
}  // namespace kinescope::sim::write_test
