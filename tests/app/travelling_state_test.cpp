// States that travel: sessions as text, beside their data, and within pictures.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "app/io/picture_state.hpp"
#include "app/io/session_data.hpp"
#include "app/io/session_file.hpp"
#include "app/view/history.hpp"
#include "kinescope/error.hpp"
#include "tests/temporary_folder.hpp"

namespace kinescope::app::travelling_state_test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

SavedSession session() {
  SavedSession saved;
  saved.simulation = "fitzhugh-nagumo";
  saved.parameters = {{"gamma", "1.5"}};
  saved.view = {{"camera", "2 0 0 0 1 0 0"}};
  saved.course = SavedCourse{
      120, true, {{"gamma", "2"}}, {{50, {}, sim::Stimulus{0.1, -2.5, 3, 1, 1e-17, 4}}, {100, {{"gamma", "1.5"}}, {}}}};
  return saved;
}

TEST(TravellingState, ACourseIsReadAsItWasWritten) {
  const SavedSession read = session_of("x", session_text(session()));
  ASSERT_TRUE(read.course);
  EXPECT_EQ(read.course->iteration, 120);
  EXPECT_TRUE(read.course->ended);
  EXPECT_EQ(read.course->begin, (Texts{{"gamma", "2"}}));
  ASSERT_EQ(read.course->events.size(), 2u);
  ASSERT_TRUE(read.course->events[0].touch);
  EXPECT_EQ(read.course->events[0].touch->stroke_x, 1e-17);
  EXPECT_EQ(read.course->events[1].values, (Texts{{"gamma", "1.5"}}));
  EXPECT_EQ(session_text(read), session_text(session()));
}

TEST(TravellingState, ThereMayBeThousandsOfTouches) {
  SavedSession saved = session();
  saved.course->events.resize(1);
  for (int i = 0; i < 20'000; ++i) saved.course->events.push_back(saved.course->events[0]);
  EXPECT_EQ(session_of("x", session_text(saved)).course->events.size(), 20'001u);
}

TEST(TravellingState, ACourseThatCannotHaveBeenIsRefused) {
  const auto refused = [](const std::string& run) {
    const std::string text = R"({"simulation": "k-means", "run": )" + run + "}";
    EXPECT_THROW(session_of("x", text), sim::Error) << run;
  };
  refused("3");
  refused("{}");
  refused(R"({"iteration": -1})");
  refused(R"({"iteration": 5, "events": [{"iteration": 6}]})");
  refused(R"({"iteration": 5, "events": [{"iteration": 4}, {"iteration": 3}]})");
  refused(R"({"iteration": 5, "events": [[4, 1, 2, 3]]})");
  refused(R"({"iteration": 5, "events": [[4, 1, 2, 3, 4, 5, "6"]]})");
  refused(R"({"iteration": 5, "events": [[6, 1, 2, 3, 4, 5, 6]]})");
  refused(R"({"iteration": 5, "colour": 1})");
}

TEST(TravellingState, DataAreFoundBesideTheSessionWhereTheyWereAndByTheirChecksum) {
  const TemporaryFolder folder;
  const fs::path here = folder.path("here"), there = folder.path("there");
  fs::create_directories(here / "data");
  fs::create_directories(there);
  write(here / "data" / "a.csv", "x,y\n1,2\n");
  SavedSession saved = session();
  saved.data.source = (here / "data" / "a.csv").string();
  save_session((here / "s.kinescope.json").string(), saved);
  EXPECT_EQ(load_session((here / "s.kinescope.json").string()).data.source, saved.data.source);

  fs::rename(here / "s.kinescope.json", there / "s.kinescope.json");
  const std::string moved = (there / "s.kinescope.json").string();
  EXPECT_EQ(load_session(moved).data.source, saved.data.source) << "where they were";
  write(there / "a.csv", "x,y\n3,4\n");
  EXPECT_EQ(load_session(moved).data.source, saved.data.source) << "another file of that name";
  EXPECT_FALSE(has_changed(load_session(moved)));
  fs::rename(here / "data" / "a.csv", here / "data" / "b.csv");
  EXPECT_EQ(load_session(moved).data.source, (there / "a.csv").string());
  EXPECT_TRUE(has_changed(load_session(moved)));
  SavedSession among = session_of(moved, session_text(saved));
  among.checksum = checksum_of((here / "data" / "b.csv").string());
  EXPECT_TRUE(find_data(moved, among, {(here / "data" / "b.csv").string()}));
  EXPECT_EQ(among.data.source, (here / "data" / "b.csv").string());
  fs::remove(there / "a.csv");
  EXPECT_THROW(load_session(moved), sim::Error);
}

TEST(TravellingState, APictureCarriesAStateWithoutPaths) {
  const TemporaryFolder folder;
  const std::string data = folder.path("secret-place.csv"), picture = folder.path("p.png");
  write(data, "x,y\n1,2\n");
  SavedSession saved = session();
  saved.data.source = saved.data.metadata = data;
  saved.parameters["start"] = data;
  const std::string text = portable_text(saved);
  EXPECT_EQ(text.find(folder.path("")), std::string::npos) << text;
  EXPECT_NE(text.find("secret-place.csv"), std::string::npos);

  const std::string header("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), rest(17, 'x');
  write(picture, with_state(header + rest + std::string("\0\0\0\0IEND....", 12), text));
  EXPECT_EQ(state_of_picture(picture), text);
  write(picture, header + rest + std::string("\0\0\0\0IEND....", 12));
  EXPECT_EQ(state_of_picture(picture), std::nullopt);
  EXPECT_EQ(state_of_picture(data), std::nullopt);
  // A chunk that is longer than the file.
  write(picture, header + rest + std::string("\0\x0f\xff\xffiTXtkinescope", 17));
  EXPECT_EQ(state_of_picture(picture), std::nullopt);
}

TEST(TravellingState, StepsHaveNames) {
  const SavedSession before = session();
  SavedSession after = before;
  EXPECT_EQ(name_of_change(before, after), "");
  after.parameters["gamma"] = "3";
  EXPECT_EQ(name_of_change(before, after), "Gamma: 3");
  after.parameters["sweep_from"] = "3";
  EXPECT_EQ(name_of_change(before, after), "Gamma: 3 and 1 more");
  after = before;
  after.view["camera"] = "2 1 0 0 1 0 0";
  EXPECT_EQ(name_of_change(before, after), "Move the view");
  after.view["colour_by"] = "species";
  after.view["camera"] = before.view.at("camera");
  EXPECT_EQ(name_of_change(before, after), "Colour by: species");
  after.data.source = "/data/cars.csv";
  EXPECT_EQ(name_of_change(before, after), "Open cars.csv");
}

}  // namespace
}  // namespace kinescope::app::travelling_state_test
