// Values of HDF5 files that are in other files: which are read, which must be whole, and which count as inputs.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "sim/data/readers/file_format.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"
#include "tests/sim/data/sparse_cases.hpp"

#if KINESCOPE_HDF5
namespace kinescope::sim::hdf5_cases::hdf5_elsewhere_test {
namespace {

using tests::Hdf5Writer;
using Numbers = std::vector<float>;

// The library takes what is not there for 0.
TEST(Hdf5Elsewhere, AViewNeedsTheFileItShows) {
  const TemporaryFolder folder;
  {
    Hdf5Writer source(folder.path("source.h5")), view(folder.path("view.h5"));
    source.numbers("/x", {3}, {1, 2, 3});
    view.view("/seen", 3, "source.h5", "/x");
  }
  EXPECT_EQ(load_table({folder.path("view.h5:/seen")}).columns[0].numbers, (Numbers{1, 2, 3}));
  // Neither those that read it nor check_apart() would find the other file.
  EXPECT_EQ(
      input_message([&] { load_table({folder.write("v.h5.gz", gzip(bytes_of(folder.path("view.h5")))) + ":/seen"}); }),
      folder.path("v.h5.gz") + ": '/seen' has values in 'source.h5', which is not there");
  std::filesystem::remove(folder.path("source.h5"));
  EXPECT_EQ(input_message([&] { load_table({folder.path("view.h5:/seen")}); }),
            folder.path("view.h5") + ": '/seen' has values in 'source.h5', which is not there");
  Hdf5Writer(folder.path("source.h5")).numbers("/x", {2}, {1, 2});
  EXPECT_EQ(input_message([&] { load_table({folder.path("view.h5:/seen")}); }),
            folder.path("view.h5") + ": '/seen' has values in 'source.h5', which does not hold all of them");
}

TEST(Hdf5Elsewhere, ValuesInAnotherFileAreAllThere) {
  const TemporaryFolder folder;
  const double values[] = {1, 2, 3};
  const std::string raw = folder.write("values.raw", {reinterpret_cast<const char*>(values), sizeof values});
  Hdf5Writer(folder.path("a.h5")).values_in(raw, "/x", 3);
  EXPECT_EQ(load_table({folder.path("a.h5:/x")}).columns[0].numbers, (Numbers{1, 2, 3}));
  const std::string refused = folder.path("a.h5") + ": '/x' has values in '" + raw + "', which ";
  std::filesystem::resize_file(raw, 23);
  EXPECT_EQ(input_message([&] { load_table({folder.path("a.h5:/x")}); }), refused + "does not hold all of them");
  std::filesystem::remove(raw);
  EXPECT_EQ(input_message([&] { load_table({folder.path("a.h5:/x")}); }), refused + "is not there");
}

// A view of a view of …, of so many lists; the last one shows a list of another file.
std::string write_chain(const TemporaryFolder& folder, int views, bool apart = false) {
  Hdf5Writer file(folder.path("chain.h5"));
  for (int i = 0; i < views; ++i) file.view("/v" + std::to_string(i), 8, ".", "/v" + std::to_string(i + 1), apart);
  file.view("/v" + std::to_string(views), 8, "source.h5", "/x", apart);
  return folder.path("chain.h5");
}

TEST(Hdf5Elsewhere, ViewsOfViewsAreWholeOrRefused) {
  const TemporaryFolder folder;
  Hdf5Writer(folder.path("source.h5")).numbers("/x", {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const std::string path = write_chain(folder, 7);
  const Numbers expected = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(load_table({path + ":/v0"}).columns[0].numbers, expected);
  EXPECT_EQ(write_chain(folder, 8), path);
  const std::string deeper = ": '/v0' is a view of views nested deeper than 8";
  EXPECT_EQ(input_message([&] { load_table({path + ":/v0"}); }), path + deeper);
  EXPECT_EQ(load_table({path + ":/v1"}).columns[0].numbers, expected);
  std::filesystem::remove(folder.path("source.h5"));
  EXPECT_EQ(write_chain(folder, 9), path);
  EXPECT_EQ(input_message([&] { load_table({path + ":/v0"}); }), path + deeper);
  EXPECT_EQ(input_message([&] { load_table({path + ":/v2"}); }),
            path + ": '/v9' has values in 'source.h5', which is not there");
  EXPECT_EQ(input_message([&] { load_table({folder.write("c.h5.gz", gzip(bytes_of(path))) + ":/v2"}); }),
            folder.path("c.h5.gz") + ": '/v9' has values in 'source.h5', which is not there");
  Hdf5Writer(path).view("/v0", 8, ".", "/v0", true);
  EXPECT_EQ(input_message([&] { load_table({path + ":/v0"}); }), path + deeper);
}

TEST(Hdf5Elsewhere, BlocksOfAViewAreWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  {
    Hdf5Writer file(path);
    file.numbers("/x", {3}, {1, 2, 3});
    file.view("/x-0", 3, ".", "/x");
    file.view("/x-1", 3, "source.h5", "/x");
    file.blocks("/seen", ".", "/x-%b");
  }
  EXPECT_EQ(input_message([&] { load_table({path + ":/seen"}); }),
            path + ": '/x-1' has values in 'source.h5', which is not there");
  Hdf5Writer(folder.path("source.h5")).numbers("/x", {3}, {4, 5, 6});
  EXPECT_EQ(load_table({path + ":/seen"}).columns[0].numbers, (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST(Hdf5Elsewhere, AViewMayGrow) {
  const TemporaryFolder folder;
  Hdf5Writer(folder.path("source.h5")).numbers("/x", {3}, {1, 2, 3});
  Hdf5Writer(folder.path("view.h5")).growing_view("/seen", 3, "source.h5", "/x");
  EXPECT_EQ(load_table({folder.path("view.h5:/seen")}).columns[0].numbers, (Numbers{1, 2, 3}));
}

// The library takes a damaged block for the end of the list.
TEST(Hdf5Elsewhere, ADamagedBlockIsNoEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  Hdf5Writer(path).blocks("/seen", "part-%b.h5", "/x");
  for (const char* name : {"part-0.h5", "part-1.h5", "part-2.h5"})
    Hdf5Writer(folder.path(name)).numbers("/x", {3}, {1, 2, 3});
  EXPECT_EQ(load_table({path + ":/seen"}).rows, 9u);
  std::filesystem::resize_file(folder.path("part-1.h5"), 1000);
  EXPECT_EQ(input_message([&] { load_table({path + ":/seen"}); }),
            path + ": '/seen' has values in 'part-1.h5', which is not an HDF5 file, or cut off");
}

// Each of 8 values of each view was checked down to the last one: 8⁷ times.
TEST(Hdf5Elsewhere, EachViewIsCheckedOnce) {
  const TemporaryFolder folder;
  Hdf5Writer(folder.path("source.h5")).numbers("/x", {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(load_table({write_chain(folder, 7, true) + ":/v0"}).columns[0].numbers, (Numbers{1, 2, 3, 4, 5, 6, 7, 8}));
}

class CurrentFolder {
 public:
  explicit CurrentFolder(const std::string& path) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(path);
  }
  ~CurrentFolder() { std::filesystem::current_path(before_); }
  CurrentFolder(const CurrentFolder&) = delete;
  CurrentFolder& operator=(const CurrentFolder&) = delete;

 private:
  std::filesystem::path before_;
};

// main.h5 links to views in sub/w.h5, which is also sub/l/w.h5.
void write_linked_views(const TemporaryFolder& folder) {
  std::filesystem::create_directories(folder.path("sub/l"));
  std::filesystem::create_symlink("../w.h5", folder.path("sub/l/w.h5"));
  Hdf5Writer(folder.path("sub/source.h5")).numbers("/x", {3}, {1, 2, 3});
  Hdf5Writer(folder.path("gone.h5")).numbers("/x", {3}, {7, 8, 9});
  Hdf5Writer view(folder.path("sub/w.h5")), main(folder.path("main.h5"));
  view.view("/other", 3, "source.h5", "/x");
  view.view("/own", 3, ".", "/other");
  view.view("/gone", 3, "gone.h5", "/x");
  for (const char* name : {"/other", "/own", "/gone"}) main.link(name, "sub/w.h5", name);
}

TEST(Hdf5Elsewhere, WhatAViewShowsIsBesideTheFileThatHoldsIt) {
  const TemporaryFolder folder;
  write_linked_views(folder);
  for (const char* name : {"main.h5:/other", "main.h5:/own", "sub/l/w.h5:/other", "sub/l/w.h5:/own"})
    EXPECT_EQ(load_table({folder.path(name)}).columns[0].numbers, (Numbers{1, 2, 3})) << name;
  for (const char* file : {"main.h5", "sub/l/w.h5"})
    EXPECT_EQ(input_message([&] { load_table({folder.path(file) + ":/gone"}); }),
              folder.path(file) + ": '/gone' has values in 'gone.h5', which is not there");
}

// The library also looks into the current folder, but not beside the file that links to the view.
TEST(Hdf5Elsewhere, WhatAViewShowsMayBeInTheCurrentFolder) {
  const TemporaryFolder folder;
  write_linked_views(folder);
  std::filesystem::create_directory(folder.path("current"));
  Hdf5Writer(folder.path("current/gone.h5")).numbers("/x", {3}, {4, 5, 6});
  const CurrentFolder current(folder.path("current"));
  EXPECT_EQ(load_table({"../main.h5:/gone"}).columns[0].numbers, (Numbers{4, 5, 6}));
  const std::vector<std::string> found = other_files("../main.h5:/gone");
  EXPECT_NE(std::ranges::find(found, std::filesystem::canonical("gone.h5").string()), found.end());
  std::filesystem::resize_file("gone.h5", 100);
  EXPECT_EQ(input_message([&] { load_table({"../main.h5:/gone"}); }),
            "../main.h5: '/gone' has values in 'gone.h5', which is not an HDF5 file, or cut off");
}

// The library would wait for whoever writes into it.
TEST(Hdf5Elsewhere, NamesOnlyRegularFiles) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Hdf5Writer(folder.path("link.h5")).link("/x", "pipe", "/x");
  Hdf5Writer(folder.path("view.h5")).view("/x", 3, "pipe", "/x");
  Hdf5Writer(folder.path("raw.h5")).values_in(pipe, "/x", 3);
  Hdf5Writer(folder.path("blocks.h5")).blocks("/x", "pipe", "/x-%b");
  const auto begin = std::chrono::steady_clock::now();
  for (const char* name : {"link.h5:/x", "view.h5:/x", "raw.h5:/x", "blocks.h5:/x", "blocks.h5"}) {
    const std::string message = input_message([&] { load_table({folder.path(name)}); });
    EXPECT_NE(message.find(", which is not a regular file"), std::string::npos) << message;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
}

TEST(Hdf5Elsewhere, LinksLeadToArraysOrAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.path("link.h5");
  Hdf5Writer(path).link("/x", "source.h5", "/x");
  EXPECT_EQ(input_message([&] { load_table({path + ":/x"}); }),
            path + ": '/x' is a link into 'source.h5', which does not hold it");
  Hdf5Writer(folder.path("source.h5")).numbers("/x", {3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(load_table({path}).columns[0].numbers, (Numbers{1, 3, 5}));
}

TEST(Hdf5Elsewhere, TheFilesThatAreReadWithItAreKnown) {
  const TemporaryFolder folder;
  const std::string raw = folder.write("values.raw", "bytes");
  Hdf5Writer(folder.path("raw.h5")).values_in(raw, "/x", 3);
  {
    Hdf5Writer file(folder.path("a.h5"));
    file.group("/g");
    file.link("/g/x", "raw.h5", "/x");
    file.blocks("/seen", "part-%b.h5", "/x");
    file.view("/gone", 3, "gone.h5", "/x");
    file.link("/back", "a.h5", "/seen");
  }
  for (const char* name : {"part-0.h5", "part-1.h5"}) Hdf5Writer(folder.path(name)).numbers("/x", {3}, {1, 2, 3});
  std::vector<std::string> expected, found;
  for (const char* name : {"a.h5", "part-0.h5", "part-1.h5", "raw.h5", "values.raw"})
    expected.push_back(std::filesystem::canonical(folder.path(name)));
  found = other_files(folder.path("a.h5:/seen"));
  std::ranges::sort(found);
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(other_files(folder.path("none.h5")).empty());
}

TEST(Hdf5Elsewhere, FilesOfGroupsNestedDeepAreKnown) {
  const TemporaryFolder folder;
  std::vector<std::string> expected;
  {
    Hdf5Writer file(folder.path("a.h5"));
    std::string group;
    for (int depth = 0; depth < 140; ++depth) file.group(group += "/g");
    for (const std::string& name : {group + "/x", std::string("/x")}) {
      expected.push_back(std::filesystem::canonical(folder.write(std::to_string(name.size()), "bytes")));
      file.values_in(expected.back(), name, 3);
    }
  }
  std::vector<std::string> found = other_files(folder.path("a.h5:/x"));
  std::ranges::sort(found);
  std::ranges::sort(expected);
  EXPECT_EQ(found, expected);
}

// The library passes over what is no HDF5 file, and looks for the sources of views beside a link to a file too.
TEST(Hdf5Elsewhere, EveryPlaceOfAFileThatIsNamedIsKnown) {
  const TemporaryFolder folder;
  for (const char* name : {"sub", "links"}) std::filesystem::create_directory(folder.path(name));
  folder.write("sub/source.h5", "a,b\n1,2\n");
  Hdf5Writer(folder.path("links/source.h5")).numbers("/x", {3}, {4, 5, 6});
  Hdf5Writer(folder.path("source.h5")).numbers("/x", {3}, {1, 2, 3});
  Hdf5Writer(folder.path("sub/link.h5")).link("/x", "source.h5", "/x");
  Hdf5Writer(folder.path("sub/away.h5")).link("/x", "/nowhere/source.h5", "/x");
  Hdf5Writer(folder.path("sub/view.h5")).view("/x", 3, "source.h5", "/x");
  std::filesystem::create_symlink("../sub/view.h5", folder.path("links/view.h5"));
  Hdf5Writer(folder.path("linked.h5")).link("/x", "links/view.h5", "/x");
  const CurrentFolder current(folder.path(""));
  const auto found = [&](const std::string& name) {
    std::vector<std::string> names;
    for (const std::string& each : other_files(name))
      names.push_back(std::filesystem::relative(each, std::filesystem::current_path()));
    std::ranges::sort(names);
    return names;
  };
  using Names = std::vector<std::string>;
  for (const std::string name : {"sub/link.h5", "sub/away.h5", "sub/view.h5"}) {
    EXPECT_EQ(load_table({name + ":/x"}).columns[0].numbers, (Numbers{1, 2, 3})) << name;
    EXPECT_EQ(found(name + ":/x"), (Names{"source.h5", "sub/source.h5"})) << name;
  }
  EXPECT_EQ(load_table({"linked.h5:/x"}).columns[0].numbers, (Numbers{4, 5, 6}));
  EXPECT_EQ(found("linked.h5:/x"), (Names{"links/source.h5", "source.h5", "sub/source.h5", "sub/view.h5"}));
}

// The library reads the first two when it begins.
TEST(Hdf5Elsewhere, TheEnvironmentNamesNoFolders) {
  const TemporaryFolder folder;
  for (const std::string place : {"", "pre/"}) {
    std::filesystem::create_directory(folder.path("pre"));
    const std::vector<double> values(3, place.empty() ? 1 : 2);
    folder.write(place + "values.raw", {reinterpret_cast<const char*>(values.data()), 3 * sizeof(double)});
    Hdf5Writer(folder.path(place + "source.h5")).numbers("/x", {3}, values);
  }
  {
    Hdf5Writer file(folder.path("a.h5"));
    file.values_in("values.raw", "/raw", 3);
    file.view("/view", 3, "source.h5", "/x");
    file.link("/link", "source.h5", "/x");
  }
  const CurrentFolder current(folder.path(""));
  const std::vector<const char*> variables = {"HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX", "HDF5_EXT_PREFIX"};
  H5close();
  for (const char* variable : variables) setenv(variable, folder.path("pre").c_str(), 1);
  for (const char* name : {"a.h5:/raw", "a.h5:/view", "a.h5:/link"})
    EXPECT_EQ(load_table({name}).columns[0].numbers, (Numbers{1, 1, 1})) << name;
  for (const char* variable : variables) unsetenv(variable);
}

}  // namespace
}  // namespace kinescope::sim::hdf5_cases::hdf5_elsewhere_test
#endif
