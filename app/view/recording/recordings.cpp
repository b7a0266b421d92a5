#include "app/view/recording/recordings.hpp"

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/io/streams.hpp"
#include "app/view/recording/screenshot.hpp"

namespace kinescope::app {

void Recordings::toggle(const Box& picture) {
  if (recording_)
    end();
  else
    begin(new_file_name(saving_.folder(), ".mp4"), picture);
}

void Recordings::begin(const std::string& path, const Box& picture) try {
  const RecordingPlace place = recording_place(path);
  recording_ = std::make_unique<Recording>(place, options_.with_panels ? window_size_ : picture.pixels(), interactive_);
  if (!interactive_ && !place.notice.empty()) tell("kinescope: {}\n", place.notice);
  const std::string folder = std::filesystem::path(place.path).parent_path().filename().string();
  notices_.say(place.notice.empty() ? "Recording " + place.path
                                    : "Recording pictures (no ffmpeg) into " + folder + "/");
} catch (const sim::Error& error) {
  fail(error);
}

void Recordings::fail(const sim::Error& error) {
  recording_.reset();
  if (!options_.record.empty()) error_ = error;
  if (interactive_) notices_.complain(error);
}

void Recordings::frame(unsigned framebuffer, glm::ivec2 size, const Box& picture, bool first) try {
  window_size_ = size;
  if (!recording_ && !options_.record.empty() && first) begin(options_.record, picture);
  if (!recording_) return;
  const glm::ivec2 inner = picture.pixels(), left_top{int(picture.x), int(picture.y)};
  if (options_.with_panels)
    recording_->frame(framebuffer, {0, 0}, size);
  else
    recording_->frame(framebuffer, {left_top.x, size.y - left_top.y - inner.y}, inner);
} catch (const sim::Error& error) {
  fail(error);
}

// Encoding may lag behind, and the window does not wait for it.
void Recordings::end() try {
  const std::shared_ptr<Recorder> recorder = std::exchange(recording_, nullptr)->end();
  finishing_ = recorder;
  notices_.say("Finishing " + recorder->path() + " …");
  saving_.in_background(recorder->path(), [recorder] { recorder->finish(); });
} catch (const sim::Error& error) {
  notices_.complain(error);
}

std::string Recordings::rescue() {
  std::string film;
  if (recording_) {
    const std::shared_ptr<Recorder> recorder = recording_->end_at_once();
    const std::string flaw = error_of([&] { recorder->finish(); });
    film = flaw.empty() ? "; " + recorder->path() + " has what was recorded" : "; " + flaw;
  }
  while (!finishing_.expired()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return film;
}

void Recordings::finish(FinalWrites& final_writes) {
  if (recording_) final_writes([&] { std::exchange(recording_, nullptr)->end()->finish(); });
  if (error_) final_writes([&] { throw *error_; });
}

}  // namespace kinescope::app
