#include "app/panels/file_dialog.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/ui/dialog.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

namespace fs = std::filesystem;

constexpr float entry_height = 24;

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? home : "/";
}

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

void draw_folder(ImDrawList* list, ImVec2 c, float u, ImU32 colour) {
  list->AddRectFilled({c.x - 6 * u, c.y - 5 * u}, {c.x - 0.5f * u, c.y}, colour, 1.5f * u);
  list->AddRectFilled({c.x - 6 * u, c.y - 3 * u}, {c.x + 6 * u, c.y + 5 * u}, colour, 1.5f * u);
}

}  // namespace

std::string typed_path(const std::string& typed) {
  if (typed == "~" || typed.starts_with("~/")) return home_folder() + typed.substr(1);
  return typed.starts_with('/') ? typed : "";
}

void FileDialog::open(const std::string& folder) {
  if (shown_ || system_.shown()) return;
  std::error_code error;
  folder_ = is_folder(folder) ? folder : fs::current_path(error).string();
  if (!system_.open(folder_)) browse(folder_);
}

void FileDialog::browse(const std::string& folder) {
  shown_ = appeared_ = true;
  typed_.clear();
  go(folder);
}

// Lists a folder in the background; the old list stays until the new one is complete.
void FileDialog::go(const std::string& folder, std::string select) {
  jobs_.post([this, number = ++listing_, folder, select = std::move(select)]() -> JobQueue::Then {
    std::vector<Entry> found;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
      std::error_code ignored;
      Entry entry{each->path().filename().string(), each->is_directory(ignored)};
      if (entry.name.starts_with('.')) continue;
      if (!entry.is_folder) entry.bytes = each->file_size(ignored);
      if (ignored) entry.bytes = 0;
      found.push_back(std::move(entry));
    }
    std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) {
      if (a.is_folder != b.is_folder) return a.is_folder;
      const std::string first = lower(a.name), second = lower(b.name);
      return first != second ? first < second : a.name < b.name;
    });
    return [this, number, folder, select, error, found = std::move(found)]() mutable {
      if (number != listing_) return;
      refused_ = error ? folder + ": " + error.message() : "";
      if (error) return;
      folder_ = folder;
      entries_ = std::move(found);
      select_ = select;
      typed_.clear();
      ++listed_;
      filter();
    };
  });
}

void FileDialog::filter() {
  matching_.clear();
  selected_ = 0;
  const std::string part = lower(typed_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (lower(entries_[i].name).find(part) == std::string::npos) continue;
    if (entries_[i].name == select_) selected_ = matching_.size();
    matching_.push_back(i);
  }
  select_.clear();
  scroll_ = true;
}

void FileDialog::choose(const Entry& entry) {
  const std::string path = (fs::path(folder_) / entry.name).string();
  if (entry.is_folder) return go(path);
  chosen_ = path;
  shown_ = false;
}

// Opens the path that was typed, if it is one; else the selected entry.
void FileDialog::enter() {
  if (const std::string path = typed_path(typed_); !path.empty()) {
    if (is_folder(path)) return go(path);
    chosen_ = path;  // if there is no such file, opening it says so
    shown_ = false;
  } else if (selected_ < matching_.size()) {
    choose(entries_[matching_[selected_]]);
  }
}

void FileDialog::keyboard() {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const auto move = [&](long steps) {
    const long last = std::max(0L, long(matching_.size()) - 1);
    selected_ = std::size_t(std::clamp(long(selected_) + steps, 0L, last));
    scroll_ = true;
  };
  if (pressed(ImGuiKey_DownArrow)) move(1);
  if (pressed(ImGuiKey_UpArrow)) move(-1);
  if (pressed(ImGuiKey_PageDown)) move(12);
  if (pressed(ImGuiKey_PageUp)) move(-12);
  const fs::path here(folder_);
  if (typed_.empty() && pressed(ImGuiKey_Backspace)) go(here.parent_path().string(), here.filename().string());
}

