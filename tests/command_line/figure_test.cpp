// view --figure: what is in the files, beside the same picture in pixels.
#include <cmath>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <regex>

#include "kinescope/data/load.hpp"
#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::figure_test {
namespace {

using Arguments = std::vector<std::string>;

// Three classes of rows in the plane, which glimmer only turns.
std::string classes(int rows) {
  std::string text = "a,b,class\n";
  for (int i = 0; i < rows; ++i)
    text += fmt::format("{},{},{}\n", i % 3 * 5 + (i * 37 % 100) / 100.0, (i * 73 % 101) / 50.0,
                        i % 3 == 0   ? "<ash & elm>"
                        : i % 3 == 1 ? "lime"
                                     : "oak");
  return text;
}

Outcome draw(const Folder& folder, const Arguments& more, const std::string& file = "") {
  Arguments arguments = {"view", "--headless", "--backend", "cpu", "--theme", "light"};
  if (file.empty())
    arguments.insert(arguments.end(), {"glimmer", "--data", "d.csv", "--label", "class", "--until-done"});
  else
    arguments.push_back(file);
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, {.folder = folder.path()});
}

struct Circle {
  double x = 0, y = 0, radius = 0;
  std::string fill;
};

std::vector<Circle> filled_circles(const std::string& svg) {
  std::vector<Circle> found;
  std::string fill;
  const std::regex group(R"~(<g fill="(#[0-9a-f]{6}|none)")~"),
      circle(R"~(<circle cx="([0-9.-]+)" cy="([0-9.-]+)" r="([0-9.]+)")~");
  std::smatch match;
  for (const std::string& line : lines_of(svg)) {
    if (std::regex_search(line, match, group)) fill = match[1];
    if (fill != "none" && std::regex_search(line, match, circle))
      found.push_back({std::stod(match[1]), std::stod(match[2]), std::stod(match[3]), fill});
  }
  return found;
}

TEST(CommandLineFigure, SvgHasPointsAsCirclesAndTextAsText) {
  const Folder folder;
  folder.write("d.csv", classes(90));
  const Arguments size = {"--figure-width", "85mm", "--figure-height", "60mm", "--title", "Trees & more"};
  Arguments as_svg = size, as_png = size;
  as_svg.insert(as_svg.end(), {"--figure", "f.svg"});
  as_png.insert(as_png.end(), {"--figure", "f.png"});
  const Outcome outcome = draw(folder, as_svg);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  ASSERT_EQ(draw(folder, as_png).status, 0);
  const std::string svg = read_file(folder.path() / "f.svg");
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find(R"(width="85.000mm" height="60.000mm" viewBox="0 0 1004 709")"), std::string::npos)
      << svg.substr(0, 300);
  for (const char* words : {">Trees &amp; more<", ">class<", ">&lt;ash &amp; elm&gt;<", ">lime<", ">oak<"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;

  // The picture of the same size has each point where the circle is, in its colour. Others lie above some.
  const std::vector<Circle> circles = filled_circles(svg);
  ASSERT_GE(circles.size(), 90u);
  const auto picture = sim::load_dataset({.source = folder.file("f.png")});
  ASSERT_EQ(picture->picture.width, 1004u);
  ASSERT_EQ(picture->picture.height, 709u);
  std::size_t alike = 0;
  for (std::size_t i = 0; i < 90; ++i) {
    const auto& pixel = picture->colours[std::size_t(std::lround(circles[i].y - 0.5)) * 1004 +
                                         std::size_t(std::lround(circles[i].x - 0.5))];
    alike += fmt::format("#{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2]) == circles[i].fill;
  }
  EXPECT_GE(alike, 80u);
}

TEST(CommandLineFigure, WhatIsNoShapeIsAnImageBelowTheShapes) {
  const Folder folder;
  folder.write("d.csv", classes(90));
  Arguments sheet = {"view",     "--headless", "fitzhugh-nagumo", "--set",    "dimensions=2", "--set", "nodes=32",
                     "--frames", "2",          "--figure",        "sheet.svg"};
  ASSERT_EQ(run_program(sheet, {.folder = folder.path()}).status, 0);
  const std::string svg = read_file(folder.path() / "sheet.svg");
  const std::size_t image = svg.find("data:image/png;base64,iVBORw0KGgo"), text = svg.find("<text ");
  EXPECT_NE(image, std::string::npos);
  EXPECT_NE(text, std::string::npos);
  EXPECT_LT(image, text);

  ASSERT_EQ(run_program({"view", "--headless", "k-means", "--data", "synthetic:gaussians,n=50001,k=2,clusters=2",
                         "--frames", "2", "--figure", "many.svg"},
                        {.folder = folder.path()})
                .status,
            0);
  const std::string many = read_file(folder.path() / "many.svg");
  EXPECT_LT(filled_circles(many).size(), 100u);
  EXPECT_NE(many.find("data:image/png"), std::string::npos);
}

TEST(CommandLineFigure, PdfHasItsSizeAndTheStateThatItShows) {
  const Folder folder;
  folder.write("d.csv", classes(90));
  ASSERT_EQ(draw(folder, {"--figure", "f.pdf", "--figure-width", "3in", "--figure-height", "2in"}).status, 0);
  ASSERT_EQ(draw(folder, {"--figure", "f.svg", "--figure-width", "3in", "--figure-height", "2in"}).status, 0);
  ASSERT_EQ(draw(folder, {"--figure", "n.pdf", "--no-state"}).status, 0);
  const std::string pdf = read_file(folder.path() / "f.pdf");
  EXPECT_TRUE(pdf.starts_with("%PDF-1.4"));
  std::smatch box;
  ASSERT_TRUE(std::regex_search(pdf, box, std::regex(R"(/MediaBox \[ 0 0 ([0-9.]+) ([0-9.]+) \])")));
  EXPECT_NEAR(std::stod(box[1]), 216, 0.3);  // points: 0.1 mm
  EXPECT_NEAR(std::stod(box[2]), 144, 0.3);
  EXPECT_NE(pdf.find("/FontFile"), std::string::npos);
  EXPECT_EQ(read_file(folder.path() / "n.pdf").find("/Keywords"), std::string::npos);

  // Both open as what they show.
  const Outcome asks = draw(folder, {"--screenshot", "x.png"}, "f.pdf");
  EXPECT_EQ(flaw_of_error(asks, 2), "");
  EXPECT_NE(asks.errors.find("holds glimmer of d.csv"), std::string::npos) << asks.errors;
  const Arguments size = {"--yes", "--size", "300x200", "--no-state", "--screenshot"};
  Arguments from_pdf = size, from_svg = size;
  from_pdf.push_back("pdf.png");
  from_svg.push_back("svg.png");
  ASSERT_EQ(draw(folder, from_pdf, "f.pdf").status, 0);
  ASSERT_EQ(draw(folder, from_svg, "f.svg").status, 0);
  EXPECT_EQ(read_file(folder.path() / "pdf.png"), read_file(folder.path() / "svg.png"));
}

TEST(CommandLineFigure, WithoutABackgroundPixelsAreTransparent) {
  const Folder folder;
  folder.write("d.csv", classes(90));
  ASSERT_EQ(draw(folder, {"--figure", "f.png", "--figure-width", "300px", "--transparent"}).status, 0);
  const auto picture = sim::load_dataset({.source = folder.file("f.png")});
  EXPECT_EQ(picture->picture.width, 300u);
  EXPECT_LT(picture->points, 300u * 225u);  // pixels that are wholly transparent are no points
  EXPECT_GT(picture->points, 300u);
  ASSERT_TRUE(picture->picture.opacity);
}

TEST(CommandLineFigure, RefusesWhatIsNoFigure) {
  const Folder folder;
  folder.write("d.csv", classes(90));
  const auto refused = [&](const Arguments& arguments, const std::string& words) {
    const Outcome outcome = draw(folder, arguments);
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
  };
  refused({"--figure", "f.gif"}, ".svg");
  refused({"--figure", "f.svg", "--figure-width", "0mm"}, "'0mm' is no length");
  refused({"--figure", "f.svg", "--figure-width", "nan"}, "is no length");
  refused({"--figure", "f.svg", "--figure-width", "9 km"}, "is no length");
  refused({"--figure", "f.svg", "--figure-width", "100000px"}, "each side must be 16 to 16,384");
  refused({"--figure", "f.svg", "--dpi", "2400", "--font-size", "72"}, "too large: at most");
  refused({"--figure", "f.svg", "--legend", "top"}, "expected one of");
  refused({"--title", "T", "--screenshot", "s.png"}, "--title is for --figure");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"d.csv"});
}

}  // namespace
}  // namespace kinescope::tests::command_line::figure_test
