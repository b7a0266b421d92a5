// Finds clusters in the rows of a table: what a program does with the library, from opening a file to writing the
// result. docs/library.md explains it.
//
//   clusters TABLE.csv K OUT.csv
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "kinescope/kinescope.hpp"

namespace {

using namespace kinescope;

void find_clusters(const std::string& path, const std::string& clusters, const std::string& out) {
  const std::shared_ptr<const sim::Dataset> data = sim::load_dataset({.source = path});

  const sim::SimulationKind* const kind = sim::find_kind("k-means");
  if (!kind) throw sim::input_error("this library was built without k-means");
  const auto parameters = kind->make_parameters();
  parameters->set("clusters", clusters);
  const auto run = kind->make({.data = data, .seed = 7}, *parameters);

  while (run->advance({.seconds = 0.1})) {
    const sim::Progress now = run->snapshot()->progress;
    std::printf("iteration %ld: %s %g\n", now.iteration, kind->figure_name.c_str(), now.figure);
  }
  sim::write_table(out, run->result());
  std::printf("%zu points, %ld iterations, %.3f s\n", data->points, run->progress().iteration, run->progress().seconds);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw sim::input_error("usage: clusters TABLE.csv K OUT.csv");
  find_clusters(argv[1], argv[2], argv[3]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
