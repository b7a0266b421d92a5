// The course of a run in a session's words, and back.
#pragma once

#include "app/io/session_file.hpp"
#include "app/runs/replay.hpp"

namespace kinescope::app {

// `end`: the values that the session says, from which those at the beginning are told.
SavedCourse saved_course(const Chapter& chapter, const Texts& end);
// What it takes to get there. Throws sim::Error (input) if a value does not suit its parameter; `path` names the file.
// `values`: a set that has all parameters of the session; it gets those at the end.
Replay replay_of(const std::string& path, const sim::SimulationKind& kind, const SavedSession& session,
                 sim::ParameterSet& values);

}  // namespace kinescope::app
