// What must hold for k-means on the CPU. When a run ends is tested in k_means_stopping_test.cpp.
#include <gtest/gtest.h>
#include <set>

#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/text.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means_test {
namespace {

using namespace k_means_cases;

TEST(KMeans, EqualsAPlainLloydIteration) {
  struct Case {
    std::shared_ptr<const Dataset> data;
    int clusters, iterations;
  };
  for (const Case& c :
       {Case{gaussians(5000), 8, 20}, Case{uniform(3001, 2), 2, 20}, Case{uniform(4000, 2), 3, 7},
        Case{uniform(1000, 5), 17, 9}, Case{gaussians(2000, 33, 12), 12, 6}, Case{uniform(700, 1), 4, 30},
        Case{uniform(500, 128), 2, 10}, Case{uniform(130, 3), 129, 3}, Case{uniform(7, 2), 1, 4}}) {
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto simulation = run.finished();
    const Plain plain = plain_lloyd(*c.data, StartFile::spread_rows(*c.data, c.clusters), c.iterations);
    EXPECT_EQ(differences(labels(*simulation), plain.labels), 0u) << c.data->dimensions << " columns, K " << c.clusters;
    EXPECT_NEAR(inertia(*simulation), plain.inertia, 1e-6 * plain.inertia);
    const History history = simulation->history();
    ASSERT_LE(history.entries.size(), plain.inertias.size());
    for (std::size_t t = 0; t < history.entries.size(); ++t)
      EXPECT_NEAR(history.entries[t].figure, plain.inertias[t], 1e-6 * plain.inertias[t]);
  }
}

TEST(KMeans, EqualsScikitLearn) {
  std::string absent;
  for (const Reference& reference : references()) {
    if (!reference.data) {
      absent += " " + reference.name;
      continue;
    }
    const StartFile start(*reference.data, reference.clusters);
    std::vector<std::string> settings = to_the_end;
    settings.push_back("clusters=" + std::to_string(reference.clusters));
    settings.push_back(start.assignment());
    const auto simulation = Trial(reference.data, settings).finished();
    EXPECT_EQ(differences(labels(*simulation), reference.labels), 0u) << reference.name;
    EXPECT_NEAR(inertia(*simulation), reference.inertia, 1e-5 * reference.inertia) << reference.name;
  }
  if (!absent.empty()) GTEST_SKIP() << "no data:" << absent;
}

TEST(KMeans, AStartIsReadByNamesAndAFileOfCentroidsIsOne) {
  const auto data = dataset(2, {0, 0, 0, 1, 10, 0, 10, 1, 0, 5, 0, 6});
  const_cast<Dataset&>(*data).value_names = {"u", "v"};
  // Without iterations the centroids of the start give the labels.
  for (const char* text : {"v,u\n5.5,0\n0.5,10\n0.5,0\n", "cluster,size,u,v\n0,2,0,5.5\n1,2,10,0.5\n2,2,0,0.5\n",
                           "size,x,cluster,y\n2,0,0,5.5\n2,10,1,0.5\n2,0,2,0.5\n", "0,5.5\n10,0.5\n0,0.5\n"}) {
    const StartFile start(text);
    const auto simulation = Trial(data, {"clusters=3", start.assignment()}).finished();
    EXPECT_NEAR(inertia(*simulation), 1.5, 1e-6) << text;
    EXPECT_EQ(simulation->progress().iteration, 1u) << text;
  }
}

// Whatever the columns are called: the names of centroids' own columns too.
TEST(KMeans, AFileOfCentroidsGivesThemBack) {
  for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{{"x", "size"},
                                                                                     {"cluster", "size"},
                                                                                     {"size", "cluster"},
                                                                                     {"size", "size_2"},
                                                                                     {"size_2", "size"},
                                                                                     {"density", "cluster"},
                                                                                     {" size", "size"},
                                                                                     {"1", "2"}}) {
    const auto data = dataset(2, {0, 100, 0, 110, 0, 900, 0, 910, 0, 105});
    const_cast<Dataset&>(*data).value_names = names;
    const auto first = Trial(data, {"clusters=2"}).finished();
    const Table centroids = first->table("centroids");
    std::set<std::string> different;
    for (const Column& column : centroids.columns) different.insert(column.name);
    EXPECT_EQ(different.size(), 4u);
    EXPECT_TRUE(centroids.columns[0].name == "cluster" && centroids.columns[1].name == "size");
    const StartFile start("");
    write_csv(start.path(), centroids);
    const auto again = Trial(data, {"clusters=2", "iterations=1", start.assignment()}).finished();
    EXPECT_TRUE(again->progress().converged) << names[0] << ", " << names[1];
    EXPECT_TRUE(same_bytes(again->table("centroids"), centroids)) << names[0] << ", " << names[1];
    // mean shift writes a column more
    std::string modes = "cluster,size,density";
    for (const std::string& name : names_beside({"cluster", "size", "density"}, names, 3)) modes += ",\"" + name + "\"";
    const StartFile of_modes(modes + "\n0,3,0.5,0,105\n1,2,0.25,0,905\n");
    const auto from_modes = Trial(data, {"clusters=2", "iterations=1", of_modes.assignment()}).finished();
    EXPECT_TRUE(same_bytes(from_modes->table("centroids"), centroids)) << names[0] << ", " << names[1];
  }
}

