// Without Apache Arrow's library the program starts, and says what to install when a file needs it.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::arrow_test {
namespace {

// Runs a copy of the program that has nothing beside it.
class WithoutArrow : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path program = executable_folder() / "kinescope";
    if (!std::filesystem::exists(program)) GTEST_SKIP() << "a bundle has its libraries in another folder";
    std::filesystem::copy_file(program, folder_.file("kinescope"));
    setenv("KINESCOPE_PROGRAM", folder_.file("kinescope").c_str(), 1);
    folder_.write("a.parquet", "PAR1 and so on");
    folder_.write("a.feather", std::string("ARROW1\0\0", 8));
  }
  void TearDown() override { unsetenv("KINESCOPE_PROGRAM"); }

  std::string error_of(const std::string& file) {
    const Outcome outcome = run_program({"data", file}, {.folder = folder_.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    return outcome.errors;
  }

  Folder folder_;
};

TEST_F(WithoutArrow, OneLineSaysWhatToInstall) {
  const std::string needs =
      " needs Apache Arrow's library, and this program was built without it: install libarrow-dev and libparquet-dev, "
      "or Python's package pyarrow, and build again\n";
  EXPECT_EQ(error_of("a.parquet"), "kinescope: error: a.parquet: a Parquet file" + needs);
  EXPECT_EQ(error_of("a.feather"), "kinescope: error: a.feather: an Arrow file" + needs);
  const std::string table = folder_.write("a.csv", "a,b\n1,2\n3,5\n");
  EXPECT_EQ(run_program({"data", table}).status, 0);
}

TEST_F(WithoutArrow, ALibraryThatCannotBeLoadedIsNamed) {
  const std::string library = folder_.write("libkinescope_arrow.so", "no library");
  const std::string message = error_of("a.parquet");
  EXPECT_NE(message.find("libkinescope_arrow.so cannot be loaded: install it again"), std::string::npos) << message;
}

}  // namespace
}  // namespace kinescope::tests::command_line::arrow_test
