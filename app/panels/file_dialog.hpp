// Choosing a file to open: the desktop's dialog if there is one, else a browser of our own in the window.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/system_dialog.hpp"
#include "app/runs/job_queue.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

// The path that was typed, where "~" alone or before a slash stands for the user's own folder. "": what was typed is
// not a path but part of a name.
std::string typed_path(const std::string& typed);

class FileDialog {
 public:
  // `folder`: where to begin; if there is no such folder, in the current one. Does nothing while the dialog is open.
  void open(const std::string& folder);
  // Whether our own browser is open; it then has the keyboard.
  bool shown() const { return shown_; }
  // Call once a frame; draws the browser over the window.
  void draw(Ui& ui);
  bool busy() const { return jobs_.busy(); }  // a folder is being listed

  std::string take_chosen() { return std::exchange(chosen_, ""); }  // "": nothing
  const std::string& folder() const { return folder_; }             // where the last file was chosen

 private:
  struct Entry {
    std::string name;
    bool is_folder = false;
    std::uintmax_t bytes = 0;
  };
  void browse(const std::string& folder);
  void go(const std::string& folder, std::string select = "");
  void filter();
  void enter();
  void choose(const Entry& entry);
  void draw_head(Ui& ui);
  void draw_entries(Ui& ui);
  void keyboard();

  SystemDialog system_;
  JobQueue jobs_;  // lists folders in the background, as they may be slow
  bool shown_ = false, appeared_ = false, scroll_ = false;
  std::string folder_, typed_, chosen_, refused_;
  std::string select_;            // the entry to be selected once the folder is listed
  int listing_ = 0, listed_ = 0;  // number of the latest request; number of folders listed so far
  std::vector<Entry> entries_;
  std::vector<std::size_t> matching_;  // entries that match what was typed
  std::size_t selected_ = 0;           // index into matching_
};

}  // namespace kinescope::app
