// Files that are written under another name first, and the places that are held for them.
#include "kinescope/data/output_file.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::output_file_test {
namespace {

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

// An access list in Linux's form: a version, then tag, rights and number of each entry. The owner, the user 1234, the
// group, the mask, the others; where there is a list, the group's bits of a file's mode are the mask.
std::string access_list(std::uint16_t group_rights) {
  constexpr std::uint32_t none = 0xFFFFFFFF;
  std::string list("\2\0\0\0", 4);
  const auto add = [&](std::uint16_t tag, std::uint16_t rights, std::uint32_t number) {
    list.append(reinterpret_cast<const char*>(&tag), 2).append(reinterpret_cast<const char*>(&rights), 2);
    list.append(reinterpret_cast<const char*>(&number), 4);
  };
  add(1, 6, none), add(2, 6, 1234), add(4, group_rights, none), add(16, 6, none), add(32, 0, none);
  return list;
}

TEST(OutputFile, KeepsAccessListsAndAttributes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.csv", "old"), list = access_list(0);
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

// A folder may give each new file an access list.
TEST(OutputFile, HasNoAccessListThatTheFileDidNotHave) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.csv", "old");
  const std::string list = access_list(5);
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  if (setxattr(folder.path("").c_str(), "system.posix_acl_default", list.data(), list.size(), 0) != 0)
    GTEST_SKIP() << "no access lists here";
  write_bytes(path, "new");
  EXPECT_LT(getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0), 0);
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
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
}  // namespace kinescope::sim::output_file_test
