#include "app/view/files/opening.hpp"

#include <filesystem>
#include <utility>

#include "app/io/picture_state.hpp"
#include "app/io/session_data.hpp"
#include "app/runs/registry.hpp"
#include "app/view/files/saving.hpp"
#include "app/view/recording/screenshot.hpp"
#include "kinescope/data/made.hpp"
#include "sim/data/join.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {

void Opening::open(const std::string& path) {
  if (is_session_file(path)) return open_session(path, [&] { return sessions_.open(path); });
  if (const auto state = state_of_picture(path)) return offer(path, *state);
  session_.open({.source = path});
}

void Opening::offer(const std::string& name, const std::string& state) {
  SavedSession saved;
  if (const std::string wrong = error_of([&] { saved = portable_session(name, state); }); !wrong.empty())
    return notices_.complain(sim::input_error(wrong));
  if (!find_simulation(saved.simulation))
    return notices_.complain(sim::file_error(name, "there is no simulation " + sim::shown(saved.simulation)));
  std::vector<Notices::Answer> answers = {
      {"Open", "Opens the data, and computes the run up to there", [this, name, saved]() mutable {
         open_session(name, [&] {
           if (!find_data(name, saved, settings_.recent))
             throw sim::file_error(name, sim::shown(saved.data.source) + " is not beside it; open it first, then this");
           return sessions_.open(name, saved);
         });
       }}};
  std::error_code error;
  if (name.ends_with(".png") && std::filesystem::is_regular_file(name, error))
    answers.push_back(
        {"As pixels", "Opens the picture as data: its pixels", [this, name] { session_.open({.source = name}); }});
  notices_.ask(short_name(name) + " holds " + description_of(saved), std::move(answers));
}

void Opening::open_session(const std::string& path, const std::function<bool()>& open) {
  try {
    if (!open()) notices_.say("The data are others than when this session was saved");
  } catch (const sim::Error& error) {
    notices_.complain(error);
  } catch (const std::exception&) {
    notices_.complain(sim::file_error(path, "cannot be opened"));
  }
}

void Opening::drop(const std::string& path) {
  constexpr std::uintmax_t largest = 64 << 20;  // bytes: tables of samples are small, and this one is read twice
  std::error_code unknown;
  const std::shared_ptr<const sim::Dataset> data = session_.data();
  const sim::DataRequest before = session_.request();
  if (is_session_file(path) || !data || session_.loading() || sim::is_made(before.source) ||
      std::filesystem::equivalent(path, before.source, unknown) || std::filesystem::file_size(path, unknown) > largest)
    return open(path);
  notices_.say("Reading " + short_name(path));
  jobs_.post([this, path, data, before, drop = ++drops_]() -> JobQueue::Then {
    std::optional<sim::DataRequest> joined;
    error_of([&] { joined = sim::as_metadata(path, data->table, before); });
    return [this, path, data, before, joined = std::move(joined), drop] {
      if (drop != drops_ || session_.data() != data || session_.loading()) return;
      if (!joined) return open(path);
      sim::DataRequest request = *joined;
      request.label.clear();  // its own columns are to colour
      if (request.transpose != before.transpose) {
        request.columns.clear();
        request.categories.clear();
      }
      session_.open(request);
      notices_.say(short_name(path) + " joined by name" +
                   (request.transpose != before.transpose ? ", and transposed" : ""));
    };
  });
}

void Opening::ask(std::function<void(const std::string& path)> take) {
  take_ = std::move(take);
  dialog_.open(settings_.folder.empty() ? folder_for_saving(session_.request().source) : settings_.folder);
}

void Opening::poll() {
  const std::string chosen = dialog_.take_chosen();
  if (chosen.empty()) return;
  settings_.folder = dialog_.folder();
  take_ ? take_(chosen) : open(chosen);
}

}  // namespace kinescope::app
