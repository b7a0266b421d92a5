// Opens what a person chooses: a path, a file that is dropped on the window, or one chosen in the dialog.
#pragma once

#include <functional>
#include <string>

#include "app/io/settings.hpp"
#include "app/panels/file_dialog.hpp"
#include "app/runs/session.hpp"
#include "app/view/files/session_files.hpp"
#include "app/view/notices.hpp"

namespace kinescope::app {

class Opening {
 public:
  // All must outlive this; the settings keep the folder of the last file that was chosen.
  Opening(Session& session, SessionFiles& sessions, Notices& notices, JobQueue& jobs, Settings& settings)
      : session_(session), sessions_(sessions), notices_(notices), jobs_(jobs), settings_(settings) {}

  // Data or a session. A picture that carries a state is asked about first.
  void open(const std::string& path);
  // A state as text, after a question; `name`: where it is from, a file or other words.
  void offer(const std::string& name, const std::string& state);
  // A file that is dropped on the window: a table of samples is joined to the open data if it has the names of their
  // rows (sim/data/join.hpp); other files are opened.
  void drop(const std::string& path);
  // Shows the dialog; the file that is chosen goes to `take`, or is opened if there is none.
  void ask(std::function<void(const std::string& path)> take = nullptr);
  // Call once a frame: opens the file that was chosen in the dialog, if any.
  void poll();
  void draw(Ui& ui) { dialog_.draw(ui); }
  bool asks() const { return dialog_.shown(); }  // the dialog is over the window and has the keyboard
  bool busy() const { return dialog_.busy(); }

 private:
  void open_session(const std::string& name, const std::function<bool()>& open);

  Session& session_;
  SessionFiles& sessions_;
  Notices& notices_;
  JobQueue& jobs_;
  Settings& settings_;
  FileDialog dialog_;
  std::function<void(const std::string& path)> take_;
  long drops_ = 0;  // files dropped so far
};

}  // namespace kinescope::app
