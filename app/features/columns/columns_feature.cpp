// In the data panel: which column is the label, and a list of all columns, in which their uses and types are chosen.
#include <algorithm>

#include "app/features/columns/column_list.hpp"
#include "app/features/feature.hpp"
#include "sim/data/choose.hpp"

namespace kinescope::app {
namespace {

class ColumnsFeature : public Feature {
 public:
  ColumnsFeature() {
    adds_.sections = {{Section::Place::data, [this](Ui& ui) { draw_label(ui); }},
                      {Section::Place::below_data, [this](Ui& ui) { draw_list(ui); }}};
  }

  void begin_run(const BegunRun& run) override {
    if (!run.data) return;
    request_ = run.request;
    if (run.data == data_) return;
    data_ = run.data;
    list_.set(data_, request_);
    labels_ = {std::string(sim::no_label)};
    for (const sim::Column& column : data_->table.columns) labels_.push_back(column.name);
  }

 private:
  void draw_label(Ui& ui) {
    if (labels_.size() < 2) return;
    const auto at = std::ranges::find(labels_, data_->label_name);
    std::size_t index = at == labels_.end() ? 0 : std::size_t(at - labels_.begin());
    if (!choice(ui, "label", "Label",
                "The column with the classes; a column that is chosen here is not used for distances", labels_, index))
      return;
    requests_.open = request_;
    requests_.open->label = labels_[index];
    std::erase(requests_.open->columns, labels_[index]);
  }

  void draw_list(Ui& ui) {
    const std::string title = list_.title();
    if (title.empty()) return;
    if (button(ui, "columns", title.c_str(), "What each column contains, and which columns are used for distances",
               ButtonKind::plain, -1)) {
      open_ = !open_;
      if (open_) ImGui::SetScrollHereY(0);  // the list needs the room below
    }
    if (!open_) return;
    if (auto wish = list_.draw(ui, 0.5f * ImGui::GetIO().DisplaySize.y)) requests_.open = std::move(wish);
  }

  std::shared_ptr<const sim::Dataset> data_;  // that labels_ and list_ describe
  sim::DataRequest request_;                  // with which they were opened
  std::vector<std::string> labels_;
  ColumnList list_;
  bool open_ = false;
};

}  // namespace

FeatureKind columns_feature() {
  return {.make = [](const SceneSetup&) -> std::unique_ptr<Feature> { return std::make_unique<ColumnsFeature>(); }};
}

}  // namespace kinescope::app
