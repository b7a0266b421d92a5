#include "render/gl/timer.hpp"

namespace kinescope::render {

const char* timer_kind_name(TimerKind kind) {
  return kind == TimerKind::query ? "query" : "finish";
}

GpuTimer::GpuTimer(TimerKind kind) : kind_(kind) {
  if (kind_ == TimerKind::finish) return;
  for (Pair& pair : pairs_) {
    GLuint names[2] = {0, 0};
    glCreateQueries(GL_TIMESTAMP, 2, names);
    pair.begin = Handle<DeleteQuery>(names[0]);
    pair.end = Handle<DeleteQuery>(names[1]);
  }
}

void GpuTimer::begin() {
  if (kind_ == TimerKind::finish) {
    glFinish();
    start_ = std::chrono::steady_clock::now();
    open_ = true;
    return;
  }
  latest_ms();                     // frees the pairs whose results have arrived
  open_ = !pairs_[next_].pending;  // if the ring is full, the frame goes unmeasured
  if (open_) glQueryCounter(pairs_[next_].begin.name(), GL_TIMESTAMP);
}

void GpuTimer::end() {
  if (!open_) return;
  open_ = false;
  if (kind_ == TimerKind::finish) {
    glFinish();
    latest_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    return;
  }
  glQueryCounter(pairs_[next_].end.name(), GL_TIMESTAMP);
  pairs_[next_].pending = true;
  next_ = (next_ + 1) % ring;
}

std::optional<double> GpuTimer::latest_ms() {
  if (kind_ == TimerKind::finish) return latest_ms_;
  for (std::size_t k = 0; k < ring; ++k) {  // oldest first, so that the newest result remains
    Pair& pair = pairs_[(next_ + k) % ring];
    if (!pair.pending) continue;
    GLint available = 0;
    glGetQueryObjectiv(pair.end.name(), GL_QUERY_RESULT_AVAILABLE, &available);
    if (!available) break;
    GLuint64 begin = 0, end = 0;
    glGetQueryObjectui64v(pair.begin.name(), GL_QUERY_RESULT, &begin);
    glGetQueryObjectui64v(pair.end.name(), GL_QUERY_RESULT, &end);
    latest_ms_ = double(end - begin) * 1e-6;
    pair.pending = false;
  }
  return latest_ms_;
}

}  // namespace kinescope::render
