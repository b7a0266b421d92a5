// The program's commands: view, run, bench, list, data, devices, work.
#pragma once

namespace kinescope::app {

// Runs the command; the exit status is as docs/manual/command-line.md lists it. Throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace kinescope::app
