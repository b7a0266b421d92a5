#include "sim/data/writers/write.hpp"

#include <bit>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <tuple>
#include <unistd.h>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/data/writers/output_file.hpp"
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

TEST(OutputFile, ThatIsNotKeptLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.write("result.csv", "old");
  {
    OutputFile file(path);
    file.append("half");
    EXPECT_EQ(bytes_of(path), "old");
    ASSERT_EQ(folder.names().size(), 2u);
    for (const std::string& name : folder.names()) EXPECT_TRUE(name.ends_with(".csv"));
  }
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"result.csv"});
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

TEST(OutputFile, AreDroppedTogetherUnlessKept) {
  const TemporaryFolder folder;
  OutputFile kept(folder.path("kept.csv")), other(folder.path("other.csv"));
  kept.keep();
  EXPECT_EQ(folder.names().size(), 2u);
  drop_staged_files();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"kept.csv"});
}

// The file has no name but its temporary one, which another file may take.
// What was written so far is not lost with the name: a cleaner of temporary files may take that away.
TEST(OutputFile, DoesNotTakeAnotherForItself) {
  const TemporaryFolder folder;
  const std::string mine = folder.write("mine", "mine");
  {
    OutputFile file(folder.path("out.csv"));
    file.append("text");
    for (const std::string& name : folder.names())
      if (name != "mine") std::filesystem::rename(mine, folder.path(name));
    file.keep();
  }
  ASSERT_EQ(folder.names().size(), 2u);
  for (const std::string& name : folder.names())
    EXPECT_EQ(bytes_of(folder.path(name)), name == "out.csv" ? "text" : "mine");
}

TEST(OutputFile, OutlivesTheLossOfItsUnfinishedName) {
  const TemporaryFolder folder;
  OutputFile file(folder.path("out.csv"));
  ASSERT_EQ(::write(file.descriptor(), "one,", 4), 4);
  file.append("two");
  std::filesystem::remove(folder.path(folder.names().front()));
  file.keep();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"out.csv"});
  EXPECT_EQ(bytes_of(folder.path("out.csv")), "one,two");
}

// An access list in Linux's form: a version, then tag, rights and number of each entry. The group's bits of the file's
// mode are then the list's mask.
TEST(OutputFile, KeepsAccessListsAndAttributes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.csv", "old");
  const auto entry = [](std::uint16_t tag, std::uint16_t rights, std::uint32_t number) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &tag, 2), std::memcpy(bytes.data() + 2, &rights, 2);
    std::memcpy(bytes.data() + 4, &number, 4);
    return bytes;
  };
  constexpr std::uint32_t none = 0xFFFFFFFF;
  const std::string list = std::string("\2\0\0\0", 4) + entry(1, 6, none) + entry(2, 6, 1234) + entry(4, 0, none) +
                           entry(16, 6, none) + entry(32, 0, none);
  if (setxattr(path.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0)
    GTEST_SKIP() << "no access lists here";
  const bool notes = setxattr(path.c_str(), "user.note", "mine", 4, 0) == 0;
  write_bytes(path, "new");
  EXPECT_EQ(bytes_of(path), "new");
  std::string found(list.size(), '\0');
  EXPECT_EQ(getxattr(path.c_str(), "system.posix_acl_access", found.data(), found.size()), ssize_t(list.size()));
  EXPECT_EQ(found, list);
  char note[5] = "";
  if (notes) EXPECT_EQ(getxattr(path.c_str(), "user.note", note, 4), 4);
}

// What is in a place when it is held is all that is replaced, and its folder is the one that is written to.
struct HeldOutput {
  HeldOutput() {
    std::filesystem::create_directory(folder.path("out"));
    hold_output(path);
  }
  // The message of writing it; "" if there is none.
  std::string error() const {
    try {
      write_bytes(path, "result");
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 1);
      return error.what();
    }
  }

  const TemporaryFolder folder;
  const std::string path = folder.path("out/out.csv");
};

