// The landscape's tab "Plants": the grammar of a species as text, and beside it the plant that grows from it, updated
// as one types. A text with a mistake leaves the plant as it was and says what is wrong in one line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/features/plants/plant_preview.hpp"
#include "app/runs/job_queue.hpp"
#include "app/ui/widgets.hpp"
#include "sim/landscape/plants/plant_files.hpp"

namespace kinescope::app {

class PlantEditor {
 public:
  // Throws sim::Error if the plants' files cannot be read.
  PlantEditor(render::OpenGl& opengl, JobQueue& jobs);

  void draw(Ui& ui);            // fills the rest of ImGui's window
  void update(double seconds);  // once a frame
  // Call once a frame: draws the plant if the editor was drawn since the last call.
  void draw_preview(const render::landscape::Weather& weather);

  struct Applied {
    std::size_t kind = 0;  // index of the species, as in load_plants()
    sim::landscape::PlantGrammar grammar;
  };
  std::size_t kind() const { return index_; }  // index of the species shown
  // The plants that the user has applied to the landscape since the last call.
  std::vector<Applied> take_asked() { return std::exchange(asked_, {}); }
  // All plants that the user has applied; they must be applied again to another landscape.
  const std::vector<Applied>& applied() const { return applied_; }

 private:
  struct Species {
    sim::landscape::PlantFile file;  // as it was read, or saved last
    std::string text;                // as it is being edited
  };
  struct Grown {
    sim::landscape::PlantGrammar grammar;
    sim::landscape::PlantMesh mesh;
  };
  static std::vector<Species> read_species();
  void choose(Ui& ui);
  void draw_text(Ui& ui, ImVec2 size);
  void draw_plant(Ui& ui, ImVec2 size);
  void draw_line(Ui& ui);
  void draw_buttons(Ui& ui);
  void changed(bool at_once);
  void grow();
  void apply();
  void revert();
  void save();
  Species& shown() { return species_[index_]; }

  JobQueue& jobs_;
  std::shared_ptr<const void> alive_ = std::make_shared<int>();  // the queue drops jobs when it is gone
  std::vector<Species> species_;
  PlantPreview preview_;
  std::size_t index_ = 0;
  std::uint32_t variant_ = 0;
  std::optional<Grown> grown_;  // the last good plant of the shown species
  std::string error_, told_;    // what is wrong with the text; what was done
  double quiet_ = 0;            // seconds since the text changed
  bool stale_ = true;           // the text has changed since it was read
  long reading_ = 0;            // number of the latest reading; earlier ones are dropped
  bool growing_ = false;
  bool typing_ = false;            // the text has the keyboard
  glm::ivec2 preview_size_{0, 0};  // (0, 0): the editor has not been drawn since
  std::vector<Applied> asked_, applied_;
};

}  // namespace kinescope::app
