#include "app/view/timings/timings_tab.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <utility>

#include "app/panels/data_panel.hpp"
#include "app/plot/plot_axis.hpp"
#include "app/view/recording/screenshot.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t most_shown = Timings::window;

// What a frame spent its time on. The first five fill it; the last two go on beside it, on other processors.
struct Share {
  const char* name;
  const char* help;
  double (*ms)(const RecordedFrame&);
  bool beside = false;
};
constexpr Share shares[] = {
    {"Panels", "Drawing the panels and the legend", [](const RecordedFrame& f) { return f.timing.panels_ms; }},
    {"Upload", "Copying what the simulation published", [](const RecordedFrame& f) { return f.timing.upload_ms; }},
    {"Drawing",
     "Issuing the commands that draw the picture; with software OpenGL, all of the drawing. A GPU draws meanwhile",
     [](const RecordedFrame& f) { return f.drawing_ms; }},
    {"Other work", "Events, runs that take over, files that are written, films",
     [](const RecordedFrame& f) { return f.other_ms; }},
    {"Waiting", "For the display, or until the next frame is due", [](const RecordedFrame& f) { return f.waiting_ms; }},
    {"Simulation", "What the simulation computed since the frame before, on threads of its own or on the GPU",
     [](const RecordedFrame& f) { return f.timing.sim_ms; }, true},
    {"Graphics",
     "OpenGL's time for the frame; on CUDA with the simulation's. Software OpenGL draws on the window's thread",
     [](const RecordedFrame& f) { return f.timing.gpu_ms; }, true}};
constexpr std::size_t filling = 5, drawn_by_gpu = 6;

// Waiting is no work, so it has no colour of its own.
ImU32 colour_of(const Ui& ui, std::size_t share) {
  if (share == filling - 1) return ui.theme->control_hovered;
  if (share == filling) return ui.theme->ink;
  constexpr std::size_t colours[] = {1, 3, 2, 0, 0, 0, 6};
  return pack(render::class_colours(8, ui.theme->variant)[colours[share]]);
}

std::string ms_of(double ms) {
  return fmt::format("{:.1f}", ms);
}

std::string events_of(const RecordedFrame& frame) {
  std::string text;
  for (const auto& [event, words] : frame_events)
    if (frame.events & static_cast<unsigned>(event)) text += (text.empty() ? "" : ", ") + std::string(words);
  return upper_first(text);
}

std::string all_of(const RecordedFrame& frame, bool software) {
  std::string text = fmt::format("Frame {}: {} ms, {}", sim::with_commas(frame.number), ms_of(frame.timing.frame_ms),
                                 sim::count_of(std::size_t(frame.timing.iterations), "iteration"));
  for (const Share& share : shares)
    text += fmt::format("\n{} {}{}", share.name, ms_of(share.ms(frame)),
                        share.beside && !(software && &share == shares + drawn_by_gpu) ? " (meanwhile)" : "");
  const std::string events = events_of(frame);
  return events.empty() ? text : text + "\n" + events;
}

std::vector<double> values_of(std::span<const RecordedFrame> frames, const Share& share) {
  std::vector<double> values;
  std::ranges::transform(frames, std::back_inserter(values), share.ms);
  return values;
}

}  // namespace

TimingsTab::TimingsTab(FrameTimes& times, Saving& saving, Opening& opening, JobQueue& jobs)
    : times_(times), saving_(saving), opening_(opening), jobs_(jobs) {
  adds_.tabs = {{"Frames", [this](Ui& ui) { draw(ui); }, [this] { return open_; }, [this] { return calls_; }}};
  adds_.close = [this] { return std::exchange(open_, false); };
}

void TimingsTab::draw(Ui& ui) {
  draw_chart(ui);
  draw_percentiles(ui);
  draw_buttons(ui);
  if (!compared_.empty()) draw_compared(ui);
  draw_longest(ui);
}

