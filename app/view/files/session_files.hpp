// Sessions as files: what is open, with the pace and the view, can be saved, and opened again.
#pragma once

#include <optional>
#include <string>

#include "app/io/session_file.hpp"
#include "app/panels/data_panel.hpp"
#include "app/runs/pace.hpp"
#include "app/runs/session.hpp"
#include "app/view/contributors.hpp"

namespace kinescope::app {

class SessionFiles {
 public:
  explicit SessionFiles(Session& session) : session_(session) {}  // which must outlive this

  // Opens the file, or a session whose data have been found; `path` is for errors. Throws sim::Error, or what the
  // system throws. False if its data are others than when it was saved.
  bool open(const std::string& path);
  bool open(const std::string& path, SavedSession session);
  // The data that are being opened are those of this session.
  void opens(const std::optional<SavedSession>& session) { opening_ = session; }
  // Reads the data's file once more; what a person has chosen about data, parameters and view stays.
  void reload(Contributors& contributors, const Pace& pace);
  // Call when another run has taken over: gives the view and the pace what its session says, if it has one.
  void begin_run(Contributors& contributors, Pace& pace);
  void failed() { opening_.reset(); }  // call when the data could not be opened

  // What a person has chosen, as the panels say it.
  SavedSession chosen(Contributors& contributors, const Pace& pace) const;
  // What would be saved now: with what normalize=auto has become, and the course of the run up to what `past` shows.
  SavedSession now(Contributors& contributors, const Pace& pace, const Past& past) const;
  // The session that is kept when the window closes. Failing to keep it is no reason to complain.
  void keep_last(Contributors& contributors, const Pace& pace, const Past& past) const;
  static void offer_last(DataPanel& panel);

 private:
  Session& session_;
  std::optional<SavedSession> opening_;  // the session whose data are being loaded
};

}  // namespace kinescope::app
