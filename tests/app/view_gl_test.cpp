// The command `view`, headless: it draws the same pictures every time, and writes timings and reports.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

#include "app/runs/registry.hpp"
#include "app/view/view.hpp"
#include "app/view/workbench.hpp"
#include "kinescope/error.hpp"
#include "render/gl/context.hpp"

namespace kinescope::app::view_gl_test {
namespace {

class ViewTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      render::HeadlessContext context;
    } catch (const sim::Error& error) {
      GTEST_SKIP() << error.what();
    }
    folder_ = std::filesystem::path(testing::TempDir()) / ("kinescope-view-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }

  static ViewOptions options() {
    ViewOptions options;
    options.kind = find_simulation("glimmer");
    options.parameters = options.kind->make_parameters();
    options.data.source = "synthetic:swissroll,n=300";
    options.headless = true;
    options.frames = 12;
    options.width = 320;
    options.height = 240;
    return options;
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string picture(const std::string& name, bool with_panels, long steps) const {
    ViewOptions asked = options();
    asked.screenshot = path(name);
    asked.with_panels = with_panels;
    asked.steps = steps;
    run_headless(std::move(asked));
    return content(name);
  }

  std::filesystem::path folder_;
};

TEST_F(ViewTest, DrawsTheSamePictureEveryTime) {
  const std::string first = picture("first.png", false, 2);
  EXPECT_GT(first.size(), 1000u);
  EXPECT_EQ(first, picture("second.png", false, 2));
  EXPECT_NE(first, picture("third.png", false, 1));  // another iteration is another picture
  EXPECT_NE(first, picture("panels.png", true, 2));
}

TEST_F(ViewTest, WritesOneRowOfTimingsAFrame) {
  ViewOptions asked = options();
  asked.timings = path("timings.csv");
  run_headless(std::move(asked));
  const std::string text = content("timings.csv");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 12);
}

TEST_F(ViewTest, RunsUntilDoneAndReportsIt) {
  ViewOptions asked = options();
  asked.frames = 0;
  asked.until_done = true;
  asked.steps = 20;
  asked.report = path("report.json");
  run_headless(std::move(asked));
  const std::string report = content("report.json");
  EXPECT_NE(report.find("\"converged\": true"), std::string::npos) << report;
  for (const char* key : {"simulation", "backend", "device", "points", "dimensions", "seed", "parameters", "iterations",
                          "seconds", "stress"})
    EXPECT_NE(report.find('"' + std::string(key) + '"'), std::string::npos) << key;
}

// However many iterations a frame does, the picture shows the requested iteration.
TEST_F(ViewTest, EndsAtTheIterationAskedFor) {
  const auto at = [this](const std::string& name, long iteration, long steps) {
    ViewOptions asked = options();
    asked.frames = 0;
    asked.at = iteration;
    asked.steps = steps;
    asked.screenshot = path(name);
    asked.report = path("report.json");
    run_headless(std::move(asked));
    EXPECT_NE(content("report.json").find("\"iterations\": " + std::to_string(iteration)), std::string::npos);
    return content(name);
  };
  const std::string picture = at("ones.png", 12, 1);
  EXPECT_EQ(picture, at("fives.png", 12, 5));
  EXPECT_NE(picture, at("later.png", 13, 1));
  ViewOptions late = options();
  late.frames = 0;
  late.at = 1'000'000;
  late.steps = 50;
  EXPECT_THROW(run_headless(std::move(late)), sim::Error);
}

TEST_F(ViewTest, ComparesAlgorithmsInOnePicture) {
  const auto compared = [this](const std::string& name, std::vector<std::string> algorithms) {
    ViewOptions asked = options();
    asked.compare = std::move(algorithms);
    asked.frames = 0;
    asked.until_done = true;
    asked.steps = 20;
    asked.screenshot = path(name);
    asked.report = path("report.json");
    run_headless(std::move(asked));
    return content(name);
  };
  const std::string four = compared("four.png", {"pivot-mds", "smacof", "glimmer-2007"});
  const std::string report = content("report.json");
  EXPECT_NE(report.find("\"compared\""), std::string::npos);
  for (const char* name : {"pivot-mds", "smacof", "glimmer-2007"})
    EXPECT_NE(report.find("\"algorithm\": \"" + std::string(name) + '"'), std::string::npos) << report;
  EXPECT_EQ(report.find("\"converged\": false"), std::string::npos) << report;  // it waits for all of them
  EXPECT_EQ(four, compared("again.png", {"pivot-mds", "smacof", "glimmer-2007"}));
  EXPECT_NE(four, compared("others.png", {"pivot-mds", "smacof", "chalmers"}));
  EXPECT_NE(four, compared("alone.png", {}));
  EXPECT_EQ(content("report.json").find("\"compared\""), std::string::npos);
}

TEST_F(ViewTest, RefusesDataThatCannotBeOpened) {
  ViewOptions asked = options();
  asked.data.source = path("missing.csv");
  EXPECT_THROW(run_headless(std::move(asked)), sim::Error);
  ViewOptions unwritable = options();
  unwritable.screenshot = path("no such folder/picture.png");
  EXPECT_THROW(run_headless(std::move(unwritable)), sim::Error);
}

TEST_F(ViewTest, ThreeDimensionsAreDrawnToo) {
  ViewOptions asked = options();
  asked.parameters->set("output_dimensions=3");
  asked.screenshot = path("space.png");
  run_headless(std::move(asked));
  EXPECT_NE(content("space.png"), picture("plane.png", false, 1));
}

// Pictures of clusterings: counts, for each class, the pixels in its colour, away from the legend.
class ClusterViewTest : public ViewTest {
 protected:
  static ViewOptions clustering(const char* simulation, const std::string& data, long frames) {
    ViewOptions asked = options();
    asked.kind = find_simulation(simulation);
    asked.parameters = asked.kind->make_parameters();
    asked.data.source = data;
    asked.frames = frames;
    asked.width = 640;
    asked.height = 480;
    return asked;
  }

