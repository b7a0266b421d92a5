#include "kinescope/values.hpp"

#include <mutex>
#include <span>

#include "kinescope/executors/devices.hpp"

namespace kinescope::sim {

struct Values::OnDevice {
  const float* array;
  int device;
  std::once_flag once;
  LargeVector<float> in_host;

  OnDevice(const float* where, int number) : array(where), device(number) {}
};

Values Values::borrow_on_device(std::span<const float> array, int device, std::shared_ptr<const void> owner) {
  Values values;
  values.owner_ = std::move(owner);
  values.borrowed_size_ = array.size();
  values.on_device_ = std::make_shared<OnDevice>(array.data(), device);
  return values;
}

const float* Values::on_device(int device) const {
  return on_device_ && on_device_->device == device ? on_device_->array : nullptr;
}

const float* Values::fetched() const {
  OnDevice& on = *on_device_;
  std::call_once(on.once, [&] {
    LargeVector<float> numbers(borrowed_size_);
    fetch_from_device(on.device, on.array, std::as_writable_bytes(std::span(numbers)));
    on.in_host = std::move(numbers);
  });
  return on.in_host.data();
}

}  // namespace kinescope::sim
