#include "app/view/session.hpp"

#include <new>
#include <utility>

#include "sim/core/error.hpp"

namespace kinescope::app {

Session::Session(const sim::SimulationKind& kind, std::unique_ptr<sim::ParameterSet> parameters,
                 const SessionOptions& options)
    : kind_(kind), parameters_(std::move(parameters)), options_(options) {}

Session::~Session() { cancel(); }

void Session::open(sim::DataRequest request) {
  std::string name = request.source;
  make(std::move(request), nullptr, std::move(name));
}

void Session::remake() {
  if (data_ || kind_.default_data.empty()) make(request_, data_, kind_.title);
}

void Session::cancel() {
  if (loading_) loading_->cancelled = true;
  loading_.reset();
}

// Without `data` the request is loaded first. The result counts only if no later request has replaced this one.
void Session::make(sim::DataRequest request, std::shared_ptr<const sim::Dataset> data, std::string name) {
  cancel();
  loading_ = std::make_shared<sim::LoadProgress>();
  loading_name_ = std::move(name);
  std::shared_ptr<sim::ParameterSet> parameters = kind_.make_parameters();
  parameters->copy_values(*parameters_);
  background_.post([this, request = std::move(request), data = std::move(data), parameters,
                    progress = loading_]() -> Background::Then {
    auto made = std::make_shared<Made>();
    made->request = request;
    try {
      if (progress->cancelled) return {};
      made->data = data;
      if (!data && !request.source.empty()) made->data = sim::load_dataset(request, progress.get());
      sim::Setup setup = options_.setup;
      setup.data = made->data;
      made->simulation = kind_.make(setup, *parameters);
    } catch (const sim::Cancelled&) {
      return {};
    } catch (const sim::Error& error) {
      made->error = error.what();
    } catch (const std::bad_alloc&) {
      made->error = request.source + ": out of memory: try fewer columns";
    } catch (const std::exception&) {
      made->error = request.source + ": cannot be opened";
    }
    return [this, made, progress] {
      if (loading_ != progress) return;
      loading_.reset();
      take_over(*made);
    };
  });
  if (options_.wait) background_.drain();
}

void Session::take_over(Made& made) {
  if (!made.error.empty()) {
    error_ = made.error;
    return;
  }
  try {
    render::SharedBuffersOptions shared;
    shared.memory = made.simulation->backend() == sim::Backend::cuda ? sim::MemoryKind::device : sim::MemoryKind::host;
    shared.cuda_device = options_.setup.device;
    shared.wait_for_copies = options_.runner.steps > 0;
    auto buffers = render::SharedBuffers::make(shared);
    auto runner = std::make_unique<Runner>(std::move(made.simulation), *buffers, options_.runner);
    if (runner_) {
      runner_->request_stop();
      old_.push_back({std::move(buffers_), std::move(runner_)});
    }
    buffers_ = std::move(buffers);
    runner_ = std::move(runner);
  } catch (const sim::Error& error) {
    error_ = error.what();
    return;
  }
  new_data_ = new_data_ || data_ != made.data;
  data_ = made.data;
  request_ = made.request;
  taken_over_ = true;
}

bool Session::poll(bool& new_data) {
  background_.poll();
  std::erase_if(old_, [](Old& old) {
    if (!old.runner->stopped()) return false;
    old.runner.reset();
    return true;
  });
  new_data = std::exchange(new_data_, false);
  return std::exchange(taken_over_, false);
}

}  // namespace kinescope::app