  // The counts after `frames` frames of a workbench without a window, or at the end of the run.
  static std::vector<int> class_pixels(ViewOptions asked) {
    render::HeadlessContext context;
    const glm::ivec2 size{asked.width, asked.height};
    const render::Framebuffer framebuffer(size);
    Workbench workbench(asked, context.opengl(), 1, false);
    while (asked.until_done ? !workbench.state().converged : workbench.state().frames < asked.frames)
      workbench.frame({framebuffer.name(), size, 1.0 / 60, 0});
    const render::Image image = workbench.picture(size, 1);
    const std::vector<render::Rgb> colours = render::class_colours(3, render::Background::dark);
    std::vector<int> counts(colours.size());
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width - 180; ++x)
        for (std::size_t k = 0; k < colours.size(); ++k)
          if (std::equal(colours[k].begin(), colours[k].end(), image.pixel(x, y))) ++counts[k];
    return counts;
  }
};

// Centres far outside the picture have no marks: nothing overflows.
TEST_F(ClusterViewTest, OnePointFarAwayHarmsNothing) {
  for (const char* far : {"1e10", "1e12"}) {
    std::ofstream file(path("far.csv"));
    file << "x,y,z\n";
    for (int i = 0; i < 60; ++i) file << i % 7 << ',' << i % 5 << ',' << i % 3 << '\n';
    file << far << ",0,0\n";
    file.close();
    for (const char* simulation : {"k-means", "mean-shift", "glimmer"})
      EXPECT_NO_THROW(run_headless(clustering(simulation, path("far.csv"), 30))) << simulation << ' ' << far;
  }
}

TEST_F(ClusterViewTest, ClustersHaveTheirColoursOnceTheyAreKnown) {
  const std::string data = "synthetic:gaussians,n=1500,k=2,clusters=3";
  ViewOptions done = clustering("mean-shift", data, 0);
  done.parameters->set("bandwidth=1.5");
  done.until_done = true;
  done.steps = 20;
  for (const int pixels : class_pixels(std::move(done))) EXPECT_GT(pixels, 100);
  ViewOptions begun = clustering("mean-shift", data, 3);
  begun.parameters->set("bandwidth=1.5");
  for (const int pixels : class_pixels(std::move(begun))) EXPECT_EQ(pixels, 0);
}

TEST_F(ClusterViewTest, DrawsOneColumnAndManyAndSpace) {
  std::string before;
  for (const char* k : {"1", "2", "3", "5"}) {
    ViewOptions asked = clustering("mean-shift", std::string("synthetic:gaussians,n=300,clusters=3,k=") + k, 4);
    asked.screenshot = path("columns.png");
    run_headless(std::move(asked));
    EXPECT_NE(content("columns.png"), before);
    before = content("columns.png");
  }
}

// Each of the three Gaussians has a colour of its own. The regions under the points take their clusters' colours too.
TEST_F(ClusterViewTest, KMeansColoursItsClustersFromTheFirstIterationOn) {
  const std::string data = "synthetic:gaussians,n=1500,k=2,clusters=3";
  for (const long frames : {6L, 40L}) {
    ViewOptions asked = clustering("k-means", data, frames);
    asked.steps = 1;
    asked.parameters->set("clusters=3");
    for (const int pixels : class_pixels(std::move(asked))) EXPECT_GT(pixels, 100) << frames << " frames";
  }
}

TEST_F(ClusterViewTest, KMeansDrawsOneColumnAndManyAndSpaceAndASweep) {
  std::string before;
  for (const char* k : {"1", "2", "3", "5"}) {
    ViewOptions asked = clustering("k-means", std::string("synthetic:gaussians,n=300,clusters=3,k=") + k, 4);
    asked.parameters->set("clusters=3");
    asked.screenshot = path("columns.png");
    run_headless(std::move(asked));
    EXPECT_NE(content("columns.png"), before);
    before = content("columns.png");
  }
  const auto swept = [&](const char* sweep) {
    ViewOptions asked = clustering("k-means", "synthetic:gaussians,n=300,clusters=3", 400);
    asked.parameters->set(std::string("sweep=") + sweep);
    asked.until_done = true;
    asked.steps = 50;
    asked.screenshot = path("sweep.png");
    run_headless(std::move(asked));
    return content("sweep.png");
  };
  EXPECT_NE(swept("1:5"), swept("1:6"));  // the same clustering beside another curve
}

}  // namespace
}  // namespace kinescope::app::view_gl_test
