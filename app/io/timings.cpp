#include "app/io/timings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "sim/data/writers/write.hpp"

namespace kinescope::app {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Percentiles percentiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto rank = [&](double part) {
    const auto index = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(index, 1, values.size()) - 1];
  };
  return {rank(0.50), rank(0.95), rank(0.99)};
}

Percentiles Timings::of(double FrameTiming::*part) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < std::min(frames_, window); ++i) values.push_back(ring_[i].*part);
  return percentiles(std::move(values));
}

void PassTimes::add(const std::vector<std::pair<std::string, double>>& pass_ms) {
  for (const auto& [name, ms] : pass_ms) {
    auto pass = std::ranges::find_if(passes_, [&name = name](const auto& known) { return known.first == name; });
    if (pass == passes_.end()) pass = passes_.insert(passes_.end(), {name, {}});
    pass->second.push_back(ms);
  }
}

std::vector<std::pair<std::string, double>> PassTimes::medians() const {
  std::vector<std::pair<std::string, double>> medians;
  for (const auto& [name, values] : passes_) medians.emplace_back(name, percentiles(values).p50);
  return medians;
}

void TimingsFile::write() const {
  std::string text = "frame,cpu_ms,gpu_ms,sim_ms,upload_ms,draw_ms,panels_ms,points,timer,iterations\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const FrameTiming& t = rows_[i];
    text += fmt::format("{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{},{},{}\n", i, t.cpu_ms, t.gpu_ms, t.sim_ms,
                        t.upload_ms, t.draw_ms, t.panels_ms, t.points, timer_, t.iterations);
  }
  sim::write_bytes(path_, text);
}

}  // namespace kinescope::app
