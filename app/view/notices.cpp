#include "app/view/notices.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

namespace kinescope::app {

void Notices::say(const std::string& notice) {
  notice_ = notice;
  notice_seconds_ = 4;
}

void Notices::complain(const sim::Error& error) {
  banner_ = error.what();
  remedies_ = error.remedies();
  answers_.clear();
}

void Notices::ask(const std::string& question, std::vector<Answer> answers) {
  banner_ = question;
  remedies_.clear();
  answers_ = std::move(answers);
}

void Notices::dismiss() {
  banner_.clear();
  remedies_.clear();
  answers_.clear();
}

void Notices::pass(double seconds) {
  notice_seconds_ -= seconds;
  if (notice_seconds_ <= 0) notice_.clear();
}

void Notices::make_room(const Ui& ui, Box& picture) const {
  if (banner_.empty()) return;
  const float height = std::min(ui.px(48), picture.height - 1);
  picture.y += height;
  picture.height -= height;
}

std::vector<Notices::Offer> Notices::offers(const Ui& ui) const {
  std::vector<Offer> offers;
  const auto offer = [&](const std::string& text, const char* help) {
    offers.push_back({text, help, width_of(ui.fonts.text, text) + ui.px(32)});
  };
  for (const Answer& each : answers_) offer(each.text, each.help);
  for (const sim::Remedy& each : remedies_)
    offer(each.text.empty() ? "Use " + each.parameter + " = " + each.value : each.text,
          !each.columns.empty() ? "Open the data without this column"
          : each.reopens()      ? "Open the file again, read in this way"
                                : "Set the parameter to this value and continue");
  return offers;
}

// The text is set in one line, else in two lines of a smaller font, else it is shortened.
void Notices::draw_text(Ui& ui, const Box& box, float width, ImU32 colour) const {
  ImFont* font = ui.fonts.text;
  const auto height_of = [&](float wrap) { return font->CalcTextSizeA(font->FontSize, 1e9f, wrap, banner_.c_str()).y; };
  float wrap = 0;
  std::string fits = shortened(font, banner_, width);
  if (fits != banner_) {
    font = ui.fonts.caption;
    if (height_of(width) <= 2.5f * font->FontSize)
      fits = banner_, wrap = width;
    else
      fits = shortened(font, banner_, width);
  }
  const float height = wrap > 0 ? height_of(wrap) : font->FontSize;
  ImGui::GetWindowDrawList()->AddText(font, font->FontSize,
                                      {box.x + ui.px(16), box.y + std::round(0.5f * (box.height - height))}, colour,
                                      fits.c_str(), nullptr, wrap);
  ImGui::SetCursorScreenPos(box.low());
  ImGui::Dummy({width, box.height});
  if (fits != banner_) help_for_last_item(ui, banner_.c_str());
}

std::optional<sim::Remedy> Notices::draw(Ui& ui, const Box& picture) {
  if (banner_.empty()) return std::nullopt;
  std::optional<sim::Remedy> remedy;
  std::function<void()> act;
  const Box box{picture.x, picture.y - ui.px(48), picture.width, ui.px(48)};
  begin_fixed("banner", box, ImGuiWindowFlags_NoScrollbar);
  const ImU32 colour = answers_.empty() ? ui.theme->warning : ui.theme->accent;
  ImGui::GetWindowDrawList()->AddRectFilled(box.low(), {box.x + ui.px(4), box.y + box.height}, colour);
  const std::vector<Offer> buttons = offers(ui);
  float buttons_width = 0;
  for (const Offer& each : buttons) buttons_width += each.width + ui.px(8);
  draw_text(ui, box, box.width - ui.px(16 + 8 + 32 + 16) - buttons_width, colour);
  ui.ids.widget("banner", box.low(), box.high());
  ImGui::SetCursorScreenPos({box.x + box.width - ui.px(40), box.y + ui.px(8)});
  bool dismissed = icon_button(ui, "dismiss", Icon::close, "Dismiss (Esc)");
  float left = box.x + box.width - ui.px(40) - buttons_width;
  for (std::size_t i = 0; i < buttons.size(); ++i) {
    const std::string id = i == 0 ? "remedy" : fmt::format("remedy.{}", i + 1);
    ImGui::SetCursorScreenPos({left, box.y + ui.px(8)});
    left += buttons[i].width + ui.px(8);
    if (!button(ui, id.c_str(), buttons[i].text.c_str(), buttons[i].help,
                i == 0 ? ButtonKind::primary : ButtonKind::plain, buttons[i].width))
      continue;
    if (answers_.empty())
      remedy = remedies_[i];
    else
      act = answers_[i].act;
    dismissed = true;
  }
  if (dismissed) dismiss();
  ImGui::End();
  if (act) act();
  return remedy;
}

void Notices::report(TestIds& ids) const {
  ids.state("banner", banner_.empty() ? "none" : banner_);
  ids.state("notice", notice_.empty() ? "none" : notice_);
}

}  // namespace kinescope::app
