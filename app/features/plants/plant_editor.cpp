#include "app/features/plants/plant_editor.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"
#include "sim/landscape/plants/plant_mesh.hpp"

// For GLFW_KEY_ESCAPE: ImGui 1.86 is given GLFW's key numbers.
#include <GLFW/glfw3.h>

namespace kinescope::app {
namespace {

constexpr double pause_of_typing = 0.2;          // s after which a changed text is read
constexpr std::size_t most_triangles = 100'000;  // of one plant
constexpr float turning = 0.35f;                 // radians a second

}  // namespace

PlantEditor::PlantEditor(render::OpenGl& opengl, JobQueue& jobs)
    : jobs_(jobs), species_(read_species()), preview_(opengl) {
  changed(true);
}

std::vector<PlantEditor::Species> PlantEditor::read_species() {
  std::vector<Species> species;
  for (const sim::landscape::PlantFile& file : sim::landscape::plant_files()) species.push_back({file, file.text});
  return species;
}

void PlantEditor::changed(bool at_once) {
  stale_ = true;
  quiet_ = at_once ? pause_of_typing : 0;
  told_.clear();
}

void PlantEditor::update(double seconds) {
  quiet_ += seconds;
  if (stale_ && !growing_ && quiet_ >= pause_of_typing) grow();
}

// Reads the text and grows the plant on the thread of the queue.
void PlantEditor::grow() {
  stale_ = false;
  growing_ = true;
  jobs_.post(alive_,
             [this, text = shown().text, name = shown().file.name, kind = index_, variant = variant_,
              reading = ++reading_]() -> JobQueue::Then {
               auto grown = std::make_shared<Grown>();
               std::string error;
               try {
                 grown->grammar = sim::landscape::parse_plant(text, name);
                 grown->mesh = sim::landscape::make_variant(grown->grammar, kind, 1, variant);
                 if (const std::size_t triangles = grown->mesh.triangles(); triangles > most_triangles)
                   throw sim::input_error(fmt::format(
                       "{}: this plant has {} triangles; at most {} are allowed, because thousands of plants are drawn",
                       name, sim::with_commas(triangles), sim::with_commas(most_triangles)));
               } catch (const std::exception& wrong) {
                 error = wrong.what();
               }
               return [this, grown, error, kind, reading] {
                 growing_ = false;
                 if (reading != reading_ || kind != index_) return;
                 error_ = error;
                 if (!error.empty()) return;
                 grown_ = std::move(*grown);
                 preview_.set_plant(grown_->mesh);
               };
             });
}

void PlantEditor::choose(Ui& ui) {
  std::vector<std::string> options, names;
  for (const Species& species : species_) {
    const std::string name = species.file.name.substr(0, species.file.name.rfind('.'));
    const char* note = species.text != species.file.text ? " (changed)" : species.file.own ? " (yours)" : "";
    options.push_back(name);
    names.push_back(sim::Option(name.c_str()).label + note);
  }
  if (!choice(ui, "plant", "Species", "The plant whose grammar is shown", options, index_, names)) return;
  grown_.reset();
  error_.clear();
  variant_ = 0;
  changed(true);
}

// Draws the plant. A drag turns it, the wheel zooms; without a drag it turns by itself.
void PlantEditor::draw_plant(Ui& ui, ImVec2 size) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  pressable("plant-picture", size);
  ui.ids.last_item("plant.picture");
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActive())
    preview_.turn(-0.01f * io.MouseDelta.x / ui.scale);
  else
    preview_.turn(turning * io.DeltaTime);
  if (ImGui::IsItemHovered()) preview_.zoom(io.MouseWheel);
  if (grown_ && preview_.texture())
    ImGui::GetWindowDrawList()->AddImageRounded(reinterpret_cast<ImTextureID>(std::intptr_t(preview_.texture())), low,
                                                high, {0, 1}, {1, 0}, IM_COL32_WHITE, ui.px(4));
  help_for_last_item(ui, "The plant by itself. Drag to turn, wheel to zoom");
  preview_size_ = {int(size.x), int(size.y)};
}

void PlantEditor::draw_text(Ui& ui, ImVec2 size) {
  const std::string before = shown().text;
  ImGui::PushFont(ui.fonts.caption);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(8)});
  ImGui::PushID(int(index_));  // each text has its own cursor and history
  const bool edited = ImGui::InputTextMultiline("##text", &shown().text, size, ImGuiInputTextFlags_AllowTabInput);
  ui.ids.last_item("plant.text");
  // At Escape, ImGui reverts all that was typed; here the key only ends typing.
  if (typing_ && ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false)) shown().text = before;
  typing_ = ImGui::IsItemActive();
  ImGui::PopID();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (edited && shown().text != before) changed(false);
}