// A bar for each frame, the latest at the right. A bar that is too long is cut off at the top.
void TimingsTab::draw_chart(Ui& ui) {
  const std::deque<RecordedFrame>& all = times_.record().frames();
  const float width = ImGui::GetContentRegionAvail().x, bar = std::max(1.f, ui.px(1));
  ImGui::Dummy({width, ui.px(112)});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImVec2 below = ImGui::GetCursorScreenPos();
  button_over(ui, "frames.chart", low, high);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::SetCursorScreenPos(below);
  if (all.empty()) return;
  if (!std::exchange(held_, hovered) || end_ > all.back().number + 1) end_ = all.back().number + 1;
  const std::size_t end = end_ < all.front().number ? 0 : end_ - all.front().number;
  const std::size_t count = std::min({most_shown, end, std::size_t(width / bar)});
  const std::vector<RecordedFrame> shown(all.begin() + std::ptrdiff_t(end - count), all.begin() + std::ptrdiff_t(end));
  if (shown.empty()) return;

  std::vector<double> frame_ms, work_ms;
  for (const RecordedFrame& frame : shown) {
    frame_ms.push_back(frame.timing.frame_ms);
    work_ms.push_back(std::max(frame.work_ms(), frame.timing.sim_ms));
  }
  // Most of the work fits; waiting between idle frames, and single long ones, would leave nothing of the others.
  const double work = std::max(1.0, 1.25 * percentiles(work_ms).p95);
  const double top = std::max(work, std::min(1.25 * percentiles(frame_ms).p50, 3 * work));
  const auto height_of = [&](double ms) { return (high.y - low.y) * float(std::min(ms / top, 1.0)); };
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(low, high, true);
  const float left = high.x - bar * float(shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const float x = left + bar * float(i);
    double sum = 0;
    for (std::size_t share = 0; share < filling; ++share) {
      const double before = std::exchange(sum, sum + shares[share].ms(shown[i]));
      if (sum > before)
        list->AddRectFilled({x, high.y - height_of(sum)}, {x + bar, high.y - height_of(before)}, colour_of(ui, share));
    }
  }
  for (std::size_t share = filling; share < std::size(shares); ++share) {
    if (share == drawn_by_gpu && times_.software()) continue;  // it is in the bars
    std::vector<ImVec2> line;
    for (std::size_t i = 0; i < shown.size(); ++i)
      line.push_back({left + bar * (float(i) + 0.5f), high.y - height_of(shares[share].ms(shown[i]))});
    list->AddPolyline(line.data(), int(line.size()), colour_of(ui, share), 0, std::max(1.f, 1.5f * ui.scale));
  }
  const AxisTicks ticks = ticks_within(0, top, 4);
  for (const double value : ticks.major) {
    if (value <= 0 || height_of(value) > high.y - low.y - ui.px(8)) continue;
    const float y = std::round(high.y - height_of(value));
    const std::string text = tick_label(ticks, value) + " ms";
    const float words = width_of(ui.fonts.caption, text) + ui.px(8);
    list->AddRectFilled({low.x, y - ui.px(8)}, {low.x + words, y + ui.px(8)}, ui.theme->panel, ui.px(corner));
    list->AddLine({low.x + words, y}, {high.x, y}, ui.theme->line);
    put_text(list, ui.fonts.caption, {low.x, y - 0.5f * ui.fonts.caption->FontSize}, ui.theme->ink_dim, text);
  }
  list->PopClipRect();
  list->AddLine({low.x, high.y}, high, ui.theme->ink_dim);
  const float place = (ImGui::GetIO().MousePos.x - left) / bar;
  if (!hovered || place < 0 || place >= float(shown.size())) return;
  const float x = left + bar * std::floor(place);
  list->AddRect({x - 1, low.y}, {x + bar + 1, high.y}, ui.theme->ink);
  // Beside the panel, which it would otherwise hide.
  ImGui::SetNextWindowPos({low.x - ui.px(24), low.y}, ImGuiCond_Always, {1, 0});
  tell_at_mouse(ui, all_of(shown[std::size_t(place)], times_.software()));
}

void TimingsTab::draw_percentiles(Ui& ui) const {
  const std::deque<RecordedFrame>& all = times_.record().frames();
  const std::vector<RecordedFrame> last(all.end() - std::ptrdiff_t(std::min(most_shown, all.size())), all.end());
  ImFont* font = ui.fonts.caption;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = ImGui::GetContentRegionAvail().x, column = std::min(ui.px(48), width / 5);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const auto row = [&](const std::string& name, const std::array<std::string, 3>& cells, ImU32 ink) {
    ImGui::Dummy({width, ui.px(20)});
    const ImVec2 at = ImGui::GetItemRectMin();
    put_text(list, font, {at.x + ui.px(16), at.y + ui.px(3)}, ui.theme->ink_dim, name);
    for (std::size_t i = 0; i < 3; ++i)
      put_text(list, font,
               {std::round(at.x + width - column * float(2 - i) - width_of(font, cells[i])), at.y + ui.px(3)}, ink,
               cells[i]);
    return at;
  };
  const auto cells_of = [](const Percentiles& p) {
    return std::array<std::string, 3>{ms_of(p.p50), ms_of(p.p95), ms_of(p.p99)};
  };
  row(fmt::format("ms, last {}", last.size()), {"p50", "p95", "p99"}, ui.theme->ink_dim);
  for (std::size_t i = 0; i < std::size(shares); ++i) {
    const ImVec2 at = row(shares[i].name, cells_of(percentiles(values_of(last, shares[i]))), ui.theme->ink);
    help_for_last_item(ui, shares[i].help);
    const ImVec2 middle{at.x + ui.px(5), at.y + ui.px(10)};
    if (i < filling)
      list->AddRectFilled({middle.x - ui.px(5), middle.y - ui.px(5)}, {middle.x + ui.px(5), middle.y + ui.px(5)},
                          colour_of(ui, i), ui.px(1));
    else if (i != drawn_by_gpu || !times_.software())
      list->AddLine({middle.x - ui.px(5), middle.y}, {middle.x + ui.px(5), middle.y}, colour_of(ui, i), ui.px(2));
  }
  row("Whole frame",
      cells_of(percentiles(values_of(last, {"", "", [](const RecordedFrame& f) { return f.timing.frame_ms; }}))),
      ui.theme->ink);
  ImGui::PopStyleVar();
}

