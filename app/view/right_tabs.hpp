// The tabs of the right panel: parameters, the view, and those that scenes and features add.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/scenes/contributions.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

class RightTabs {
 public:
  // Draws the titles, "Parameters" and "View" before those of `added`. Returns the chosen one of them, or null: one of
  // the first two.
  const Tab* choose(Ui& ui, const std::vector<const Tab*>& added) {
    std::vector<std::string> titles{"Parameters", "View"};
    std::size_t index = chosen_ == "View" ? 1 : 0;
    for (const Tab* tab : added) {
      titles.push_back(tab->title);
      const long calls = tab->calls ? tab->calls() : 0;
      if (std::exchange(calls_[tab->title], calls) != calls) chosen_ = tab->title;
      if (chosen_ == tab->title) index = titles.size() - 1;
    }
    segments(ui, "tab", "", "", titles, index);
    chosen_ = titles[index];
    const Tab* tab = index < 2 ? nullptr : added[index - 2];
    width_ = tab ? tab->width : 0;
    return tab;
  }
  void show(const std::string& title) { chosen_ = title; }
  bool parameters() const { return chosen_ == "Parameters"; }
  float width() const { return width_; }  // that the chosen tab requests
  void another_scene() { width_ = 0; }

 private:
  std::string chosen_ = "Parameters";
  float width_ = 0;
  std::map<std::string, long> calls_;  // of each tab, as last seen
};

}  // namespace kinescope::app
