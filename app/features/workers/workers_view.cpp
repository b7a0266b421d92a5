#include "app/features/workers/workers_view.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <imgui.h>
#include <utility>

#include "render/points/point_cloud.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double slot = 0.1;  // seconds
constexpr std::size_t most_slots = 60;
constexpr const char* part_names[] = {"computing", "combining", "waiting"};

}  // namespace

void WorkerColours::update(const PointView& view) {
  if (view.colour_choice != colouring()) return;
  std::vector<Part> parts;
  if (const auto* workers = view.snapshot.find<sim::KMeansWorkers>())
    for (const sim::KMeansWorker& each : workers->workers) parts.push_back({each.number, each.first, each.rows});
  if (colours_ && parts == parts_ && colours_->classes.size() == view.points.count) return;
  const auto none = std::uint32_t(parts.size());
  auto made = std::make_shared<Colouring>();
  made->by = render::ColourBy::classes;
  made->title = "worker";
  made->classes.assign(view.points.count, none);
  std::size_t rest = view.points.count;
  for (const Part& part : parts) {
    std::fill_n(made->classes.begin() + std::ptrdiff_t(part.first), part.rows, std::uint32_t(made->class_names.size()));
    made->class_names.push_back(std::to_string(part.worker));
    made->class_counts.push_back(std::size_t(part.rows));
    rest -= std::size_t(part.rows);
  }
  if (rest > 0) {
    made->class_names.emplace_back("none");
    made->class_counts.push_back(rest);
  }
  parts_ = std::move(parts);
  colours_ = std::move(made);
}

void WorkerStrips::update(sim::KMeansWorkers now, double seconds, std::int64_t points) {
  strips_.resize(now.workers.size());
  slot_seconds_ += seconds;
  missing_ = points;
  for (const sim::KMeansWorker& each : now.workers) missing_ -= each.rows;
  now_ = std::move(now);
  if (slot_seconds_ < slot) return;
  slot_seconds_ = 0;
  for (std::size_t k = 0; k < strips_.size(); ++k) {
    Strip& strip = strips_[k];
    const sim::KMeansWorker& worker = now_.workers[k];
    Shares shares{float(worker.computing - strip.before.computing), float(worker.combining - strip.before.combining),
                  float(worker.waiting - strip.before.waiting)};
    const float whole = shares[0] + shares[1] + shares[2];
    if (!worker.works)
      shares = {};
    else if (whole > 0)
      for (float& share : shares) share /= whole;
    else if (!strip.slots.empty())
      shares = strip.slots.back();  // a pass that takes longer than a slot is reported only when it ends
    strip.slots.push_back(shares);
    if (strip.slots.size() > most_slots) strip.slots.pop_front();
    strip.before = worker;
  }
}

void WorkerStrips::draw(Ui& ui) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImFont* font = ui.fonts.caption;
  const float line = font->FontSize + ui.px(4);
  const std::array<ImU32, 3> colours{ui.theme->accent, pack(render::class_colours(2, ui.theme->variant)[0]),
                                     ui.theme->control_hovered};
  float x = origin.x;
  for (std::size_t part = 0; part < 3; ++part) {
    const float side = ui.px(8), middle = origin.y + 0.5f * (font->FontSize - side);
    list->AddRectFilled({x, std::round(middle)}, {x + side, std::round(middle) + side}, colours[part]);
    write_text(list, font, {x + ui.px(14), origin.y}, ui.theme->ink_dim, part_names[part]);
    x += ui.px(14) + width_of(font, part_names[part]) + ui.px(16);
  }
  const float top = origin.y + line, bottom = origin.y + room.y - line, least = ui.px(14);
  const std::size_t shown = std::min(std::size_t(std::max(0.f, (bottom - top) / least)), strips_.size());
  const bool has_rows = std::ranges::any_of(now_.workers, [](const auto& worker) { return worker.rows > 0; });
  std::string outcome = strips_.empty()            ? "No worker has joined yet"
                        : missing_ > 0 && has_rows ? sim::count_of(std::size_t(missing_), "row") + " left out"
                                                   : "Same result as with one process";
  if (shown < strips_.size()) outcome += fmt::format(" · {} more workers", strips_.size() - shown);
  write_text(list, font, {origin.x, origin.y + room.y - font->FontSize}, ui.theme->ink_dim, outcome);
  if (shown == 0) return;
  const float pitch = std::min((bottom - top) / float(shown), 1.4f * line), label = ui.px(24), figure = ui.px(44);
  std::string told;
  for (std::size_t k = 0; k < shown; ++k) {
    const Strip& strip = strips_[k];
    const float y = top + pitch * float(k), height = std::round(pitch - ui.px(pitch < line ? 2 : 4));
    const float text = y + 0.5f * (height - font->FontSize);
    const ImVec2 low{origin.x + label, std::round(y)}, high{origin.x + room.x - figure, low.y + height};
    write_text(list, font, {origin.x, text}, ui.theme->ink, std::to_string(now_.workers[k].number));
    list->AddRectFilled(low, high, ui.theme->control);
    const float width = (high.x - low.x) / float(most_slots);
    for (std::size_t s = 0; s < strip.slots.size(); ++s) {
      const float right = high.x - width * float(strip.slots.size() - 1 - s);
      float base = high.y;
      for (std::size_t part = 0; part < 3; ++part) {
        const float next = base - height * strip.slots[s][part];
        if (base - next > 0.25f) list->AddRectFilled({right - width, next}, {right, base}, colours[part]);
        base = next;
      }
    }
    const sim::KMeansWorker& worker = now_.workers[k];
    const double whole = worker.computing + worker.combining + worker.waiting;
    const double part = whole > 0 ? 100 * worker.computing / whole : 0;
    const std::string share = !worker.works            ? "lost"
                              : whole <= 0             ? ""
                              : part > 0 && part < 0.5 ? "< 1 %"  // at a slow pace the workers mostly wait
                                                       : fmt::format("{:.0f} %", part);
    write_text(list, font, {high.x + ui.px(8), text}, worker.works ? ui.theme->ink : ui.theme->warning, share);
    told += (told.empty() ? "" : "|") + std::to_string(worker.number) + " " + share;
  }
  button_over(ui, "workers", {origin.x, top}, {origin.x + room.x, bottom});
  ui.ids.state("workers", told);
  if (!ImGui::IsItemHovered()) return;
  const auto over = std::size_t(std::max(0.f, (ImGui::GetIO().MousePos.y - top) / pitch));
  if (over >= shown) return;
  const sim::KMeansWorker& worker = now_.workers[over];
  tell_at_mouse(ui, fmt::format("Worker {}, {}\n{}\ncomputing {:.3g} s, combining {:.3g} s, waiting {:.3g} s",
                                worker.number, worker.device.empty() ? "on the CPU" : worker.device,
                                sim::count_of(std::size_t(worker.rows), "row"), worker.computing, worker.combining,
                                worker.waiting));
}

}  // namespace kinescope::app
