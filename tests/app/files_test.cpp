// What the window writes, remembers and opens (timings, settings, paths), its heading, and how points are coloured.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <malloc.h>
#include <numeric>
#include <sstream>
#include <sys/stat.h>

#include "app/io/session_file.hpp"
#include "app/io/settings.hpp"
#include "app/io/timings.hpp"
#include "app/panels/file_dialog.hpp"
#include "app/panels/run_panel.hpp"
#include "app/scenes/points/colouring.hpp"
#include "tests/temporary_folder.hpp"

namespace kinescope::app::files_test {
namespace {

std::filesystem::path folder() {
  const auto path = std::filesystem::path(testing::TempDir()) / ("kinescope-files-" + std::to_string(getpid()));
  std::filesystem::create_directories(path);
  return path;
}

TEST(Percentiles, AreValuesOfTheSampleInOrder) {
  std::vector<double> values(200);
  std::iota(values.begin(), values.end(), 1.0);
  const Percentiles p = percentiles(values);
  EXPECT_EQ(p.p50, 100);
  EXPECT_EQ(p.p95, 190);
  EXPECT_EQ(p.p99, 198);
  EXPECT_EQ(percentiles({}).p99, 0);
  EXPECT_EQ(percentiles({3}).p50, 3);
}

TEST(Timings, LookBackAtTheLastFramesOnly) {
  Timings timings;
  for (std::size_t i = 0; i < 3 * Timings::window; ++i) timings.add({.cpu_ms = i < 2 * Timings::window ? 1000.0 : 1.0});
  EXPECT_EQ(timings.of(&FrameTiming::cpu_ms).p99, 1);
}

TEST(PassTimes, AreMediansInTheOrderOfTheirNames) {
  PassTimes times;
  times.add({{"shadow", 3}, {"light", 1}});
  times.add({{"shadow", 100}, {"light", 2}});
  times.add({{"light", 9}, {"shadow", 4}});
  const std::vector<std::pair<std::string, double>> expected{{"shadow", 4}, {"light", 2}};
  EXPECT_EQ(times.medians(), expected);
}

TEST(TimingsFile, HasTheColumnsOfTheInterface) {
  const std::string path = folder() / "timings.csv";
  TimingsFile file(path, "finish");
  file.add({.cpu_ms = 1.5, .points = 42, .iterations = 3});
  file.add({.gpu_ms = 2.25});
  file.finish();
  std::ifstream text(path);
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "frame,cpu_ms,gpu_ms,sim_ms,upload_ms,draw_ms,panels_ms,points,timer,iterations,frame_ms");
  std::getline(text, line);
  EXPECT_EQ(line, "0,1.5000,0.0000,0.0000,0.0000,0.0000,0.0000,42,finish,3,0.0000");
  std::getline(text, line);
  EXPECT_TRUE(line.starts_with("1,0.0000,2.2500,"));
}

std::size_t allocated_bytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// A view may run for days.
TEST(TimingsFile, TakesNoMoreMemoryInALongRun) {
  const std::string path = folder() / "long.csv";
  TimingsFile file(path, "finish");
  PassTimes passes;
  constexpr std::size_t frames = 300'000;
  const std::vector<std::pair<std::string, double>> usual{{"sky", 2}, {"land", 5}}, rare{{"sky", 70}, {"land", 90}};
  const auto add = [&](std::size_t i) {
    file.add({.cpu_ms = double(i)});
    passes.add(i % 3 == 0 ? rare : usual);
  };
  for (std::size_t i = 0; i < frames / 10; ++i) add(i);
  const std::size_t before = allocated_bytes();
  for (std::size_t i = frames / 10; i < frames; ++i) add(i);
  EXPECT_LT(allocated_bytes(), before + (64 << 10));
  EXPECT_EQ(passes.medians(), usual);
  EXPECT_FALSE(std::filesystem::exists(path)) << "it gets its name when it is whole";
  file.finish();
  std::ifstream text(path);
  std::string line, last;
  std::size_t lines = 0;
  for (; std::getline(text, line); last = line) ++lines;
  EXPECT_EQ(lines, 1 + frames);
  EXPECT_TRUE(last.starts_with("299999,299999.0000,")) << last;
}

TEST(TimingsFile, LeavesNothingIfTheRunFails) {
  const auto own = folder() / "failed";
  std::filesystem::create_directories(own);
  { TimingsFile(own / "timings.csv", "finish").add({}); }
  EXPECT_TRUE(std::filesystem::is_empty(own));
}

TEST(Heading, DoesNotCallAPausedRunRunning) {
  sim::Progress progress;
  progress.phase = "running";
  progress.points = 262'144;
  progress.iteration = 983;
  EXPECT_EQ(progress_text(progress, true, 0), "Paused · 262,144 points · iteration 983");
  EXPECT_EQ(progress_text(progress, false, 0), "Running · 262,144 points · iteration 983");
  progress.phase = "relax";
  EXPECT_EQ(progress_text(progress, true, 0), "Paused · Relax · 262,144 points · iteration 983");
}

TEST(Settings, ComeBackAsTheyWereSaved) {
  Settings settings;
  settings.light = true;
  settings.left_width = 333;
  settings.timeline_mb = 1000;
  settings.scale = 1.25;
  settings.window_width = 1500, settings.window_height = 900, settings.window_x = -1200, settings.window_y = 40;
  settings.maximized = true;
  const auto file = [](int i) { return (folder() / ("file " + std::to_string(i) + ".csv")).string(); };
  for (int i = 0; i < 15; ++i) {
    std::ofstream(file(i)) << "1";
    settings.remember(file(i));
  }
  settings.remember(std::filesystem::relative(file(9)).string());
  EXPECT_EQ(settings.recent.size(), 10u);
  EXPECT_EQ(settings.recent.front(), file(9));
  EXPECT_EQ(std::count(settings.recent.begin(), settings.recent.end(), file(9)), 1);
  settings.remember("synthetic:grid,n=9");
  const std::string path = folder() / "deep" / "window";
  ASSERT_TRUE(save_settings(path, settings));
  EXPECT_EQ(load_settings(path), settings);
  std::filesystem::remove(file(9));
  std::erase(settings.recent, file(9));
  EXPECT_EQ(load_settings(path), settings) << "a file that is gone is not offered";
}

TEST(Settings, DoNotReplaceAUsersFileThroughALink) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", "a,b\n1,2\n"), path = folder.path("window");
  std::filesystem::create_symlink(data, path);
  EXPECT_FALSE(save_settings(path, {}));
  EXPECT_EQ(std::filesystem::file_size(data), 8u);
  EXPECT_FALSE(leads_elsewhere(folder.write("last", session_text({})), session_beginning));
  std::filesystem::create_symlink(folder.path("last"), folder.path("link"));
  EXPECT_FALSE(leads_elsewhere(folder.path("link"), session_beginning));
  const std::string other = folder.write("mine", "");
  std::filesystem::remove(path);
  std::filesystem::create_symlink(other, path);
  EXPECT_TRUE(save_settings(path, {}));
  EXPECT_TRUE(save_settings(path, {}));
  EXPECT_TRUE(std::filesystem::is_symlink(path));
}

