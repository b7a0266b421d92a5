#include "sim/glimmer/multilevel/multilevel_plan.hpp"

#include <algorithm>
#include <cmath>

namespace kinescope::sim::glimmer {

std::vector<std::int64_t> plan_levels(std::int64_t points, std::int64_t landmarks, std::int64_t decimation) {
  std::vector<std::int64_t> levels = {std::min(points, landmarks)};
  const double growth = static_cast<double>(points) / static_cast<double>(levels[0]);
  const auto steps = static_cast<int>(std::ceil(std::log(growth) / std::log(static_cast<double>(decimation)) - 1e-9));
  for (int step = 1; step <= steps; ++step)
    levels.push_back(step == steps ? points
                                   : static_cast<std::int64_t>(static_cast<double>(levels[0]) *
                                                               std::pow(growth, static_cast<double>(step) / steps)));
  return levels;
}

namespace {

MultilevelStage stage_of(const std::vector<std::int64_t>& levels, std::size_t level, Program program,
                         LayoutPhase phase) {
  MultilevelStage stage;
  stage.program = program;
  stage.points = levels[level];
  stage.first = level > 0 ? levels[level - 1] : 0;
  stage.level = static_cast<std::int32_t>(level + 1);
  stage.phase = static_cast<std::int32_t>(phase);
  stage.all = stage.points == levels.back();
  return stage;
}

}  // namespace

std::vector<MultilevelStage> plan_refinement(const std::vector<std::int64_t>& levels, bool fits, bool finishes) {
  const std::size_t last = levels.size() - 1;
  std::vector<MultilevelStage> stages;
  if (fits) {
    stages = {stage_of(levels, 0, program_finish, LayoutPhase::polish),
              stage_of(levels, 1, program_fit, LayoutPhase::relax)};
  } else if (finishes) {
    stages = {stage_of(levels, last, program_finish, LayoutPhase::polish)};
  } else {
    stages = {stage_of(levels, last, program_place, LayoutPhase::relax),  // places nobody; begins the first round
              stage_of(levels, last, program_round, LayoutPhase::relax)};
    for (MultilevelStage& stage : stages) stage.first = stage.points;
  }
  for (MultilevelStage& stage : stages) stage.given = true;
  return stages;
}

std::vector<MultilevelStage> plan_multilevel(const std::vector<std::int64_t>& levels, bool fits, bool finishes) {
  std::vector<MultilevelStage> stages;
  const auto add = [&](std::size_t level, Program program, LayoutPhase phase) {
    stages.push_back(stage_of(levels, level, program, phase));
  };
  add(0, program_search, LayoutPhase::search);
  add(0, program_rank, LayoutPhase::search);
  add(0, program_polish, LayoutPhase::search);
  add(0, program_glide, LayoutPhase::glide);
  if (fits) {
    add(1, program_fit, LayoutPhase::interpolate);
    return stages;
  }
  for (std::size_t level = 1; level < levels.size(); ++level) {
    add(level, program_place, LayoutPhase::interpolate);
    add(level, program_round, LayoutPhase::relax);
  }
  if (levels.size() > 1 && finishes) add(levels.size() - 1, program_finish, LayoutPhase::polish);
  return stages;
}

}  // namespace kinescope::sim::glimmer
