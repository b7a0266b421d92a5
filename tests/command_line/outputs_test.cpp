// What the program may write and replace: told before anything is computed, and never what somebody else has there.
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::outputs_test {
namespace {

TEST(CommandLineOutputs, UnwritableOutputIsFoundBeforeAnythingIsComputed) {
  const Folder folder;
  folder.write("a.txt", "");
  std::filesystem::create_directory(folder.path() / "folder.csv");
  std::filesystem::create_symlink("missing/layout.csv", folder.file("to_missing.csv"));
  std::filesystem::create_symlink("missing/x.png", folder.file("to_missing.png"));
  const std::vector<std::string> before = folder.names();
  // The data do not exist either: the output's error comes first.
  for (const char* path : {"missing/layout.csv", "to_missing.csv", "a.txt/layout.csv", "/proc/layout.csv", "folder.csv",
                           "layout.txt", "layout"}) {
    const Outcome outcome = run_program({"run", "glimmer", "--data", "none", "--out", path}, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_TRUE(outcome.errors.starts_with(std::string("kinescope: error: ") + path + ": ")) << outcome.errors;
  }
  for (const char* option : {"--report", "--timings", "--screenshot"}) {
    const bool report = std::string(option) == "--report";
    for (const char* path : {"missing/x.png", "to_missing.png"}) {
      const Outcome outcome =
          run_program({report ? "run" : "view", "glimmer", "--data", "none", option, path}, {.folder = folder.path()});
      EXPECT_EQ(flaw_of_error(outcome, 2), "");
      EXPECT_NE(outcome.errors.find("missing does not exist"), std::string::npos) << outcome.errors;
    }
  }
  const Outcome device = run_program({"run", "glimmer", "--report", "/dev/null"});
  EXPECT_EQ(flaw_of_error(device, 2), "");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const Outcome same =
      run_program({"run", "glimmer", "--out", "x.csv", "--report", "./x.csv"}, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(same, 2), "");
  EXPECT_EQ(folder.names(), before);
}

// If an output replaced the file that was read, a person's file would be lost.
TEST(CommandLineOutputs, NoOutputIsAnInputOrAnotherOutput) {
  const Folder folder;
  folder.write("t.csv", "a,b\n1,2\n3,4\n5,7\n");
  folder.write("p.json", "{\"tolerance\": 0.5}");
  folder.write("start.csv", "a,b\n1,2\n3,4\n");
  folder.write("s.kinescope.json", R"({"simulation": "glimmer", "data": {"source": "t.csv"}})");
  std::filesystem::create_symlink("t.csv", folder.file("link.csv"));
  std::filesystem::create_hard_link(folder.file("t.csv"), folder.file("hard.csv"));
  std::filesystem::create_directory(folder.path() / "d");
  std::filesystem::create_directory(folder.path() / "films");
  std::filesystem::create_directory_symlink("d", folder.file("e"));
  std::filesystem::create_symlink("n.csv", folder.file("to_n.csv"));  // there is no n.csv
  std::filesystem::create_symlink("../to_n.csv", folder.file("d/to_to_n.csv"));
  folder.write("images-idx3-ubyte", std::string("\0\0\x8\x3\0\0\0\2\0\0\0\1\0\0\0\2ABCD", 20));
  folder.write("labels-idx1-ubyte", std::string("\0\0\x8\x1\0\0\0\2\0\1", 10));
  std::filesystem::create_symlink("labels-idx1-ubyte", folder.file("lab.csv"));
  folder.write("first.csv", "");
  std::filesystem::create_hard_link(folder.file("first.csv"), folder.file("second.csv"));
  using Arguments = std::vector<std::string>;
  for (const Arguments& more :
       {Arguments{"--data", "t.csv", "--out", "t.csv"}, Arguments{"--data", "t.csv", "--out", "d/../t.csv"},
        Arguments{"--data", "t.csv", "--out", "link.csv"}, Arguments{"--data", "link.csv", "--out", "t.csv"},
        Arguments{"--data", "t.csv", "--out", "hard.csv"}, Arguments{"--data", "t.csv", "--report", "t.csv"},
        Arguments{"--data", "t.csv", "--trace", "./t.csv"}, Arguments{"--data", "t.csv", "--centroids", "t.csv"},
        Arguments{"--data", "t.csv", "--preset", "p.json", "--report", "p.json"},
        Arguments{"--data", "t.csv", "--set", "clusters=2", "--set", "start=start.csv", "--out", "start.csv"},
        Arguments{"--data", "t.csv", "--out", "n.csv", "--centroids", "n.csv"},
        Arguments{"--data", "t.csv", "--out", "n.csv", "--trace", "d/../n.csv"},
        Arguments{"--data", "t.csv", "--out", "n.csv", "--centroids", "to_n.csv"},
        Arguments{"--data", "t.csv", "--out", "to_n.csv", "--centroids", "n.csv"},
        Arguments{"--data", "t.csv", "--out", "e/to_to_n.csv", "--centroids", "./to_n.csv"},
        Arguments{"--data", "t.csv", "--out", "d/n.csv", "--centroids", "e/n.csv"},
        Arguments{"--data", "images-idx3-ubyte", "--report", "labels-idx1-ubyte"},
        Arguments{"--data", "t.csv", "--out", "first.csv", "--report", "second.csv"}}) {
    Arguments arguments = {"run", "k-means"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "") << more.back();
    EXPECT_TRUE(outcome.errors.find("would overwrite") != std::string::npos ||
                outcome.errors.find("name the same file") != std::string::npos)
        << outcome.errors;
  }
  for (const Arguments& more :
       {Arguments{"--data", "t.csv", "--timings", "t.csv"}, Arguments{"--data", "t.csv", "--report", "t.csv"},
        Arguments{"--data", "t.csv", "--timings", "x", "--report", "x"},
        Arguments{"--data", "s.kinescope.json", "--report", "s.kinescope.json"},
        Arguments{"--data", "s.kinescope.json", "--timings", "t.csv"}}) {
    Arguments arguments = {"view", "--headless", "--backend", "cpu", "--frames", "1", "--size", "64x64"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(flaw_of_error(run_program(arguments, {.folder = folder.path()}), 2), "") << more.back();
  }
  const Outcome frame = run_program({"view", "--headless", "--backend", "cpu", "--frames", "1", "--size", "64x64",
                                     "--record", "films/", "--screenshot", "films/000000.png"},
                                    {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(frame, 2), "");
  folder.write("log", "three years of notes\n");
  for (const std::string stream : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const Outcome refused = run_program({"run", "k-means", "--data", "t.csv", "--report", stream},
                                        {.folder = folder.path(), .out = folder.file("log")});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(lines_of(refused.errors).back(),
              "kinescope: error: " + stream + ": is an open stream; - stands for standard output");
  }
  // Streams that the shell has redirected.
  const Outcome input =
      run_program({"run", "k-means", "--data", "-", "--out", "t.csv"}, {.folder = folder.path(), .input = "t.csv"});
  EXPECT_EQ(flaw_of_error(input, 2), "");
  const Outcome output = run_program({"run", "k-means", "--data", "t.csv", "--out", "first.csv", "--report", "-"},
                                     {.folder = folder.path(), .out = folder.file("second.csv")});
  EXPECT_EQ(flaw_of_error(output, 2), "");
  EXPECT_EQ(read_file(folder.path() / "t.csv"), "a,b\n1,2\n3,4\n5,7\n");
  // What is read without being named.
  const Outcome labels = run_program(
      {"run", "glimmer", "--data", "t.csv", "--onto", "t.csv", "--onto-data", "images-idx3-ubyte", "--out", "lab.csv"},
      {.folder = folder.path()});
  EXPECT_NE(labels.errors.find("would overwrite what --onto-data reads"), std::string::npos) << labels.errors;
  setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
  std::filesystem::create_directories(folder.path() / "kinescope" / "plants");
  folder.write("kinescope/plants/birch.json", "{}");
  const Outcome plant =
      run_program({"run", "landscape", "--report", "kinescope/plants/birch.json"}, {.folder = folder.path()});
  EXPECT_NE(plant.errors.find("would overwrite what a landscape reads"), std::string::npos) << plant.errors;
  std::filesystem::create_directory(folder.path() / "kinescope-group");
  const Outcome note = run_program({"run", "k-means", "--data", "t.csv", "--workers", "1", "--group",
                                    folder.path().string(), "--report", "kinescope-group/rows"},
                                   {.folder = folder.path()});
  EXPECT_NE(note.errors.find("is in the folder of the group's notes"), std::string::npos) << note.errors;
}

TEST(CommandLineOutputs, NamesThatCannotBeWrittenAreBadUsage) {
  const Folder folder;
  std::filesystem::create_symlink("b.csv", folder.file("a.csv"));
  std::filesystem::create_symlink("a.csv", folder.file("b.csv"));
  for (const std::string& path : {std::string("a.csv"), std::string(300, 'n') + ".csv"})
    EXPECT_EQ(flaw_of_error(run_program({"run", "glimmer", "--data", "synthetic:simplex,n=5", "--out", path},
                                        {.folder = folder.path()}),
                            2),
              "");
}

// The data come once the outputs have been checked.
TEST(CommandLineOutputs, WhatAppearsDuringTheRunStays) {
  const Folder folder;
  folder.write("mine.csv", "mine");
  std::filesystem::create_directory(folder.path() / "out");
  std::filesystem::create_directory(folder.path() / "other");
  folder.write("other/report.json", "mine too");
  ASSERT_EQ(std::system(("mkfifo " + folder.file("t.csv")).c_str()), 0);
  const std::string change = "ln -s mine.csv o.csv; ln -s mine.csv c.csv; mv out moved; ln -s other out";
  const std::string rows = "printf 'a,b\\n1,2\\n3,4\\n5,7\\n' >&3";
  ASSERT_EQ(
      std::system(("cd " + folder.path().string() + " && (exec 3> t.csv; " + change + "; " + rows + ") &").c_str()), 0);
  const Outcome outcome =
      run_program({"run", "k-means", "--data", "t.csv", "--set", "clusters=2", "--out", "o.csv", "--centroids", "c.csv",
                   "--report", "out/report.json", "--trace", "out/trace.json"},
                  {.folder = folder.path(), .limit_seconds = 60});
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  for (const char* name : {"o.csv", "c.csv"})
    EXPECT_NE(outcome.errors.find(std::string(name) + ": is no longer what it was before the run, and is not replaced; "
                                                      "what was to be there is in .kinescope-"),
              std::string::npos)
        << outcome.errors;
  EXPECT_EQ(read_file(folder.path() / "mine.csv"), "mine");
  EXPECT_EQ(read_file(folder.path() / "other/report.json"), "mine too");
  const auto count = [&](const char* name) {
    return std::distance(std::filesystem::directory_iterator(folder.path() / name), {});
  };
  EXPECT_EQ(count("moved"), 2);  // report and trace
  EXPECT_EQ(count("other"), 1);
  EXPECT_EQ(folder.names().size(), 9u);  // two of them the results
}

}  // namespace
}  // namespace kinescope::tests::command_line::outputs_test
