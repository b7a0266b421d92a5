#include "sim/data/readers/points/point_cloud.hpp"

#include <array>
#include <string_view>

#include "sim/data/text.hpp"

namespace kinescope::sim {

void let_places_take_part(Table& table) {
  static constexpr std::array<std::string_view, 3> places = {"x", "y", "z"};
  const auto is_place = [](const Column& column) {
    for (const std::string_view each : places)
      if (equals_ignoring_case(column.name, each)) return true;
    return false;
  };
  std::size_t found = 0;
  for (const Column& column : table.columns) found += is_place(column);
  if (found != places.size() || table.columns.size() == found) return;
  for (Column& column : table.columns) column.annotates = !is_place(column);
  table.remarks.emplace_back(
      "a point cloud: distances are computed from x, y and z, and from other columns if --columns names them");
}

}  // namespace kinescope::sim