void FileDialog::draw(Ui& ui) {
  if (const auto answer = system_.take()) {
    chosen_ = answer->path;
    if (!chosen_.empty()) folder_ = fs::path(chosen_).parent_path().string();
    if (answer->failed) browse(folder_);
  }
  jobs_.poll();
  if (!shown_) return;
  if (!begin_dialog(ui, "file-dialog", {640, 560}, std::exchange(appeared_, false))) shown_ = false;
  keyboard();
  draw_head(ui);
  draw_entries(ui);
  end_dialog();
}

void FileDialog::draw_head(Ui& ui) {
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  heading(ui, "Open data");
  ImGui::SetCursorScreenPos({top.x + width - ui.px(32), top.y});
  if (icon_button(ui, "file-close", Icon::close, "Close (Esc)")) shown_ = false;
  ImGui::SetCursorScreenPos({top.x, top.y + ui.px(36)});
  const fs::path here(folder_);
  if (button(ui, "file-up", "Up", "To the folder above (Backspace)"))
    go(here.parent_path().string(), here.filename().string());
  ImGui::SameLine();
  if (button(ui, "file-home", "Home", "To your own folder")) go(home_folder());
  ImGui::SameLine();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string shown = refused_.empty() ? folder_ : refused_;
  put_text(ImGui::GetWindowDrawList(), ui.fonts.text,
           {at.x + ui.px(8), std::round(at.y + 0.5f * (ui.px(32) - ui.fonts.text->FontSize))},
           refused_.empty() ? ui.theme->ink_dim : ui.theme->warning,
           shortened(ui.fonts.text, shown, ImGui::GetContentRegionAvail().x - ui.px(8)));
  ImGui::Dummy({1, ui.px(32)});
  ui.ids.state("file-folder", folder_);
  const std::string before = typed_;
  if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  ImGui::PushID(listed_);  // a new ImGui id for each folder: an active text field would keep its old text
  const bool entered = text_field(ui, "file-filter", "Type to search this folder, or a path", "", typed_);
  ImGui::PopID();
  if (typed_ != before) filter();
  if (entered && shown_) enter();
}

void FileDialog::draw_entries(Ui& ui) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  ImGui::BeginChild("entries", {0, 0});
  const float height = ui.px(entry_height);
  if (std::exchange(scroll_, false)) {
    const float top = float(selected_) * height, room = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top + height > ImGui::GetScrollY() + room) ImGui::SetScrollY(top + height - room);
  }
  if (matching_.empty() && !jobs_.busy()) caption(ui, entries_.empty() ? "Nothing here" : "No name matches");
  ImGuiListClipper clipper;
  clipper.Begin(int(matching_.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Entry& entry = entries_[matching_[std::size_t(i)]];
      ImGui::PushID(i);
      const float width = ImGui::GetContentRegionAvail().x;
      const bool pressed = pressable("entry", {width, height});
      const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
      ImDrawList* list = ImGui::GetWindowDrawList();
      const bool now = std::size_t(i) == selected_, hovered = ImGui::IsItemHovered();
      if (now || hovered)
        list->AddRectFilled(low, high, hovered ? ui.theme->control_hovered : ui.theme->control, ui.px(corner));
      if (now) list->AddRectFilled({low.x, low.y + ui.px(4)}, {low.x + ui.px(2), high.y - ui.px(4)}, ui.theme->accent);
      if (entry.is_folder) draw_folder(list, {low.x + ui.px(18), 0.5f * (low.y + high.y)}, ui.scale, ui.theme->ink_dim);
      ImFont *text = ui.fonts.text, *small = ui.fonts.caption;
      const std::string bytes = entry.is_folder ? "" : sim::bytes_text(entry.bytes);
      const float bytes_width = width_of(small, bytes), left = low.x + ui.px(32);
      const float y = std::round(low.y + 0.5f * (height - text->FontSize));
      put_text(list, text, {left, y}, ui.theme->ink,
               shortened(text, entry.name, high.x - bytes_width - ui.px(24) - left));
      put_text(list, small, {high.x - bytes_width - ui.px(8), y + ui.px(1)}, ui.theme->ink_dim, bytes);
      ui.ids.last_item(("file." + entry.name).c_str());
      ImGui::PopID();
      if (pressed) {
        selected_ = std::size_t(i);
        choose(entry);
        break;
      }
    }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace kinescope::app
