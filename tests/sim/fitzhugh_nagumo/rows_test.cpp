// The rows that `--history` writes: at which times and nodes they are.
#include <gtest/gtest.h>

#include "kinescope/data/write.hpp"
#include "tests/sim/fitzhugh_nagumo/fitzhugh_nagumo_cases.hpp"
#include "tests/temporary_folder.hpp"

namespace kinescope::sim::rows_test {
namespace {

using namespace fitzhugh_nagumo_cases;

double number(const Report& in, const std::string& key) {
  for (const auto& [name, value] : in.entries)
    if (name == key)
      return std::holds_alternative<double>(value) ? std::get<double>(value) : double(std::get<std::int64_t>(value));
  return NAN;
}

Report history_of(Simulation& simulation) {
  for (const auto& [name, value] : simulation.report().entries)
    if (name == "history") return std::get<Report>(value);
  return {};
}

// Row k is what a run that ends at its time ends with, and the last row is at the end.
TEST(FitzHughNagumoRows, AreAtTheTimesThatTheReportSays) {
  for (const int steps : {150, 2000, 4321}) {  // more than 1,000 steps: not all are kept
    const double dt = 0.0625, end = steps * dt;
    const auto axon = finished({assign("end_time", end), assign("dt", dt), "nodes=101"});
    const Table rows = axon->table("history");
    const Report history = history_of(*axon);
    EXPECT_EQ(number(axon->report(), "dt"), dt);
    EXPECT_EQ(number(history, "rows"), double(rows.rows));
    EXPECT_EQ(number(history, "columns"), 101);
    const double apart = number(history, "time_step");
    if (steps % 2 == 0) EXPECT_NEAR(apart * double(rows.rows - 1), end, 1e-9);
    for (const std::size_t k : {rows.rows / 3, rows.rows - 1}) {
      const auto shorter = finished({assign("end_time", double(k) * apart), assign("dt", dt), "nodes=101"});
      Line row;
      for (const Column& node : rows.columns) row.push_back(float(node.numbers[k]));
      EXPECT_EQ(largest_difference(column(*shorter, "v"), row), 0) << steps << ", row " << k;
    }
  }
}

// 4,999 intervals are a prime: every second node is kept, and the last one. 6,003 nodes: every third, which ends there.
TEST(FitzHughNagumoRows, EndWithTheLastNodeOfALongAxon) {
  for (const int nodes : {4097, 5000, 6004})
    for (const char* scheme : {"scheme=explicit", "scheme=implicit", "scheme=adaptive", "scheme=adaptive-paper"}) {
      const auto axon = finished({assign("nodes", nodes), "end_time=20", "case=traveling", scheme});
      const Table rows = axon->table("history");
      const auto stride = std::size_t(std::lround(number(history_of(*axon), "x_step") / 0.5));
      const Line v = column(*axon, "v");
      EXPECT_EQ(stride, nodes == 6004 ? 3 : 2);
      EXPECT_EQ(number(history_of(*axon), "columns"), double(rows.columns.size()));
      ASSERT_EQ(rows.columns.size(), (v.size() - 2) / stride + 2);
      Line last, expected;
      for (std::size_t c = 0; c < rows.columns.size(); ++c) {
        last.push_back(rows.columns[c].numbers.back());
        expected.push_back(v[std::min(c * stride, v.size() - 1)]);
      }
      EXPECT_LE(largest_difference(last, expected), 1e-6) << nodes << " " << scheme;
      EXPECT_GT(std::abs(v.back() - v[v.size() - 2]), 1e-4) << scheme;  // the neighbour would not do
    }
}

std::vector<float> frames_of(Simulation& sheet) {
  const TemporaryFolder folder;
  const std::string name = folder.path("frames.npy");
  write_output(sheet, "history", name);
  std::ifstream file(name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<float> values((bytes.size() - 128) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + 128, values.size() * sizeof(float));
  return values;
}

// Of 600 nodes a side every second one is kept, and the last.
TEST(FitzHughNagumoRows, OfASheetAreWhatShorterRunsEndWith) {
  for (const int nodes : {64, 600}) {
    const Assignments sheet = {"dimensions=2", assign("nodes", nodes), assign("dt", 0.0625)};
    const auto whole = finished(with(sheet, {assign("end_time", 12)}), Backend::cpu, 2, true);
    const std::vector<float> frames = frames_of(*whole);
    const Report history = history_of(*whole);
    const auto rows = std::size_t(number(history, "rows")), side = std::size_t(number(history, "columns"));
    const auto stride = std::size_t(std::lround(number(history, "x_step") / number(whole->report(), "dx")));
    EXPECT_EQ(side, nodes == 64 ? 64 : 301);
    EXPECT_EQ(stride, nodes == 64 ? 1 : 2);
    ASSERT_EQ(frames.size(), rows * side * side);
    EXPECT_NEAR(number(history, "time_step") * double(rows - 1), 12, 1e-9);
    for (const std::size_t k : {std::size_t{1}, rows / 3, rows - 1}) {
      const Line v = final_v(with(sheet, {assign("end_time", double(k) * number(history, "time_step"))}), Backend::cpu);
      const auto at = [&](std::size_t place) { return std::min(place * stride, std::size_t(nodes) - 1); };
      for (std::size_t i = 0; i < side * side; ++i)
        ASSERT_EQ(frames[k * side * side + i], float(v[at(i / side) * std::size_t(nodes) + at(i % side)]))
            << nodes << " " << k << " " << i;
    }
  }
}

TEST(FitzHughNagumoRows, OfASheetAreKeptOnlyWhereSomebodyAsks) {
  const Assignments sheet = {"dimensions=2", "nodes=64", "end_time=5"};
  EXPECT_TRUE(finished(sheet)->endings("history").empty());
  EXPECT_EQ(finished(sheet, Backend::cpu, 2, true)->endings("history"), std::vector<std::string>{".npy"});
}

// 128 MiB at most, whatever the sheet: 2,048 nodes a side are every fourth, at 127 times.
TEST(FitzHughNagumoRows, OfASheetHaveALimit) {
  const auto sheet = make({"dimensions=2", "nodes=2048", "end_time=1000"}, Backend::cpu, 2, true);
  EXPECT_LE(sheet->bytes_of("history", "h.npy"), double(1 << 27));
  EXPECT_GE(sheet->bytes_of("history", "h.npy"), double(1 << 26));
}

}  // namespace
}  // namespace kinescope::sim::rows_test
