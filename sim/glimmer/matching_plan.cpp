#include "sim/glimmer/matching_plan.hpp"

#include <algorithm>
#include <cmath>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "sim/core/random.hpp"
#include "sim/glimmer/matching_memory.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {

std::vector<MatchingStage> plan_matching(const std::vector<Stage>& levels) {
  std::vector<MatchingStage> stages;
  const bool all_small = levels.back().points <= matrix_limit;
  std::int32_t small_levels = 1;  // solved over all pairs: the coarsest, and all of a small data set
  if (all_small) small_levels = levels.back().level;
  const auto add = [&](const Stage& level, Program program, MatchingPhase phase) {
    MatchingStage stage;
    stage.program = program;
    stage.points = level.points;
    stage.first = level.level_first;
    stage.level = level.level;
    stage.phase = static_cast<std::int32_t>(phase);
    stage.blocks = MatchingMemory<2>::blocks_of(level.points);
    stage.coarsest = level.level == 1;
    stage.answer = all_small && level.level <= small_levels;
    stage.whole = stage.coarsest && stage.points == levels.back().points;
    stages.push_back(stage);
  };
  for (const Stage& level : levels) {
    if (level.phase == Phase::interpolate) continue;
    if (level.level <= small_levels) {
      if (level.level > 1) add(level, program_place_population, MatchingPhase::interpolate);
      add(level, program_anneal, MatchingPhase::relax);
    } else {
      add(level, program_place, MatchingPhase::interpolate);
      add(level, program_relax, MatchingPhase::relax);
      add(level, program_average, MatchingPhase::relax);
    }
    if (level.level == small_levels) {
      add(level, program_rank, MatchingPhase::polish);
      add(level, program_polish, MatchingPhase::polish);
    }
  }
  return stages;
}

float distance_scale(const Prepared& prepared, std::int64_t points, Metric metric, std::uint64_t seed) {
  constexpr int pairs = 4096;
  if (points < 2) return 1;
  const Rows rows{prepared.values.data(), prepared.stride, metric};
  const Random random(seed, stream_scale);
  double square = 0;
  for (int k = 0; k < pairs; ++k) {
    const RandomWords words = random.words(static_cast<std::uint64_t>(k));
    const std::int64_t i = uniform_below(words[0], static_cast<std::uint32_t>(points));
    std::int64_t j = uniform_below(words[1], static_cast<std::uint32_t>(points - 1));
    j += j >= i;
    const double delta = rows.distance(i, j);
    square += delta * delta;
  }
  return square > 0 ? static_cast<float>(1 / std::sqrt(square / pairs)) : 1.0f;
}

std::vector<float> as_columns(const Prepared& prepared, std::int64_t points, std::int32_t dimensions,
                              std::int64_t stride) {
  std::vector<float> columns(static_cast<std::size_t>(dimensions * stride));
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::int64_t>(0, points, 1024), [&](const auto& range) {
    for (std::int32_t h = 0; h < dimensions; ++h)
      for (std::int64_t i = range.begin(); i < range.end(); ++i)
        columns[static_cast<std::size_t>(h * stride + i)] =
            prepared.values[static_cast<std::size_t>(i * prepared.stride + h)];
  });
  return columns;
}

}  // namespace kinescope::sim::glimmer
