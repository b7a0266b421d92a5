#include "app/cli/command_line.hpp"

int main(int argc, char** argv) {
  return kinescope::app::run_command_line(argc, argv);
}
