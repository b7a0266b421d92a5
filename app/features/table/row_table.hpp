// Draws rows of the data as a table: the number of each row, then its cells as the file has them. Only what is in sight
// is drawn, and what is scrolled are rows and columns instead of pixels: tables of Dear ImGui have at most 64 columns,
// and its pixels are floats, which no longer tell rows apart after some hundred thousand.
#pragma once

#include <imgui.h>
#include <optional>
#include <vector>

#include "app/features/table/row_order.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

class RowTable {
 public:
  struct Clicked {
    std::optional<std::uint32_t> row;
    std::optional<std::size_t> header;  // of this column
  };
  // Uses the available width.
  Clicked draw(Ui& ui, const Arrangement& rows, const ChosenRows& chosen, float height);
  void show_place(std::size_t place) { wanted_ = place; }  // scrolls there, if the place is not in sight
  void forget() { *this = {}; }                            // call when there are other data

 private:
  float width_of_column(Ui& ui, const sim::Dataset& data, std::size_t column);
  void scroll(Ui& ui, const Arrangement& rows, ImVec2 low, ImVec2 high, float row_height, float numbers);
  void draw_header(Ui& ui, const Arrangement& rows, ImVec2 low, float right, float height, float numbers,
                   Clicked& clicked);
  void draw_row(Ui& ui, const Arrangement& rows, const ChosenRows& chosen, std::uint32_t row, ImVec2 low, ImVec2 high,
                float numbers, Clicked& clicked);

  ImS64 first_ = 0, first_column_ = 0;  // in sight; ImGui's scroll bars take this type
  std::vector<float> widths_;           // [columns], in pixels; 0: not known yet
  float scale_ = 0;                     // with which they were measured
  std::optional<std::size_t> wanted_;
};

}  // namespace kinescope::app
