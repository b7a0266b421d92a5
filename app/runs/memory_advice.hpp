// Errors of memory that say what would take less of it.
#pragma once

#include <new>
#include <string>

#include "kinescope/simulation.hpp"
#include "sim/core/out_of_memory.hpp"

namespace kinescope::app {

// `kind` is the simulation that was computing, null if that is not known.
sim::Error out_of_memory(const sim::SimulationKind* kind, const std::string& what = "out of memory");

// Calls `work`; if it gets no memory, throws the error with advice.
template <class Work>
void advise_on_memory(const sim::SimulationKind* kind, const Work& work) {
  try {
    work();
  } catch (const sim::OutOfMemory& error) {
    throw out_of_memory(kind, error.what());
  } catch (const std::bad_alloc&) {
    throw out_of_memory(kind);
  }
}

}  // namespace kinescope::app
