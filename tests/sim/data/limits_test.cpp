// How much memory a reader may still take.
#include "sim/data/limits.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/sparse_rows.hpp"
#include "sim/data/text.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::limits_test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

// The process's own limit counts what the process already holds, here 1 GiB of addresses.
TEST(Limits, MemoryInUseIsNotFree) {
  void* const held = mmap(nullptr, 1024 * mebibyte, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(held, MAP_FAILED);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit lowered{address_space_in_use() + 256 * mebibyte, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &lowered), 0);
  EXPECT_NO_THROW(require_memory("t.csv", 100.0 * mebibyte));
  EXPECT_THROW(require_memory("t.csv", 512.0 * mebibyte), Error);
  setrlimit(RLIMIT_AS, &before);
  munmap(held, 1024 * mebibyte);
}

std::string numbered(const std::string& before, std::size_t count, const std::string& after) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += before + std::to_string(i) + after;
  return text;
}

// Small files that leave out nearly all of what they would become.
TEST(Limits, AFileMayNotBecomeFarMoreThanItIs) {
  const std::string most = ", of which a file may give 16 million, or 64 for each of its bytes";
  const auto begins = [&](const std::string& message, const std::string& with) {
    return message.starts_with(with) && message.ends_with(most);
  };
  const std::string dot =
      message_of_reading("graph {{" + numbered("a", 5000, " ") + "} -- {" + numbered("b", 5000, " ") + "}}", "a.dot");
  EXPECT_TRUE(begins(dot, "a.dot: 57.8 kB would become 25,000,000 edges")) << dot;
  const std::string lines = message_of_reading(numbered("{\"k", 6000, "\":1}\n"), "a.jsonl");
  EXPECT_TRUE(begins(lines, "a.jsonl: ")) << lines;
  std::string arff = "@relation r\n" + numbered("@attribute a", 10'000, " numeric\n") + "@data\n";
  for (int row = 0; row < 10'000; ++row) arff += "{}\n";
  const std::string sparse = message_of_reading(arff, "a.arff");
  EXPECT_TRUE(begins(sparse, "a.arff: ")) << sparse;
}

// Long names around many others, and what stands for a name in many places.
TEST(Limits, LongTextsMayNotBeRepeatedTooOften) {
  const auto refused = [](const std::string& message, const std::string& begin) {
    return message.starts_with(begin) && message.ends_with(" of long texts, which many rows or names repeat");
  };
  const std::string name(50'000, 'x'), inner = numbered("\"a", 10'000, "\":1,") + "\"b\":1";
  const std::string line = "{\"" + name + "\":{" + inner + "}}\n";
  const std::string lines = message_of_reading(line + line, "a.jsonl");
  EXPECT_TRUE(refused(lines, "a.jsonl: ")) << lines;
  const std::string nodes = message_of_reading(
      "{\"nodes\":[{\"id\":1,\"" + name + "\":{" + inner + "}},{\"id\":2}],\"links\":[{\"source\":1,\"target\":2}]}",
      "a.json");
  EXPECT_TRUE(refused(nodes, "a.json: ")) << nodes;
  const std::string gml =
      message_of_reading("graph [ node [ id 1 " + name + " [" + numbered(" a", 10'000, " 1") + " ] ] ]", "a.gml");
  EXPECT_TRUE(refused(gml, "a.gml: ")) << gml;
  std::string data;
  for (int i = 0; i < 10'000; ++i) data += "<data key=\"k\">1</data>";
  const std::string graphml = message_of_reading("<graphml><key id=\"k\" for=\"node\" attr.name=\"" + name +
                                                     "\"/><graph><node id=\"a\">" + data + "</node></graph></graphml>",
                                                 "a.graphml");
  EXPECT_TRUE(refused(graphml, "a.graphml: ")) << graphml;
  std::string names;
  for (int i = 0; i < 20'000; ++i) names += "\\N";
  const std::string dot = message_of_reading("graph { \"" + name + "\" [label=\"" + names + "\"]; a -- b }", "a.dot");
  EXPECT_TRUE(refused(dot, "a.dot: 90.0 kB would become 1.0 GB")) << dot;
}

// Metadata may be joined to many rows of one name.
TEST(Limits, TextsOfMetadataMayNotBeRepeatedTooOften) {
  const TemporaryFolder folder;
  std::string rows = "k,x\n";
  for (int i = 0; i < 10'000; ++i) rows += "a,1\nb,2\n";
  DataRequest request{folder.write("rows.csv", rows)};
  request.metadata = folder.write("about.csv", "k,t\na," + std::string(50'000, 'x') + "\nb,y\n");
  const std::string message = input_message([&] { load_dataset(request); });
  EXPECT_NE(message.find("of long texts, which many rows or names repeat"), std::string::npos) << message;
}

TEST(Limits, MetadataMayNotMakeFarMoreCellsThanItsFilesHave) {
  const TemporaryFolder folder;
  std::string rows = "k,x\n", names = "k", values = "a";
  for (int i = 0; i < 20'000; ++i) rows += "a,1\n";
  for (int i = 0; i < 1'500; ++i) names += ",c" + std::to_string(i), values += ",1";
  DataRequest request{folder.write("rows.csv", rows)};
  request.metadata = folder.write("about.csv", names + "\n" + values + "\n");
  const std::string message = input_message([&] { load_dataset(request); });
  EXPECT_NE(message.find("30,020,000 cells"), std::string::npos) << message;
}

TEST(Limits, ColumnsWithoutAValueAreLeftOut) {
  const Table table = read_bytes("1 5:1 100000005:2\n0 5:3\n", "a.svm");
  ASSERT_TRUE(table.sparse);
  EXPECT_EQ(table.sparse->columns, 2u);
  EXPECT_EQ(table.sparse->index, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(table.sparse->names, (std::vector<std::string>{numbered_name(4), numbered_name(100'000'004)}));
  EXPECT_EQ(table.remarks, (std::vector<std::string>{"100,000,003 columns without a value left out"}));
}

}  // namespace
}  // namespace kinescope::sim::limits_test
