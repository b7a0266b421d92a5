#include "app/io/progress_bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/core.h>

#include "app/io/streams.hpp"

namespace kinescope::app {
namespace {

// The first `columns` characters of UTF-8 text, so that a line never wraps.
std::string_view cut(std::string_view text, int columns) {
  std::size_t end = 0;
  for (int seen = 0; end < text.size(); ++end)
    if ((text[end] & 0xC0) != 0x80 && seen++ == columns) break;
  return text.substr(0, end);
}

}  // namespace

std::string bar_text(double fraction, int width) {
  const int full = std::isnan(fraction) ? 0 : static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
  return fmt::format("[{:#<{}}{:-<{}}]", "", full, "", width - full);
}

std::string duration_text(double seconds) {
  const long whole = std::lround(std::clamp(seconds, 0.0, 1e9));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

ProgressBar::ProgressBar() : terminal_(is_terminal()) {}

bool ProgressBar::due() {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return false;
  last_ = now;
  return true;
}

void ProgressBar::draw(std::string_view head, double fraction, std::string_view tail) {
  say(fmt::format("{} {} {}", head, bar_text(fraction, 12), tail));
}

void ProgressBar::say(std::string_view what) {
  if (!terminal_) return;
  tell("\r\033[K{}", cut(what, terminal_columns() - 1));
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::show_loading(std::string_view what, float fraction) {
  if (due()) draw("reading", fraction, fmt::format("{:3.0f} %  {}", 100 * fraction, what));
}

void ProgressBar::show(const sim::Progress& progress, const std::string& figure_name) {
  if (!due()) return;
  std::string head = progress.phase;
  if (progress.levels > 0) head += fmt::format(" {}/{}", progress.level, progress.levels);
  std::string tail = fmt::format("{:3.0f} %  iteration {}", 100 * progress.fraction, progress.iteration);
  if (!std::isnan(progress.figure)) tail += fmt::format("  {} {:.4g}", figure_name, progress.figure);
  if (progress.fraction > 0.01 && progress.seconds > 0)
    tail += fmt::format("  {} left", duration_text(progress.seconds * (1 - progress.fraction) / progress.fraction));
  draw(head, progress.fraction, tail);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  tell("\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

void ProgressBar::leave(std::string_view text) {
  if (!terminal_) return;
  clear();
  tell("{}\n", text);
}

}  // namespace kinescope::app
