// What the workbench reads and writes: sessions, results, pictures, tables, recordings, reports.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <thread>
#include <utility>

#include "app/io/json_report.hpp"
#include "app/io/output.hpp"
#include "app/io/preset.hpp"
#include "app/io/streams.hpp"
#include "app/io/tell_findings.hpp"
#include "app/runs/interrupt.hpp"
#include "app/runs/registry.hpp"
#include "app/view/recording/screenshot.hpp"
#include "app/view/workbench.hpp"
#include "sim/core/executors/devices.hpp"
#include "sim/data/join.hpp"
#include "sim/data/made.hpp"
#include "sim/data/normalize.hpp"
#include "sim/data/writers/write.hpp"

namespace kinescope::app {
namespace {

// The message of what `write` throws; "" if it does not throw.
template <class Write>
std::string error_of(Write&& write) {
  try {
    write();
    return "";
  } catch (const sim::Error& error) {
    return error.what();
  } catch (const std::exception&) {
    return "out of memory, or the operating system reported an error";
  }
}

// The table, with the numbers of its first columns replaced by `values`, [rows × columns], row-major.
sim::Table with_first_columns(sim::Table table, const std::vector<float>& values) {
  const std::size_t columns = values.size() / std::max<std::size_t>(table.rows, 1);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::span<float> numbers = table.columns[column].numbers.write_floats(table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) numbers[row] = values[row * columns + column];
  }
  return table;
}

}  // namespace

void Workbench::open_session(const std::string& path) try {
  SavedSession saved = load_session(path);
  const sim::SimulationKind* kind = find_simulation(saved.simulation);
  if (!kind) throw sim::file_error(path, "there is no simulation '" + saved.simulation + "'");
  std::unique_ptr<sim::ParameterSet> parameters = first_parameters(*kind);
  read_preset(path, *kind, *parameters);
  session_.open(*kind, saved.data, std::move(parameters), saved.seed);
  opening_ = std::move(saved);
} catch (const sim::Error& error) {
  complain(error);
} catch (const std::exception&) {
  complain(sim::file_error(path, "cannot be opened"));
}

void Workbench::drop_file(const std::string& path) {
  constexpr std::uintmax_t largest = 64 << 20;  // bytes: tables of samples are small, and this one is read twice
  std::error_code unknown;
  const std::shared_ptr<const sim::Dataset> data = session_.data();
  const sim::DataRequest open = session_.request();
  if (is_session_file(path) || !data || session_.loading() || sim::is_made(open.source) ||
      std::filesystem::equivalent(path, open.source, unknown) || std::filesystem::file_size(path, unknown) > largest)
    return open_file(path);
  say("Reading " + short_name(path));
  worker_.post([this, path, data, open, drop = ++drops_]() -> Worker::Then {
    std::optional<sim::DataRequest> joined;
    error_of([&] { joined = sim::as_metadata(path, data->table, open); });
    return [this, path, data, open, joined = std::move(joined), drop] {
      if (drop != drops_ || session_.data() != data || session_.loading()) return;
      if (!joined) return open_file(path);
      sim::DataRequest request = *joined;
      request.label.clear();  // its own columns are to colour
      if (request.transpose != open.transpose) {
        request.columns.clear();
        request.categories.clear();
      }
      session_.open(request);
      say(short_name(path) + " joined by name" + (request.transpose != open.transpose ? ", and transposed" : ""));
    };
  });
}

void Workbench::ask_for_file() {
  if (interactive_) file_dialog_.open(settings_.folder.empty() ? save_folder() : settings_.folder);
}

// Reads the data's file once more; what a person has chosen about data, parameters and view stays.
void Workbench::reload() {
  if (!session_.data() || !session_.stamp()) return;
  opening_ = saved_session();
  session_.reload();
}

// Checks about once a second, in the background, whether the data file has changed. A file that is still being written
// is not reported yet: two checks in a row must find the same stamp.
void Workbench::watch_file() {
  watcher_.poll();
  const auto now = std::chrono::steady_clock::now();
  if (!interactive_ || session_.loading() || !session_.stamp() || watcher_.busy()) return;
  if (now < looked_ + std::chrono::seconds(1)) return;
  looked_ = now;
  watcher_.post([this, source = session_.request().source]() -> Worker::Then {
    return [this, source, stamp = file_stamp(source)] {
      const bool same = stamp == std::exchange(seen_, stamp);
      if (!stamp || !same || stamp == told_ || source != session_.request().source || !banner_.empty()) return;
      told_ = stamp;
      if (stamp == session_.stamp()) return;
      banner_ = short_name(source) + " has changed";
      offers_reload_ = true;
    };
  });
}