// Draws one line of text: what is wrong, what was done, or how large the plant is.
void PlantEditor::draw_line(Ui& ui) {
  ImFont* font = ui.fonts.caption;
  std::string text = told_;
  if (!error_.empty())
    text = error_;
  else if (text.empty() && grown_)
    text = fmt::format("{} m high · {} triangles", number_text(double(grown_->mesh.height)),
                       sim::with_commas(grown_->mesh.triangles()));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(20);
  ImGui::Dummy({width, height});
  const std::string fits = shortened(font, text, width);
  if (fits != text) help_for_last_item(ui, text.c_str());
  put_text(ImGui::GetWindowDrawList(), font, {at.x, std::round(at.y + 0.5f * (height - font->FontSize))},
           error_.empty() ? ui.theme->ink_dim : ui.theme->warning, fits);
}

void PlantEditor::draw_buttons(Ui& ui) {
  const bool good = error_.empty() && grown_ && !stale_ && !growing_;
  const Species& plant = shown();
  const bool edited = plant.text != plant.file.text;
  const float space = ui.px(8), width = std::floor(0.25f * (ImGui::GetContentRegionAvail().x - 3 * space));
  if (button(ui, "plant.apply", "Apply", "Use this grammar for all plants of the species in the landscape",
             ButtonKind::primary, width, good))
    apply();
  ImGui::SameLine(0, space);
  if (button(ui, "plant.another", "Another", "Show another plant of the same grammar", ButtonKind::plain, width,
             good)) {
    variant_ = (variant_ + 1) % sim::landscape::plant_variants;
    changed(true);
  }
  ImGui::SameLine(0, space);
  if (button(ui, "plant.revert", edited ? "Revert" : "Original",
             edited ? "Undo all changes since the last Save" : "Restore the text that comes with the program",
             ButtonKind::plain, width, edited || plant.file.own))
    revert();
  ImGui::SameLine(0, space);
  if (button(ui, "plant.save", "Save",
             "Save as one of your own plants. New landscapes use it; the original stays available", ButtonKind::plain,
             width, good && edited))
    save();
}

void PlantEditor::draw(Ui& ui) {
  choose(ui);
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  const float space = ui.px(8), below = ui.px(20 + 32) + 2 * ImGui::GetStyle().ItemSpacing.y;
  const float height = std::max(ui.px(160), room.y - below), picture = std::floor(0.36f * (room.x - space));
  draw_text(ui, {room.x - space - picture, height});
  ImGui::SetCursorScreenPos({at.x + room.x - picture, at.y});
  draw_plant(ui, {picture, height});
  draw_line(ui);
  draw_buttons(ui);
  ui.ids.state("plant", shown().file.name);
  ui.ids.state("plant.error", error_.empty() ? "none" : error_);
  ui.ids.state("plant.told", told_.empty() ? "none" : told_);
  ui.ids.state("plant.read", stale_ || growing_ ? "no" : "yes");
  if (grown_) ui.ids.state("plant.triangles", std::to_string(grown_->mesh.triangles()));
}

void PlantEditor::draw_preview(const render::landscape::Weather& weather) {
  if (preview_size_.x < 1 || !grown_) return;
  preview_.draw(weather, preview_size_);
  preview_size_ = {0, 0};
}

void PlantEditor::apply() {
  const Applied plant{index_, grown_->grammar};
  std::erase_if(applied_, [&](const Applied& each) { return each.kind == index_; });
  applied_.push_back(plant);
  asked_.push_back(plant);
  told_ = "The landscape uses it now; Save keeps it for new landscapes";
}

void PlantEditor::revert() {
  Species& plant = shown();
  std::string text = plant.file.text;
  if (plant.text == plant.file.text) try {
      text = sim::landscape::program_plant(plant.file.name).text;
    } catch (const sim::Error& error) {
      error_ = error.what();
      return;
    }
  plant.text = text;
  ImGui::ClearActiveID();
  changed(true);
}

void PlantEditor::save() {
  jobs_.post(alive_, [this, index = index_, name = shown().file.name, text = shown().text]() -> JobQueue::Then {
    std::string path, error;
    try {
      path = sim::landscape::save_own_plant(name, text);
    } catch (const std::exception& wrong) {
      error = wrong.what();
    }
    return [this, index, name, text, path, error] {
      if (error.empty()) {
        species_[index].file = {name, text, path, true};
        told_ = "Saved as " + path;
      } else {
        // Another species may be shown by now, and nothing is wrong with its text.
        (index == index_ ? error_ : told_) = error;
      }
    };
  });
}

}  // namespace kinescope::app
