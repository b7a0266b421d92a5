// Pictures: which columns take part, and what is published and written.
#include "tests/sim/k_means/k_means_pictures.hpp"

#include <set>

#include "kinescope/data/write.hpp"
#include "tests/sim/host_buffers.hpp"
#include "tests/temporary_folder.hpp"

namespace kinescope::sim::k_means_pictures_test {
namespace {

using k_means_cases::Trial;

// The upper half is red and the lower one blue, and the picture is so wide that places outweigh colours.
std::shared_ptr<Dataset> halves() {
  constexpr std::size_t width = 1200, height = 4;
  std::vector<float> values;
  for (std::size_t i = 0; i < width * height; ++i) {
    const bool red = i / width < height / 2;
    for (const float value : {float(i % width), float(i / width), red ? 250.0f : 5.0f, 10.0f, red ? 5.0f : 250.0f})
      values.push_back(value);
  }
  auto data = test_points::dataset(5, std::move(values));
  data->value_names = {"x", "y", "r", "g", "b"};
  data->picture = {width, height};
  return data;
}

TEST(KMeansPictures, ColoursAreTheColumnsUnlessPlacesAreAskedFor) {
  Trial colours(halves(), {"clusters=2"}), places(halves(), {"clusters=2", "features=xyrgb"});
  const auto simulation = colours.finished();
  const Table palette = simulation->table("palette"), centroids = simulation->table("centroids");
  EXPECT_EQ(palette.columns[1].numbers, (std::vector<float>{2400, 2400}));
  const std::vector<std::string> texts = palette.columns[5].texts;
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()), (std::set<std::string>{"#fa0a05", "#050afa"}));
  ASSERT_EQ(centroids.columns.size(), 5u);
  EXPECT_EQ(centroids.columns[2].name, "r");
  const Table mixed = places.finished()->table("palette");
  EXPECT_EQ(mixed.columns[5].texts, (std::vector<std::string>{"#800a80", "#800a80"}));  // cut by place
}

TEST(KMeansPictures, ColoursAreNotNormalizedPlacesMayBe) {
  const auto used = [](const std::string& features) {
    Trial run(halves(), {"clusters=2", "normalize=zscore", "features=" + features});
    return k_means_cases::entry<std::string>(*run.finished(), "normalize_used");
  };
  EXPECT_EQ(used("rgb"), "none");
  EXPECT_EQ(used("xyrgb"), "zscore");
}

TEST(KMeansPictures, PublishesColours) {
  for (const char* normalize : {"none", "zscore", "minmax"})
    for (const char* features : {"rgb", "xyrgb"})
      k_means_pictures::expect_published<test_buffers::HostBuffers>(Backend::cpu, features, normalize);
}

// Every third pixel has no row.
TEST(KMeansPictures, IsWrittenInItsPaletteWithItsOpacity) {
  const TemporaryFolder folder;
  for (const int bits : {8, 16}) {
    const std::shared_ptr<Dataset> data = test_pictures::translucent_regions(60, 40, bits);
    Trial run(data, {"clusters=3"});
    const auto simulation = run.finished();
    EXPECT_EQ(simulation->endings("out").front(), ".png");
    write_output(*simulation, "out", folder.path("a.png"));
    const Table read = load_table({folder.path("a.png")}), table = simulation->result(),
                centroids = simulation->table("centroids");
    ASSERT_EQ(read.rows, data->points);
    EXPECT_EQ(read.picture.bits, bits);
    EXPECT_EQ(*read.picture.opacity, *data->picture.opacity);
    const double units = bits == 16 ? 257 : 1;
    for (std::size_t i = 0; i < read.rows; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        const double mean = centroids.columns[2 + c].numbers[std::size_t(table.columns[0].numbers[i])];
        ASSERT_EQ(float(read.columns[2 + c].numbers[i]), float(std::round(mean * units)) / float(units)) << i;
      }
  }
}

// The columns of a table may have the names of a picture's.
TEST(KMeansPictures, OtherTablesHaveNoPaletteAndKeepTheirColumns) {
  const std::shared_ptr<Dataset> data = halves();
  data->picture = {};
  Trial run(data, {"clusters=2"});
  const auto simulation = run.finished();
  EXPECT_EQ(simulation->endings("out"), (std::vector<std::string>{".csv", ".npy"}));
  EXPECT_TRUE(simulation->endings("palette").empty());
  EXPECT_EQ(simulation->table("centroids").columns.size(), 7u);
}

}  // namespace
}  // namespace kinescope::sim::k_means_pictures_test
