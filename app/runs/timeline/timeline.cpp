#include "app/runs/timeline/timeline.hpp"

#include <utility>

namespace kinescope::app {

void Timeline::clear() {
  moments_.clear();
  users_.clear();
  bytes_ = 0;
  stride_ = 1;
}

void Timeline::forget_from(long iteration) {
  while (!empty() && latest().iteration() >= iteration) remove(size() - 1);
}

void Timeline::set_limit(std::size_t bytes) {
  limit_ = bytes;
  thin();
}

void Timeline::add(Moment moment) {
  if (!empty() && moment.iteration() < latest().iteration()) clear();
  const bool same = !empty() && moment.iteration() == latest().iteration();
  // A moment that is near the one before it has stayed only because it was the latest.
  if (same || (size() > 1 && near(size() - 1))) remove(size() - 1);
  account(moment, true);
  moments_.push_back(std::make_unique<Moment>(std::move(moment)));
  thin();
}

bool Timeline::begins_level(std::size_t index) const {
  return index > 0 && moments_[index]->progress().level != moments_[index - 1]->progress().level;
}

// True if the moment before is so near that this one need not stay.
bool Timeline::near(std::size_t index) const {
  return !begins_level(index) && moments_[index]->iteration() - moments_[index - 1]->iteration() < stride_;
}

void Timeline::account(const Moment& moment, bool added) {
  const auto change = [&](std::size_t bytes) { bytes_ = added ? bytes_ + bytes : bytes_ - bytes; };
  change(sizeof(Moment));
  for (const PackedBuffer& buffer : moment.buffers) {
    change(buffer.own_bytes());
    if (!buffer.whole()) continue;
    std::size_t& users = users_[buffer.whole().get()];
    if (added ? users++ == 0 : --users == 0) change(buffer.whole()->bytes.size());
    if (users == 0) users_.erase(buffer.whole().get());
  }
}

void Timeline::remove(std::size_t index) {
  account(*moments_[index], false);
  moments_.erase(moments_.begin() + std::ptrdiff_t(index));
}

// Drops the moments between the first and the latest for which stays(index, index of the one kept before) is false.
template <class Stays>
void Timeline::keep(Stays&& stays) {
  std::vector<bool> kept(size(), true);
  for (std::size_t i = 1, before = 0; i + 1 < size(); ++i) {
    kept[i] = stays(i, before);
    if (kept[i]) before = i;
  }
  std::vector<std::unique_ptr<Moment>> left;
  for (std::size_t i = 0; i < size(); ++i) {
    if (kept[i])
      left.push_back(std::move(moments_[i]));
    else
      account(*moments_[i], false);
  }
  moments_ = std::move(left);
}

void Timeline::thin() {
  while (bytes_ > limit_ && size() > 2 && stride_ <= latest().iteration() - moments_.front()->iteration()) {
    stride_ *= 2;
    keep([this](std::size_t i, std::size_t before) {
      return begins_level(i) || moments_[i]->iteration() - moments_[before]->iteration() >= stride_;
    });
  }
  // If that is not enough, because moments are few but large, those that begin levels go too, then the first. A moment
  // that does not even fit alone is not kept.
  if (bytes_ > limit_) keep([](std::size_t, std::size_t) { return false; });
  while (bytes_ > limit_ && !empty()) remove(0);
}

std::vector<long> Timeline::level_iterations() const {
  std::vector<long> iterations;
  for (std::size_t i = 1; i < size(); ++i)
    if (begins_level(i)) iterations.push_back(moments_[i]->iteration());
  return iterations;
}

}  // namespace kinescope::app
