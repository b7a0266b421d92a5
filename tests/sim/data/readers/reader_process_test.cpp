// Damaged files and libraries that do not bear them: the child process ends, and this one goes on.
#include "sim/data/readers/reader_process.hpp"

#include <chrono>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

#include "tests/places.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::reader_process_test {
namespace {

struct Named {
  std::string name;
  std::vector<double> values;
  static auto parts(auto& self) { return std::tie(self.name, self.values); }
};

std::string error_of(unsigned seconds, const std::function<void(Channel&)>& read) {
  return input_message([&] { ReaderProcess("f", "libx", seconds, read).finish(); });
}

TEST(ReaderProcess, CrashesAndEndlessReadingAreErrorsOfTheFile) {
  EXPECT_EQ(error_of(60, [](Channel&) { raise(SIGSEGV); }), "f: damaged: libx crashes on it");
  EXPECT_EQ(error_of(60, [](Channel&) { _exit(1); }), "f: damaged: libx crashes on it");
  EXPECT_EQ(error_of(1,
                     [](Channel&) {
                       for (;;) pause();
                     }),
            "f: damaged: reading it does not end");
  EXPECT_NO_THROW(ReaderProcess("f", "libx", 60, [](Channel&) { throw 1; }).finish());
}

// Some programs start others with signals blocked.
TEST(ReaderProcess, EndsInTimeThoughItsSignalIsBlocked) {
  sigset_t alarm, before;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, &before);
  const std::string message = error_of(1, [](Channel&) {
    for (;;) pause();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(message, "f: damaged: reading it does not end");
}

TEST(ReaderProcess, IsNotWaitedForIfItWaitsItself) {
  const auto begin = std::chrono::steady_clock::now();
  ReaderProcess("f", "libx", 60, [](Channel& channel) { get<int>(channel); }).finish();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(ReaderProcess, WhatIsSentArrivesUnchanged) {
  const std::vector<std::string> texts = {"", "a\nb", std::string(200'000, 'x')};
  const std::vector<double> values(300'000, 0.5);
  ReaderProcess process("f", "libx", 60, [&](Channel& channel) {
    put(channel, get<int>(channel) + 1);
    put(channel, texts);
    put(channel, std::optional<Named>(Named{"n", values}));
    put(channel, std::optional<Named>());
    channel.flush();
  });
  put(process.channel(), 41);
  process.channel().flush();
  EXPECT_EQ(get<int>(process.channel()), 42);
  EXPECT_EQ(get<std::vector<std::string>>(process.channel()), texts);
  const auto named = get<std::optional<Named>>(process.channel());
  ASSERT_TRUE(named);
  EXPECT_EQ(named->name, "n");
  EXPECT_EQ(named->values, values);
  EXPECT_FALSE(get<std::optional<Named>>(process.channel()));
  EXPECT_THROW(get<int>(process.channel()), Channel::Closed) << "it has ended";
  put(process.channel(), 1);
  EXPECT_THROW(process.channel().flush(), Channel::Closed) << "and does not end this process by SIGPIPE";
}

#if KINESCOPE_HDF5
// Found by fuzzing: libhdf5 1.10 reads beyond its memory, or makes 100 million values of 4 kB.
TEST(ReaderProcess, DamagedHdf5FilesEndInALine) {
  const std::string claims = tests::project_file("tests/data/damaged/claims_100_million.h5"),
                    crashes = tests::project_file("tests/data/damaged/crashes_libhdf5.h5");
  EXPECT_EQ(input_message([&] { load_table({claims}); }),
            claims +
                ": 4.1 kB would become 100,663,299 values, of which a file may give 16 million, or 64 for each of "
                "its bytes");
  EXPECT_TRUE(input_message([&] { load_table({crashes}); }).starts_with(crashes + ": "));
}
#endif

}  // namespace
}  // namespace kinescope::sim::reader_process_test
