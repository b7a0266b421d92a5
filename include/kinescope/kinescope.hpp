// All that a program needs that opens data, runs a simulation on them, and takes its result. What a simulation of one's
// own needs is in shell.hpp, factory.hpp and executors/.
#pragma once

#include "kinescope/data/load.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/dataset.hpp"
#include "kinescope/error.hpp"
#include "kinescope/kinds.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/report.hpp"
#include "kinescope/simulation.hpp"
#include "kinescope/snapshot.hpp"
#include "kinescope/table.hpp"