// A folder may give each new file an access list.
TEST(OutputFile, HasNoAccessListThatTheFileDidNotHave) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.csv", "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  const auto entry = [](std::uint16_t tag, std::uint16_t rights, std::uint32_t number) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &tag, 2), std::memcpy(bytes.data() + 2, &rights, 2);
    std::memcpy(bytes.data() + 4, &number, 4);
    return bytes;
  };
  constexpr std::uint32_t none = 0xFFFFFFFF;
  const std::string list = std::string("\2\0\0\0", 4) + entry(1, 7, none) + entry(2, 7, 1234) + entry(4, 5, none) +
                           entry(16, 7, none) + entry(32, 0, none);
  if (setxattr(folder.path("").c_str(), "system.posix_acl_default", list.data(), list.size(), 0) != 0)
    GTEST_SKIP() << "no access lists here";
  write_bytes(path, "new");
  EXPECT_LT(getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0), 0);
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
}

TEST(HeldOutput, MayBeWrittenMoreThanOnceAndBeGone) {
  const HeldOutput held;
  EXPECT_EQ(held.error(), "");
  EXPECT_EQ(held.error(), "");
  std::filesystem::remove(held.path);
  EXPECT_EQ(held.error(), "");
  EXPECT_EQ(bytes_of(held.path), "result");
}

TEST(HeldOutput, ReplacesNothingThatIsNew) {
  const std::function<void(const std::string&)> changes[] = {
      [](const std::string& path) { std::filesystem::create_symlink("../data.csv", path); },
      [](const std::string& path) { std::ofstream(path) << "another"; },
      [](const std::string& path) { mkfifo(path.c_str(), 0600); },
      [](const std::string& path) { std::filesystem::create_directory(path); }};
  for (const bool was_written : {false, true})
    for (const auto& change : changes) {
      const HeldOutput held;
      held.folder.write("data.csv", "data");
      if (was_written) EXPECT_EQ(held.error(), "");
      std::filesystem::remove(held.path);
      change(held.path);
      const auto type = std::filesystem::symlink_status(held.path).type();
      const std::string error = held.error();
      EXPECT_TRUE(error.starts_with(held.path + ": is no longer what it was before the run, and is not replaced; "))
          << error;
      EXPECT_EQ(bytes_of(error.substr(error.rfind(" in ") + 4)), "result");
      EXPECT_EQ(held.error(), "");  // written there again
      EXPECT_EQ(std::filesystem::symlink_status(held.path).type(), type);
      if (std::filesystem::is_regular_file(held.path)) EXPECT_NE(bytes_of(held.path), "result");
      EXPECT_EQ(bytes_of(held.folder.path("data.csv")), "data");
    }
}

TEST(HeldOutput, IsNotReplacedOnceOthersHaveWrittenIntoIt) {
  const HeldOutput held;
  EXPECT_EQ(held.error(), "");
  std::ofstream(held.path, std::ios::app) << ", and a line of mine";
  EXPECT_TRUE(held.error().starts_with(held.path + ": is no longer what it was before the run")) << held.error();
  EXPECT_EQ(bytes_of(held.path), "result, and a line of mine");
}

TEST(HeldOutput, IsInTheFolderThatItWasIn) {
  const HeldOutput held;
  std::filesystem::create_directory(held.folder.path("other"));
  held.folder.write("other/out.csv", "other");
  std::filesystem::rename(held.folder.path("out"), held.folder.path("moved"));
  std::filesystem::create_directory_symlink("other", held.folder.path("out"));
  EXPECT_EQ(held.error(), "");
  EXPECT_EQ(bytes_of(held.folder.path("other/out.csv")), "other");
  EXPECT_EQ(bytes_of(held.folder.path("moved/out.csv")), "result");
}

}  // namespace
}  // namespace kinescope::sim::write_test