TEST(Settings, SurviveADamagedFile) {
  const std::string path = folder() / "damaged";
  std::ofstream(path) << "left_width=-7\nright_width=wide\ntheme=purple\n\x01\xff\nno "
                         "equals\nrecent=\nbottom_height=1e9\ntimeline_mb=0\n";
  EXPECT_EQ(load_settings(path), Settings());
  std::ofstream(path) << "bottom_height=" << least_bottom_height - 1;  // lower than the edge can be dragged
  EXPECT_EQ(load_settings(path), Settings());
  EXPECT_EQ(load_settings("/nowhere/at/all"), Settings());
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(load_settings(path), Settings()) << "a pipe is not waited for";
  std::filesystem::remove(path);
  EXPECT_FALSE(save_settings("/proc/nowhere/window", Settings()));
}

TEST(FileDialog, ATildeAloneOrBeforeASlashIsOnesOwnFolder) {
  const char* before = std::getenv("HOME");
  const std::string home = before ? before : "";
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(typed_path("~"), "/home/me");
  EXPECT_EQ(typed_path("~/x.csv"), "/home/me/x.csv");
  EXPECT_EQ(typed_path("/x.csv"), "/x.csv");
  for (const char* part : {"~bob/x", "~old.csv", "x.csv", "a/b", ""}) EXPECT_EQ(typed_path(part), "") << part;
  before ? setenv("HOME", home.c_str(), 1) : unsetenv("HOME");
}

