#include "app/ui/test_ids.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

namespace kinescope::app {

TestIds::TestIds(bool enabled) : enabled_(enabled) {
  if (enabled) std::setvbuf(stdout, nullptr, _IOFBF, 1 << 16);  // room for all lines of a frame
}

void TestIds::widget(const char* id, ImVec2 low, ImVec2 high) {
  if (!enabled_) return;
  seen_[id] = {int(std::lround(low.x)), int(std::lround(low.y)), int(std::lround(high.x - low.x)),
               int(std::lround(high.y - low.y))};
}

void TestIds::cut(const char* id) {
  if (enabled_ && cut_.insert(id).second) std::printf("cut %s\n", id);
}

void TestIds::state(const std::string& key, const std::string& value) {
  if (enabled_ && std::exchange(states_[key], value) != value) std::printf("state %s %s\n", key.c_str(), value.c_str());
}

void TestIds::end_frame() {
  if (!enabled_) return;
  for (const auto& [id, r] : seen_) {
    const auto before = printed_.find(id);
    if (before == printed_.end() || before->second != r)
      std::printf("id %s %d %d %d %d\n", id.c_str(), r.x, r.y, r.w, r.h);
  }
  for (const auto& [id, r] : printed_)
    if (!seen_.contains(id)) std::printf("id %s 0 0 0 0\n", id.c_str());  // gone
  std::fflush(stdout);
  printed_ = seen_;
}

}  // namespace kinescope::app