Texts Workbench::kept_view() {
  KeptState state = KeptState::writing();
  scene_->keep_state(state);
  for (const auto& feature : features_) feature->keep_state(state);
  return state.texts();
}

SavedSession Workbench::saved_session() {
  SavedSession saved{session_.kind().name, session_.request(), {}, session_.seed(), pace_, kept_view()};
  if (comparison_.active()) saved.view["compare"] = fmt::format("{}", fmt::join(comparison_.chosen(), " "));
  for (const sim::Parameter* parameter : session_.parameters().all())
    saved.parameters[parameter->name()] = parameter->text();
  // A session says what was done, so that it gives the same everywhere.
  if (const auto* normalize = session_.parameters().find<sim::NormalizeParameter>();
      normalize && normalize->is_automatic())
    saved.parameters[normalize->name()] = session_.made_parameters().find<sim::NormalizeParameter>()->text();
  return saved;
}

// Compares the algorithms that a session names, unless --compare was given. Those that cannot be compared are left out:
// the one that the first run uses, and names that the program does not know.
void Workbench::compare_as(const SavedSession& session) {
  const auto saved = session.view.find("compare");
  if (saved == session.view.end() || !options_.compare.empty()) return;
  std::vector<std::string> algorithms;
  std::istringstream words(saved->second);
  for (std::string word; words >> word;) {
    algorithms.push_back(word);
    if (!error_of([&] { check_compared(session_.kind().name, session_.made_parameters(), algorithms); }).empty())
      algorithms.pop_back();
  }
  comparison_.choose(std::move(algorithms));
}

// Results go beside the data, where people look for them, else into the current folder.
std::string Workbench::save_folder() const {
  return folder_for_saving(session_.request().source);
}

void Workbench::save_session_file() {
  const std::string path = new_file_name(save_folder(), session_ending);
  tell_saved(path, error_of([&] { save_session(path, saved_session()); }));
}

void Workbench::offer_last_session() {
  const std::string path = last_session_path();
  std::error_code error;
  if (!interactive_ || path.empty() || !std::filesystem::exists(path, error)) return;
  try {
    const SavedSession last = load_session(path);
    const sim::SimulationKind* kind = find_simulation(last.simulation);
    const std::string& source = last.data.source;
    if (!kind) return;
    data_panel_.offer_session(path, source.empty() ? kind->title : kind->title + " · " + short_name(source));
  } catch (const std::exception&) {  // a damaged session is not offered, and must not prevent the start
  }
}

// Why no result can be saved now; "": it can. An earlier moment has a result only if one of its kept buffers holds the
// first columns of the result (Scene::result_buffer).
std::string Workbench::why_no_result() const {
  if (!past_.moment() || !scene_->result_buffer().empty()) return "";
  return "Only the live state has a result that can be saved: press Live first";
}

// Writes the result in the first format that the simulation names: a table, or an image if the data are one. The result
// of an earlier moment is always a CSV table.
void Workbench::save_result() {
  if (!why_no_result().empty()) return;
  saving_ = true;
  const std::vector<float> earlier = past_.values(scene_->result_buffer());
  session_.runner()->post([this, folder = save_folder(), earlier](sim::Simulation& simulation) {
    const std::vector<std::string> endings = simulation.endings("out");
    const std::string path = endings.empty() ? "" : new_file_name(folder, earlier.empty() ? endings.front() : ".csv");
    const std::string error = error_of([&] {
      if (endings.empty()) throw sim::input_error("with these data and parameters there is no result to save");
      if (earlier.empty()) return sim::write_output(simulation, "out", path);
      sim::write_csv(path, with_first_columns(simulation.result(), earlier));
    });
    worker_.post([this, path, error]() -> Worker::Then {
      return [this, path, error] {
        saving_ = false;
        tell_saved(path, error);
      };
    });
  });
}

void Workbench::save_table(sim::Table table) {
  const std::string path = new_file_name(save_folder(), ".csv");
  save_in_background(path, [path, table = std::move(table)] { sim::write_csv(path, table); });
}

void Workbench::save_picture(float times) {
  const std::string path = new_file_name(save_folder(), ".png");
  const glm::ivec2 size{int(float(picture_size().x) * times), int(float(picture_size().y) * times)};
  save_in_background(path, [path, image = picture(size, ui_.scale * times)] {
    try {
      write_png(path, image);
    } catch (const sim::Error&) {
      throw;
    } catch (const std::exception&) {
      throw sim::run_error(path + ": cannot write the picture");
    }
  });
}