TEST(KMeans, InertiaNeverRises) {
  for (const auto& data : {gaussians(6000, 2, 12), std::shared_ptr<const Dataset>(uniform(3000, 6))})
    for (const std::string start : {"plus-plus", "random"})
      for (const int clusters : {1, 3, 25}) {
        const auto simulation = Trial(data, {"start=" + start, "clusters=" + std::to_string(clusters)}).finished();
        EXPECT_TRUE(never_rises(*simulation)) << start << ", " << clusters;
        EXPECT_TRUE(simulation->progress().converged);
        EXPECT_LE(inertia(*simulation), simulation->progress().figure * (1 + 1e-6));
      }
}

TEST(KMeans, SizesAreDescendingAndOfTheLabels) {
  const auto simulation = Trial(gaussians(5000), {"clusters=11"}).finished();
  const auto sizes = entry<std::vector<std::int64_t>>(*simulation, "sizes");
  std::vector<std::int64_t> counted(11);
  for (const std::uint32_t label : labels(*simulation)) ++counted.at(label);
  EXPECT_EQ(sizes, counted);
  EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend()));
}

TEST(KMeans, SweepFindsTheMadeNumber) {
  for (const auto& [columns, clusters] : {std::pair{2, 5}, {2, 3}, {3, 3}, {5, 8}, {8, 6}, {1, 1}}) {
    const auto simulation = Trial(gaussians(2500, columns, clusters, 3), {"sweep=1:12"}).finished();
    const auto sweep = simulation->snapshot()->share<KMeansSweep>();
    EXPECT_EQ(entry<std::int64_t>(*simulation, "clusters"), clusters) << columns << " columns";
    ASSERT_NE(sweep, nullptr);
    const std::vector<KMeansCriteria>& curve = sweep->curve;
    ASSERT_EQ(curve.size(), 12u);
    for (std::size_t k = 1; k < curve.size(); ++k)
      EXPECT_LE(curve[k].inertia, curve[k - 1].inertia * (1 + 1e-6)) << "a further centroid cannot make it worse";
    EXPECT_EQ(sweep->chosen, clusters);
    // The chosen clustering is iterated at least once beyond the attempt that was weighed.
    const double weighed = curve[static_cast<std::size_t>(clusters) - 1].inertia;
    EXPECT_LE(inertia(*simulation), weighed * (1 + 1e-9));
    EXPECT_GE(inertia(*simulation), weighed * (1 - 1e-4));
    EXPECT_NEAR(entry<double>(*simulation, "bic"), curve[static_cast<std::size_t>(clusters) - 1].bic, 1e-3);
  }
}

std::int64_t swept(std::size_t points, int columns, int made, int seed) {
  Trial run(gaussians(points, columns, made, seed),
            {"sweep=" + std::to_string(points > 2000 ? made - 2 : 1) + ":" + std::to_string(made + 2)});
  return entry<std::int64_t>(*run.finished(), "clusters");
}

