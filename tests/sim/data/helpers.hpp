// Helpers for the tests of readers and writers: bytes of files, and the line of an error.
#pragma once

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <string_view>
#include <zlib.h>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/table.hpp"
#include "tests/places.hpp"
#include "tests/temporary_folder.hpp"

namespace kinescope::sim {

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// Returns the line of the input error that `act` throws, or "(no error)".
template <class Act>
std::string input_message(Act act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 2) << error.what();
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    return error.what();
  }
  return "(no error)";
}

// Returns the line of the error of reading `bytes` as a file named `name`, without the file's folder.
inline std::string message_of_reading(std::string_view bytes, const std::string& name = "data.csv",
                                      DataRequest request = {}) {
  const TemporaryFolder folder;
  request.source = folder.write(name, bytes);
  const std::string message = input_message([&] { load_dataset(request); });
  const std::string prefix = folder.path("");
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

inline Table read_bytes(std::string_view bytes, const std::string& name = "data.csv") {
  const TemporaryFolder folder;
  return load_table({folder.write(name, bytes)});
}

}  // namespace kinescope::sim
