#include "app/io/timings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

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
    auto pass = std::ranges::find(passes_, name, &Pass::name);
    if (pass == passes_.end()) pass = passes_.insert(passes_.end(), Pass{.name = name, .kept = {}});
    if (pass->frames++ % pass->stride != 0) continue;
    pass->kept.push_back(ms);
    if (pass->kept.size() < most_kept) continue;
    for (std::size_t i = 0; i < most_kept / 2; ++i) pass->kept[i] = pass->kept[2 * i];
    pass->kept.resize(most_kept / 2);
    pass->stride *= 2;
  }
}

std::vector<std::pair<std::string, double>> PassTimes::medians() const {
  std::vector<std::pair<std::string, double>> medians;
  for (const Pass& pass : passes_) medians.emplace_back(pass.name, percentiles(pass.kept).p50);
  return medians;
}

TimingsFile::TimingsFile(const std::string& path, std::string timer) : timer_(std::move(timer)), file_(path) {
  file_.append(fmt::format("{}\n", timings_header));
}

void TimingsFile::add(const FrameTiming& t) try {
  if (error_) return;
  file_.append(fmt::format("{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{},{},{},{:.4f}\n", frames_++, t.cpu_ms,
                           t.gpu_ms, t.sim_ms, t.upload_ms, t.draw_ms, t.panels_ms, t.points, timer_, t.iterations,
                           t.frame_ms));
} catch (const sim::Error& error) {
  error_ = error;
}

void TimingsFile::finish() {
  if (error_) throw *error_;
  file_.keep();
}

}  // namespace kinescope::app