void TimingsTab::draw_longest(Ui& ui) const {
  heading(ui, "Longest frames", "by work, in ms");
  ImFont* font = ui.fonts.caption;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const RecordedFrame& frame : times_.record().longest()) {
    const auto* most = std::max_element(shares, shares + filling - 1,
                                        [&](const Share& a, const Share& b) { return a.ms(frame) < b.ms(frame); });
    const std::string events = events_of(frame);
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy({width, ui.px(events.empty() ? 20 : 36)});
    const ImVec2 at = ImGui::GetItemRectMin();
    help_for_last_item(ui, all_of(frame, times_.software()).c_str());
    const std::string work = ms_of(frame.work_ms());
    put_text(list, font, {at.x, at.y + ui.px(2)}, ui.theme->ink_dim,
             shortened(font,
                       fmt::format("Frame {}: {} {}", sim::with_commas(frame.number), lower_first(most->name),
                                   ms_of(most->ms(frame))),
                       width - width_of(font, work) - ui.px(8)));
    put_text(list, font, {at.x + width - width_of(font, work), at.y + ui.px(2)}, ui.theme->ink, work);
    if (!events.empty())
      put_text(list, font, {at.x + ui.px(8), at.y + ui.px(18)}, ui.theme->ink,
               shortened(font, events, width - ui.px(8)));
  }
}

void TimingsTab::draw_buttons(Ui& ui) {
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ui.px(8));
  const std::size_t count = times_.record().frames().size();
  const std::string what = sim::count_of(count, "frame");
  gap(ui);
  if (button(ui, "frames.save", "Save timings",
             ("Save the times of the " + what +
              " recorded so far as CSV, as --timings does. Then a new recording begins, so that what follows can be "
              "compared with them")
                 .c_str(),
             ButtonKind::plain, half, count > 0))
    save();
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "frames.again", "Record again",
             ("Forget the " + what + " recorded so far, and record those that follow").c_str(), ButtonKind::plain, half,
             count > 0))
    times_.record().begin_anew();
  if (button(ui, "frames.compare", "Compare with …", "Compare the frames recorded so far with a file of timings",
             ButtonKind::plain, half, count > 0))
    opening_.ask([this](const std::string& path) { compare(path); });
  ImGui::SameLine(0, ui.px(8));
  if (button(
          ui, "frames.compare-saved", "With last saved",
          saved_.empty() ? "Nothing has been saved yet" : ("Compare the frames recorded so far with " + saved_).c_str(),
          ButtonKind::plain, half, count > 0 && !saved_.empty()))
    compare(saved_);
}

void TimingsTab::draw_compared(Ui& ui) const {
  heading(ui, "Compared with");
  caption(ui, short_name(compared_).c_str());
  caption(ui, told_.empty() ? "Comparing …" : told_.c_str());
  ui.ids.state("frames.told", told_.empty() ? "none" : told_);
  if (!comparison_) return;
  for (const ComparedPart& each : comparison_->parts) {
    if (!each.median.known()) continue;
    fact(ui, each.part->name, verdict(each.median, true));
    help_for_last_item(ui, fmt::format("{}: median {} ms there, {} ms here: {}", each.part->name, ms_of(each.a.p50),
                                       ms_of(each.b.p50), verdict(each.median))
                               .c_str());
  }
  for (const std::string& note : comparison_->notes) caption(ui, note.c_str());
}

RecordedTimings TimingsTab::recorded() const {
  return {render::timer_kind_name(times_.gpu_timer().kind()), times_.record().timings()};
}

void TimingsTab::save() {
  const std::string path = new_file_name(saving_.folder(), ".timings.csv");
  saving_.in_background(path, [path, recorded = recorded()] {
    TimingsFile file(path, recorded.timer);
    for (const FrameTiming& frame : recorded.frames) file.add(frame);
    file.finish();
  });
  saved_ = path;
  times_.record().begin_anew();
}

void TimingsTab::compare(const std::string& path) {
  compared_ = path;
  comparison_.reset();
  told_.clear();
  jobs_.post([this, path, present = recorded()]() -> JobQueue::Then {
    std::optional<TimingsComparison> comparison;
    const std::string failure = error_of(
        [&] { comparison = compare_timings(read_timings(path), present, short_name(path), "The present frames"); });
    return [this, path, comparison = std::move(comparison), failure] {
      if (path != compared_) return;
      comparison_ = comparison;
      told_ = comparison ? comparison->overall("The present frames") : failure;
    };
  });
}

}  // namespace kinescope::app
