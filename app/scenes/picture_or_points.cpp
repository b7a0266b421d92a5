#include "app/scenes/picture_or_points.hpp"

namespace kinescope::app {

void PictureOrPoints::set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters) {
  const bool picture = data && data->picture;
  std::unique_ptr<Scene>& scene = picture ? picture_ : points_;
  if (!scene) scene = picture ? make_picture_() : make_points_();
  now_ = scene.get();
  now_->set_data(std::move(data), parameters);
}

}  // namespace kinescope::app
