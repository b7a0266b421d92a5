#include "app/ui/gui.hpp"

#include <backends/imgui_impl_opengl3.h>

#include "kinescope/error.hpp"

namespace kinescope::app {

Gui::Gui(float scale, render::Background variant) : scale_(scale), variant_(variant) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the program stores its own settings
  io.LogFilename = nullptr;
  io.MouseDoubleClickTime = 0.4f;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  fonts_ = load_fonts(*io.Fonts, scale);
  if (!ImGui_ImplOpenGL3_Init("#version 450")) throw sim::run_error("the functions of OpenGL cannot be loaded");
  apply_theme(theme(variant), scale);
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

void Gui::set_scale(float scale) {
  if (scale == scale_) return;
  scale_ = scale;
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  fonts_ = load_fonts(*ImGui::GetIO().Fonts, scale);
  ImGui_ImplOpenGL3_CreateFontsTexture();
  apply_theme(theme(variant_), scale);
}

void Gui::set_variant(render::Background variant) {
  if (variant == variant_) return;
  variant_ = variant;
  apply_theme(theme(variant), scale_);
}

void Gui::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void Gui::draw() {
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace kinescope::app
