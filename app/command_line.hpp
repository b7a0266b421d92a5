// The program's commands: view, run, bench, list, data, devices.
#pragma once

namespace kinescope::app {

// Runs the command; the exit status is that of the interface page. Throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace kinescope::app