// Data whose Gaussians may overlap: a sweep never finds more than were made, and nearly always as many. (With 1,500
// points BIC may prefer fewer Gaussians to the mixture that was made; that is so in 9 draws of 8 clusters.)
TEST(KMeans, SweepsOfManyDraws) {
  int draws = 0, found = 0;
  const auto draw = [&](int columns, int made, int seed) {
    const std::int64_t clusters = swept(1500, columns, made, seed);
    EXPECT_LE(clusters, made) << columns << " columns, seed " << seed;
    EXPECT_GE(clusters, made - 1) << columns << " columns, seed " << seed;
    ++draws;
    found += clusters == made;
  };
  for (int made = 2; made <= 9; ++made) {
    for (int seed = 1; seed <= 4; ++seed) draw(2, made, seed);
    draw(3, made, 1);
    draw(8, made, 1);
  }
  for (int seed = 6; seed <= 10; ++seed) draw(2, 5, seed), draw(2, 8, seed);
  EXPECT_GE(found, draws - 3) << "of " << draws;
}

TEST(KMeans, SweepsOfManyPointsFindWhatOverlaps) {
  EXPECT_EQ(swept(15'000, 2, 8, 9), 8);  // with only 1,500 points it finds 7
  EXPECT_EQ(swept(50'000, 2, 8, 9), 8) << "of which a sample is weighed";
}

// Values in steps: a cluster of equal values has no variance, which must not make it worth finding.
TEST(KMeans, SweepsOfValuesInStepsFindNoSpikes) {
  auto data = std::make_shared<Dataset>(*gaussians(1500, 2, 3));
  for (float& value : data->rows().values.own()) value = std::round(5 * value) / 5;
  EXPECT_LE(entry<std::int64_t>(*Trial(data, {"sweep=1:12"}).finished(), "clusters"), 4);
}

// The runs of `restarts` are those of the given seed and the following ones, and the best is kept unchanged.
TEST(KMeans, RestartsKeepTheBestOfTheirSeeds) {
  const auto data = gaussians(2000, 2, 15);
  for (const std::string start : {"start=random", "start=plus-plus"}) {
    Trial several(data, {"clusters=15", start, "restarts=6", "tolerance=0"});
    several.setup.seed = 5;
    const auto best = several.finished();
    const auto told = entry<std::vector<Report>>(*best, "restarts");
    ASSERT_EQ(told.size(), 6u);
    std::unique_ptr<Simulation> least;
    long iterations = 0;
    for (std::uint64_t n = 0; n < 6; ++n) {
      Trial one(data, {"clusters=15", start, "tolerance=0"});
      one.setup.seed = 5 + n;
      auto simulation = one.finished();
      iterations += simulation->progress().iteration;
      EXPECT_EQ(std::get<std::int64_t>(told[n].entries[0].second), simulation->progress().iteration);
      EXPECT_NEAR(std::get<double>(told[n].entries[1].second), inertia(*simulation), 1e-9 * inertia(*simulation));
      EXPECT_TRUE(std::get<bool>(told[n].entries[2].second));
      if (!least || inertia(*simulation) < (1 - 1e-9) * inertia(*least)) least = std::move(simulation);
    }
    EXPECT_EQ(best->progress().iteration, iterations);
    EXPECT_TRUE(same_bytes(best->result(), least->result())) << start;
    EXPECT_TRUE(same_bytes(best->table("centroids"), least->table("centroids"))) << start;
    EXPECT_TRUE(std::ranges::equal(paths_of(*best).values.entries, paths_of(*least).values.entries)) << start;
    EXPECT_NEAR(best->progress().figure, inertia(*best), 1e-6 * inertia(*best));
    best->set("iterations", "200");  // the kept run goes on, and stays as it is because it has converged
    while (best->advance({})) {
    }
    EXPECT_TRUE(same_bytes(best->result(), least->result())) << start;
  }
}

TEST(KMeans, RestartsAreWatchedOneByOne) {
  Trial run(gaussians(500), {"clusters=3", "restarts=3"});
  const auto simulation = run.make();
  std::vector<std::string> phases;
  while (simulation->advance({1e9, 1})) {
    const Progress progress = simulation->progress();
    if (phases.empty() || phases.back() != progress.phase) phases.push_back(progress.phase);
    EXPECT_EQ(labels(*simulation).size(), 500u);  // labels are available at any moment
  }
  for (const char* phase :
       {"updating clusters, start 1 of 3", "placing centroids, start 2 of 3", "updating clusters, start 3 of 3"})
    EXPECT_NE(std::find(phases.begin(), phases.end(), phase), phases.end()) << phase;
  EXPECT_EQ(simulation->progress().phase, "updating clusters");
  EXPECT_EQ(simulation->progress().fraction, 1);
}

TEST(KMeans, AFilesStartIsOneRun) {
  const auto data = gaussians(500);
  const StartFile start(*data, 3);
  const auto simulation = Trial(data, {"clusters=3", start.assignment(), "restarts=5"}).finished();
  for (const auto& [name, value] : simulation->report().entries) EXPECT_NE(name, "restarts");
  KMeansParameters parameters;
  EXPECT_TRUE(parameters.applies(parameters.restarts));
  parameters.set(start.assignment());
  EXPECT_FALSE(parameters.applies(parameters.restarts));
}

TEST(KMeans, SameBytesForAnyNumberOfThreadsAndAnyBudget) {
  for (const std::vector<std::string>& settings : {std::vector<std::string>{"clusters=3"},
                                                   {"clusters=40"},
                                                   {"sweep=2:6"},
                                                   {"clusters=9", "start=random", "restarts=3"}}) {
    Trial run(gaussians(8'000, 3, 9), settings);
    run.setup.threads = 1;
    const Table first = run.finished()->result();
    for (const int threads : {1, 2, 7}) {
      run.setup.threads = threads;
      const auto simulation = run.make();
      for (long count = 1; simulation->advance({1e-3, count}); ++count) {
      }
      EXPECT_TRUE(same_bytes(simulation->result(), first)) << settings[0] << ", " << threads << " threads";
    }
  }
}

TEST(KMeans, TheLevelsOfASweepAreNumbersOfClusters) {
  const Progress swept = Trial(gaussians(500), {"sweep=2:6"}).finished()->progress();
  EXPECT_EQ(swept.level_name, "K =");
  EXPECT_EQ(swept.first_level, 2);
  const Progress plain = Trial(gaussians(500), {"clusters=3"}).finished()->progress();
  EXPECT_EQ(plain.level_name, "Level");
  EXPECT_EQ(plain.first_level, 1);
}

// The points come in parts, which are sent again for each iteration: a megabyte holds some 1,000 rows of 256 columns.
TEST(KMeans, PartsOfThePointsGiveTheSameBytes) {
  const auto data = gaussians(5000, 256, 9);
  const StartFile same_place(far_start(*data, 12));
  for (const std::vector<std::string>& settings : {std::vector<std::string>{"clusters=9"},
                                                   {"clusters=12", "start=random", "restarts=3"},
                                                   {"clusters=12", same_place.assignment()},
                                                   {"sweep=2:4", "iterations=5"}}) {
    Trial whole(data, settings), parts(data, settings);
    parts.parameters.set("device_memory=1");
    const auto one = whole.finished(), many = parts.finished();
    EXPECT_TRUE(same_bytes(many->result(), one->result())) << settings[0];
    EXPECT_TRUE(same_bytes(many->table("centroids"), one->table("centroids"))) << settings[0];
    EXPECT_EQ(many->progress().iteration, one->progress().iteration) << settings[0];
    EXPECT_EQ(inertia(*many), inertia(*one)) << settings[0];
    EXPECT_EQ(entry<double>(*many, "bic"), entry<double>(*one, "bic")) << settings[0];
  }
}

TEST(KMeans, LabelsAreThoseOfTheResult) {
  const auto simulation = Trial(gaussians(3000), {"clusters=5"}).finished();
  std::vector<std::uint32_t> asked(3000);
  dynamic_cast<KMeans&>(*simulation).labels(asked);
  EXPECT_EQ(asked, labels(*simulation));
}

// Two centroids start at the same place: the second gets no points, and takes the farthest one.
TEST(KMeans, AnEmptyClusterTakesTheFarthestPoint) {
  const auto data = dataset(1, {0, 1, 2, 100, 101, 109});
  const StartFile start("1\n100\n100\n");
  Trial run(data, {"clusters=3", start.assignment(), "tolerance=0"});
  const auto simulation = run.make();
  while (simulation->advance({1e9, 1})) {
  }
  EXPECT_EQ(labels(*simulation), (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 2}));
  EXPECT_TRUE(never_rises(*simulation));
  EXPECT_NEAR(inertia(*simulation), 2.5, 1e-9);
}

TEST(KMeans, ManyEmptyClustersAreAllRepaired) {
  for (const int clusters : {4, 12}) {
    std::string text;
    for (int k = 0; k < clusters; ++k) text += "5,5\n";
    const StartFile start(text);
    const auto data = uniform(2000, 2);
    const auto simulation = Trial(data, {"clusters=" + std::to_string(clusters), start.assignment()}).finished();
    for (const std::int64_t size : entry<std::vector<std::int64_t>>(*simulation, "sizes")) EXPECT_GT(size, 0);
    EXPECT_TRUE(never_rises(*simulation));
  }
}

TEST(KMeans, DuplicatesAndAsManyClustersAsPoints) {
  const auto simulation = Trial(uniform(40, 2), {"clusters=40"}).finished();
  EXPECT_EQ(inertia(*simulation), 0);
  EXPECT_EQ(entry<std::vector<std::int64_t>>(*simulation, "sizes"), std::vector<std::int64_t>(40, 1));
  std::vector<float> same(300, 2.5f);
  for (std::size_t i = 0; i < 100; ++i) same[i] = -1;
  const auto two = Trial(dataset(1, same), {"clusters=2"}).finished();
  EXPECT_TRUE(two->progress().converged);
  EXPECT_EQ(inertia(*two), 0);
  EXPECT_EQ(entry<std::vector<std::int64_t>>(*two, "sizes"), (std::vector<std::int64_t>{200, 100}));
  // Different points whose distance is 0 in float32: clusters other than the first get none of them and stay empty.
  const float least = std::numeric_limits<float>::denorm_min();
  std::vector<float> near(90, 1);
  for (std::size_t i = 0; i < 3; ++i) near[i] = static_cast<float>(i) * least;
  const auto few = Trial(dataset(1, near), {"clusters=4"}).finished();
  EXPECT_TRUE(few->progress().converged);
  EXPECT_EQ(inertia(*few), 0);
  EXPECT_EQ(entry<std::vector<std::int64_t>>(*few, "sizes"), (std::vector<std::int64_t>{87, 3, 0, 0}));
}

// Checks the probabilities of the draws: three places away from the first centroid, 1, 2 and 4, have weights of
// 1 : 4 : 16. Of two candidates 2 and 4 leave the same inertia, so the first of them is taken, and 1 leaves more.
TEST(KMeans, GreedyPlusPlusDrawsInProportionToTheSquaresAndTakesTheBest) {
  const auto data = dataset(1, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4});
  int drawn[5] = {}, from_zero = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Trial run(data, {"clusters=2", "iterations=1"});
    run.setup.seed = seed;
    const auto simulation = run.finished();
    const auto paths = simulation->snapshot()->share<CentroidPaths>();
    ASSERT_GE(paths->rows(), 2u);
    if (paths->row(0)[0] != 0) continue;
    ++from_zero;
    ++drawn[static_cast<int>(paths->row(0)[1])];
  }
  EXPECT_NEAR(from_zero, 600 * 20.0 / 23, 5 * std::sqrt(600 * 20.0 / 23 * 3 / 23));
  EXPECT_EQ(drawn[0], 0);
  for (const auto& [place, weight] : {std::pair{1, 1.0 / 441}, {2, 4 * 22.0 / 441}, {4, 16 * 22.0 / 441}})
    EXPECT_NEAR(drawn[place], from_zero * weight, 5 * std::sqrt(from_zero * weight * (1 - weight)));
}

TEST(KMeans, ClustersChangeWhileItRuns) {
  const auto simulation = Trial(gaussians(4000), {"clusters=4"}).make();
  simulation->advance({1e9, 6});
  for (const char* clusters : {"9", "2", "30", "1", "8"}) {
    const long before = simulation->progress().iteration;
    simulation->set("clusters", clusters);
    EXPECT_FALSE(simulation->progress().converged);
    while (simulation->advance({})) {
    }
    EXPECT_GT(simulation->progress().iteration, before);
    EXPECT_EQ(entry<std::int64_t>(*simulation, "clusters"), std::stoi(clusters));
  }
  const double found = inertia(*simulation);
  EXPECT_THROW(simulation->set("clusters", "4001"), Error);
  EXPECT_EQ(inertia(*simulation), found);
}

TEST(KMeans, WideRangesKeepTheirNarrowClusters) {
  auto data = uniform(1000, 2, 1);
  for (std::size_t i = 0; i < 500; ++i) data->rows().values.own()[2 * i] += 5;
  data->rows().values.own()[1998] = data->rows().values.own()[1999] = 1e6f;
  const StartFile start("0.5,0.5\n5.5,0.5\n1e6,1e6\n");
  const auto simulation = Trial(data, {"clusters=3", start.assignment(), "tolerance=0", "iterations=5"}).finished();
  EXPECT_EQ(entry<std::vector<std::int64_t>>(*simulation, "sizes"), (std::vector<std::int64_t>{500, 499, 1}));
  const Plain plain = plain_lloyd(*data, {0.5f, 0.5f, 5.5f, 0.5f, 1e6f, 1e6f}, 5);
  EXPECT_NEAR(inertia(*simulation), plain.inertia, 1e-5 * plain.inertia);
}

std::string message_of(Trial& run) {
  try {
    run.make();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "(no error)";
}

TEST(KMeans, BadInputIsOneClearLine) {
  KMeansParameters parameters;
  for (const char* bad : {"clusters=0", "clusters=x", "start=ring", "sweep=5", "sweep=0:4", "sweep=4:2", "sweep=2:x",
                          "sweep=:", "iterations=0", "tolerance=-1", "stop=never", "restarts=0"})
    EXPECT_THROW(parameters.set(bad), Error) << bad;
  const auto data = uniform(10, 2);
  Trial many(data, {"clusters=11"}), far(data, {"sweep=2:11"}), missing(data, {"start=/nowhere/start.csv"});
  EXPECT_EQ(message_of(many), "clusters: 11 clusters are more than 10 points of made in a test");
  EXPECT_EQ(message_of(far), "sweep: 11 clusters are more than 10 points of made in a test");
  // Equal points count only once.
  std::vector<float> equal;
  for (int i = 0; i < 300; ++i) equal.insert(equal.end(), {float(i % 3), i % 2 ? 0.0f : -0.0f});
  const auto three = dataset(2, equal);
  Trial four(three, {"clusters=4"}), enough(three, {"clusters=3"});
  EXPECT_EQ(message_of(four), "clusters: 4 clusters are more than 3 different points of made in a test");
  EXPECT_EQ(entry<double>(*enough.finished(), "inertia"), 0);
  EXPECT_NE(message_of(missing).find("/nowhere/start.csv"), std::string::npos);
  const StartFile rows("1,2\n3,4\n5,6\n"), columns("1,2,3\n4,5,6\n"), text("1,a\n2,b\n"), gap("1,2\n,3\n");
  const auto with = [&](const StartFile& start) {
    Trial run(data, {"clusters=2", start.assignment()});
    return message_of(run);
  };
  EXPECT_EQ(with(rows), rows.path() + ": expected 2 rows (clusters) of 2 columns, found 3 rows of 2 columns");
  EXPECT_EQ(with(columns), columns.path() + ": expected 2 rows (clusters) of 2 columns, found 2 rows of 3 columns");
  EXPECT_NE(with(text).find("is text"), std::string::npos);
  EXPECT_NE(with(gap).find("missing value"), std::string::npos);
  const StartFile distant("1e30,0\n0,0\n");
  const std::string range = ": the range of its points and centroids is too ";
  EXPECT_NE(with(distant).find(range + "wide"), std::string::npos);
  for (const auto& [size, what] : {std::pair{1e20f, "wide"}, {3e38f, "wide"}, {1e-20f, "narrow"}}) {
    Trial scaled(dataset(1, {-size, 0, size}), {"clusters=2"});
    EXPECT_TRUE(message_of(scaled).starts_with("made in a test" + range + what)) << size;
  }
  auto nothing = std::make_shared<Dataset>();
  nothing->name = "names.csv";
  nothing->points = 3;
  Trial none(nothing, {"clusters=2"});
  EXPECT_EQ(message_of(none), "names.csv: no column of numbers is used");
}

}  // namespace
}  // namespace kinescope::sim::k_means_test
