// The file's panel: the first rows as they are read, and what was guessed about the file, each with what else it might
// have been. It stays at the foot of the left panel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/runs/session.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/dataset.hpp"
#include "sim/data/text_reading.hpp"

namespace kinescope::app {

class ReadingPanel {
 public:
  // The height that draw() takes, in pixels, of `most` that the left panel has; 0: there is nothing to show.
  float height(Ui& ui, const Session& session, float most);
  // Call between ImGui's Begin and End of a window of that height.
  void draw(Ui& ui, Session& session);

 private:
  void learn(const sim::Dataset& data);
  void draw_heading(Ui& ui);
  void draw_guess(Ui& ui, Session& session, const sim::ReadingGuess& guess);
  void draw_rows(Ui& ui) const;

  std::shared_ptr<const sim::Dataset> known_;
  std::string source_;                           // of the file that the panel was opened or closed for
  std::vector<std::vector<std::string>> cells_;  // [columns shown]: name, type, first rows; empty: there is no table
  std::size_t further_columns_ = 0;
  bool open_ = false, doubtful_ = false;  // doubtful: a guess is not sure
  float content_ = 0;                     // pixels that the open panel needed when it was last drawn
};

// The id of the button that reads the file as the guess's `other`-th alternative says, for GUI tests.
std::string reading_id(const sim::ReadingGuess& guess, std::size_t other);

}  // namespace kinescope::app
