// Writes what a person asks for into new files beside the data, where people look for them, else into the current
// folder; and tells when each is written, or why it cannot be.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/io/session_file.hpp"
#include "app/runs/job_queue.hpp"
#include "app/runs/session.hpp"
#include "app/view/notices.hpp"
#include "app/view/past.hpp"
#include "kinescope/table.hpp"
#include "render/gl/image.hpp"

namespace kinescope::app {

// The message of what `write` throws; "" if it does not throw.
std::string error_of(const std::function<void()>& write);

class Saving {
 public:
  // All of them must outlive this, but for the session, whose runs may still write results until they end.
  Saving(JobQueue& jobs, const Session& session, Notices& notices, TestIds& ids)
      : jobs_(jobs), session_(session), notices_(notices), ids_(ids) {}

  std::string folder() const;
  // Why no result can be saved of what is shown; "": it can.
  static std::string why_no_result(const Past& past, const Scene& scene);
  // Writes the result in the first format that the simulation names: a table, or an image if the data are one. The
  // result of an earlier moment is always a table. Tables are CSV (table_writers). Does nothing if there is none.
  void result(const Past& past, const Scene& scene);
  bool saves_result() const { return saves_result_; }  // a result is being written
  void begin_run() { saves_result_ = false; }          // call when another run has taken over
  void session(const SavedSession& session);
  void table(std::function<sim::Table()> make);
  // `draw` makes the picture, which is to carry `state`.
  void picture(const std::function<render::Image()>& draw, const std::string& state);
  // `draw` makes what writes a file of that name.
  void figure(const std::string& ending, const std::function<std::function<void()>(const std::string& path)>& draw);
  // Puts the picture into the clipboard.
  void copy(render::Image image, const std::string& state, bool opaque);
  // Calls `write` in the background, then tells whether it has written `path`.
  void in_background(const std::string& path, std::function<void()> write);

 private:
  void tell(const std::string& path, const std::string& error);

  JobQueue& jobs_;
  const Session& session_;
  Notices& notices_;
  TestIds& ids_;
  bool saves_result_ = false;
};

}  // namespace kinescope::app
