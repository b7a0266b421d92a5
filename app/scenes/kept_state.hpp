// What a session keeps of the view, as texts. The same lines write and read it:
//
//   void keep_state(KeptState& state) override {
//     state.number("opacity", 0.02, 1, opacity_);
//     state.on_off("edges", edges_);
//   }
//
// A value stays as it is if its text is missing or cannot be read: a session of another version must not spoil a view.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "render/camera.hpp"

namespace kinescope::app {

using Texts = std::map<std::string, std::string>;

class KeptState {
 public:
  static KeptState writing() { return KeptState(false, {}); }
  static KeptState reading(Texts texts) { return KeptState(true, std::move(texts)); }

  bool reads() const { return reads_; }
  const Texts& texts() const { return texts_; }

  void number(const char* key, double low, double high, double& value);
  void on_off(const char* key, bool& on);
  // One of these names, by its index.
  void option(const char* key, const std::vector<std::string>& names, std::size_t& index);
  // Any text; true if it was read.
  bool text(const std::string& key, std::string& value);
  // "camera", and whether it follows the run; read only if it has as many dimensions. True if it was read.
  bool camera(render::Camera& camera);

 private:
  KeptState(bool reads, Texts texts) : reads_(reads), texts_(std::move(texts)) {}

  const bool reads_;
  Texts texts_;
};

}  // namespace kinescope::app
