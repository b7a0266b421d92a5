// A group's notes in a folder: nothing is removed but what the group wrote, and what took the folder's place stays.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/k_means/distributed/protocol.hpp"
#include "sim/k_means/distributed/store.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::k_means::folder_store_test {
namespace {

// A store in a folder, and beside it what somebody else has there.
class FolderStore : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(group_);
    std::filesystem::permissions(group_, std::filesystem::perms::owner_all);
    std::filesystem::create_directory(others_);
    for (const char* name : {"secret", "over", "thesis.txt"}) write(others_ / name);
    store_ = open_store(group_.string());
    store_->begin(run_name, "run");
    store_->write("generation/12", "1 2");
  }
  static void write(const std::filesystem::path& path) { std::ofstream(path) << "mine"; }
  static std::vector<std::string> names_in(const std::filesystem::path& path) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  using Names = std::vector<std::string>;

  const TemporaryFolder folder_;
  const std::filesystem::path group_ = folder_.path("group"), others_ = folder_.path("others");
  std::unique_ptr<Store> store_;
};

TEST_F(FolderStore, RemovesItsNotesAndItsFolder) {
  EXPECT_TRUE(store_->claim("coordinator", own_presence()));
  store_->write("12/0", "here");
  store_->clear({"run.kinescope.json"});
  EXPECT_EQ(names_in(group_), Names{"run.kinescope.json"});
  store_->remove();
  EXPECT_FALSE(std::filesystem::exists(group_));
}

TEST_F(FolderStore, RemovesNothingThatIsNotANote) {
  for (const char* name : {"thesis.txt", "2024-11", "2026-report.csv", "worker-1.csv", "secret.txt"})
    write(group_ / name);
  std::filesystem::create_directory(group_ / "over");
  write(group_ / "over" / "file");
  store_->remove();
  EXPECT_EQ(names_in(group_),
            (Names{"2024-11", "2026-report.csv", "over", "secret.txt", "thesis.txt", "worker-1.csv"}));
  EXPECT_EQ(names_in(group_ / "over"), Names{"file"});
}

TEST_F(FolderStore, RemovesNothingFromWhatTookItsPlace) {
  const std::filesystem::path moved = folder_.path("moved");
  std::filesystem::rename(group_, moved);
  std::filesystem::create_directory_symlink(others_, group_);
  store_->write("over", "over");  // goes where the folder is now
  store_->remove();
  EXPECT_EQ(names_in(others_), (Names{"over", "secret", "thesis.txt"}));
  EXPECT_TRUE(std::filesystem::is_symlink(group_));
  EXPECT_EQ(names_in(moved), Names{});
  EXPECT_THROW(open_store(group_.string()), StoreLost);  // a link
}

TEST_F(FolderStore, FollowsNoLinkAndWaitsForNoPipe) {
  std::filesystem::create_symlink(others_ / "thesis.txt", group_ / "secret");
  EXPECT_THROW(store_->read("secret"), StoreLost);
  store_->write("secret", "ours");
  EXPECT_EQ(store_->read("secret"), "ours");
  ASSERT_EQ(mkfifo((group_ / "worker-1").c_str(), 0600), 0);
  EXPECT_FALSE(store_->presence("worker-1"));
  ASSERT_EQ(mkfifo((group_ / "rows").c_str(), 0600), 0);
  EXPECT_THROW(store_->read("rows"), StoreLost);
  store_->remove();
  EXPECT_EQ(names_in(others_).size(), 3u);
  std::ifstream thesis(others_ / "thesis.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(thesis), {}), "mine");
}

TEST_F(FolderStore, SaysWhenItIsLost) {
  EXPECT_TRUE(store_->claim("coordinator", own_presence()));
  EXPECT_TRUE(store_->owns());
  std::filesystem::remove_all(group_);
  EXPECT_FALSE(store_->owns());
  EXPECT_FALSE(store_->has("rows"));
  EXPECT_FALSE(store_->presence("worker-1"));
  EXPECT_THROW(store_->write("rows", ""), StoreLost);
  EXPECT_THROW(store_->read("rows"), StoreLost);
  EXPECT_THROW(store_->claim("worker-1", own_presence()), StoreLost);
  store_->beat(own_presence());
  store_->remove();
}

}  // namespace
}  // namespace kinescope::sim::k_means::folder_store_test