sim::Dataset dataset() {
  sim::Dataset data;
  data.points = 6;
  data.label_name = "kind";
  data.labels = {0, 1, 0, 1, 1, 2};
  data.label_names = {"a", "b", "c"};
  data.table.rows = 6;
  data.table.columns = {{.name = "kind", .is_text = true, .texts = {"a", "b", "a", "b", "b", "c"}},
                        {.name = "height", .numbers = {1, 2, 3, NAN, 5, 6}},
                        {.name = "charge", .numbers = {-1, 2, 0, 0, 0, 0}},
                        {.name = "town", .is_text = true, .texts = {"x", "y", "y", "", "y", "x"}}};
  return data;
}

TEST(Colouring, OffersTheLabelFirstAndEveryColumnOnce) {
  EXPECT_EQ(colouring_choices(dataset()),
            (std::vector<std::string>{"kind", "height", "charge", "town", "Single colour"}));
  sim::Dataset coloured = dataset();
  coloured.colours.resize(6);
  EXPECT_EQ(colouring_choices(coloured).front(), "Own colours");
}

TEST(Colouring, CountsOfClassesSumToThePoints) {
  for (const char* choice : {"kind", "town"}) {
    const Colouring colouring = make_colouring(dataset(), choice);
    ASSERT_EQ(colouring.by, render::ColourBy::classes);
    EXPECT_EQ(std::accumulate(colouring.class_counts.begin(), colouring.class_counts.end(), std::size_t(0)), 6u);
    EXPECT_EQ(colouring.class_counts.size(), colouring.class_names.size());
  }
  const Colouring town = make_colouring(dataset(), "town");
  EXPECT_EQ(town.class_names, (std::vector<std::string>{"y", "x", "missing"}));  // the most frequent first
  EXPECT_EQ(town.classes, (std::vector<std::uint32_t>{1, 0, 0, 2, 0, 1}));
  // Points without a value come last however many they are, and are gray.
  sim::Dataset gaps = dataset();
  gaps.table.columns[3].texts = {"", "", "", "", "y", "x"};
  for (const render::Background background : {render::Background::dark, render::Background::light}) {
    const Colouring colouring = make_colouring(gaps, "town");
    EXPECT_EQ(colouring.class_names.back(), "missing");
    EXPECT_EQ(class_palette(colouring, background).back(), render::missing_colour(background));
    EXPECT_EQ(class_palette(make_colouring(gaps, "kind"), background), render::class_colours(3, background));
  }
  gaps.table.columns[0].texts.back() = "";
  EXPECT_TRUE(make_colouring(gaps, "kind").last_is_missing);
}

TEST(Colouring, NumbersOfBothSignsAreCentredOnZero) {
  const Colouring charge = make_colouring(dataset(), "charge");
  ASSERT_EQ(charge.by, render::ColourBy::numbers);
  EXPECT_TRUE(charge.is_signed);
  EXPECT_EQ(charge.low, -charge.high);
  const Colouring height = make_colouring(dataset(), "height");
  EXPECT_FALSE(height.is_signed);
  EXPECT_LT(height.low, height.high);
  EXPECT_EQ(make_colouring(dataset(), "no such column").by, render::ColourBy::uniform);
}

// Otherwise a number's place between the ends would be 0 / 0.
TEST(Colouring, TheEndsOfTheMapDifferAlthoughAllNumbersAreAlike) {
  for (const float number : {0.0f, 3.0f, -3.0f, 2e7f, -2e7f, 1e30f}) {
    const Colouring colouring = colouring_by_numbers("number", std::vector<float>(5, number));
    EXPECT_EQ(colouring.origin + colouring.low, number);
    EXPECT_LT(colouring.low, colouring.high);
    EXPECT_FALSE(colouring.below || colouring.above);
  }
}

}  // namespace
}  // namespace kinescope::app::files_test