// Calls `write` in the background, then reports whether it has written `path`.
void Workbench::save_in_background(const std::string& path, std::function<void()> write) {
  worker_.post([this, path, write = std::move(write)]() -> Worker::Then {
    return [this, path, error = error_of(write)] { tell_saved(path, error); };
  });
}

// Reports that something was written, or why not.
void Workbench::tell_saved(const std::string& path, const std::string& error) {
  if (error.empty())
    say("Saved " + path);
  else
    complain(sim::run_error(error));
  ui_.ids.state("saved", error.empty() ? path : "failed");
}

void Workbench::start_recording(const std::string& path) try {
  const RecordingPlace place = recording_place(path);
  recording_ = std::make_unique<Recording>(place, options_.with_panels ? window_size_ : picture_size(), interactive_);
  if (!interactive_ && !place.notice.empty()) tell("kinescope: {}\n", place.notice);
  const std::string folder = std::filesystem::path(place.path).parent_path().filename().string();
  say(place.notice.empty() ? "Recording " + place.path : "Recording pictures (no ffmpeg) into " + folder + "/");
} catch (const sim::Error& error) {
  fail_to_record(error);
}

// The other outputs do not depend on it: finish() tells what --record could not do.
void Workbench::fail_to_record(const sim::Error& error) {
  recording_.reset();
  if (!options_.record.empty()) recording_error_ = error;
  if (interactive_) complain(error);
}

// A recording from the command line begins with the first picture that shows something.
void Workbench::record(const FrameInput& input) try {
  window_size_ = input.size;
  if (!recording_ && !options_.record.empty() && frames_ == 1) start_recording(options_.record);
  if (!recording_) return;
  const glm::ivec2 size = picture_size(), left_top{int(picture_box_.x), int(picture_box_.y)};
  if (options_.with_panels)
    recording_->frame(input.framebuffer, {0, 0}, input.size);
  else
    recording_->frame(input.framebuffer, {left_top.x, input.size.y - left_top.y - size.y}, size);
} catch (const sim::Error& error) {
  fail_to_record(error);
}

// Encoding may lag behind, and the window does not wait for it.
void Workbench::end_recording() try {
  const std::shared_ptr<Recorder> recorder = std::exchange(recording_, nullptr)->end();
  finishing_ = recorder;
  say("Finishing " + recorder->path() + " …");
  save_in_background(recorder->path(), [recorder] { recorder->finish(); });
} catch (const sim::Error& error) {
  complain(error);
}

void Workbench::rescue(const std::string& why) {
  std::string film;
  if (recording_) {
    const std::shared_ptr<Recorder> recorder = recording_->end_at_once();
    const std::string flaw = error_of([&] { recorder->finish(); });
    film = flaw.empty() ? "; " + recorder->path() + " has what was recorded" : "; " + flaw;
  }
  while (!finishing_.expired()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (timings_file_) error_of([&] { timings_file_->finish(); });
  error_of([&] { trace_file_.finish(); });
  tell("kinescope: error: {}{}\n", why, printable(film));
}

void Workbench::finish() {
  worker_.drain();
  FinalWrites final_writes;
  if (recording_) final_writes([&] { std::exchange(recording_, nullptr)->end()->finish(); });
  if (recording_error_) final_writes([&] { throw *recording_error_; });
  if (timings_file_) final_writes([&] { timings_file_->finish(); });
  if (!session_.runner()) return final_writes.finish();
  if (const std::string last = last_session_path();
      interactive_ && !last.empty() && !leads_elsewhere(last, session_beginning))
    error_of(
        [&] { save_session(last, saved_session()); });  // as with settings, failing to save is no reason to complain
  session_.runner()->stop();
  if (!interactive_ && session_.data())
    tell_findings(session_.request(), *session_.data(), session_.made_parameters(), session_.standardized_by_itself());
  final_writes([&] { trace_file_.finish(); });
  final_writes.finish();
}

void Workbench::finish_report(bool ended, const std::string& line) {
  if (options_.report.empty() || !session_.runner()) return;
  const HearsInterrupt hears = hears_during_report(ended, [&] { return printable(line + without_report); });
  const std::vector<sim::Report> compared = comparison_.finish();
  sim::Report passes, drawing;
  for (const auto& [name, ms] : pass_times_.medians()) passes.entries.emplace_back(name, ms);
  if (!passes.entries.empty()) drawing.entries.emplace_back("pass_ms", passes);
  if (!compared.empty()) drawing.add("compared", compared);
  write_report(options_.report, session_.kind(), session_.made_parameters(), session_.data().get(), session_.seed(),
               sim::processor_name(options_.backend, options_.device), session_.runner()->stop(), drawing);
}

}  // namespace kinescope::app
