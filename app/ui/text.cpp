// Numbers as text, and text that is shortened to fit.
#include "sim/data/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "app/io/output.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (value == 0) return "0";
  const double magnitude = std::floor(std::log10(std::abs(value)));
  if (magnitude >= 15 || magnitude < -4) {
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);  // 1.2e-05
    const std::size_t e = text.find('e');
    return text.substr(0, e) + "·" + sim::power_of_ten(std::stoi(text.substr(e + 1)));
  }
  const int decimals = std::max(0, digits - 1 - int(magnitude));
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  const std::string count = sim::with_commas(std::stoull(text.substr(text.front() == '-')));
  return fmt::format("{}{}", value < 0 ? "-" : "", count);
}

float width_of(ImFont* font, std::string_view text) {
  return font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.data(), text.data() + text.size()).x;
}

void put_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text) {
  list->AddText(font, font->FontSize, at, colour, text.data(), text.data() + text.size());
}

void write_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text) {
  put_text(list, font, {std::round(at.x), std::round(at.y)}, colour, text);
}

std::string shortened(ImFont* font, const std::string& text, float width) {
  if (text.find_first_of("\n\r\t") != std::string::npos) return shortened(font, printable(text), width);
  if (text.empty() || width_of(font, text) <= width) return text;
  const auto inside = [&](std::size_t at) {
    return at < text.size() && (text[at] & 0xC0) == 0x80;
  };  // inside a character
  const float half = 0.5f * (width - width_of(font, "…"));
  std::size_t head = 0, tail = text.size();
  for (std::size_t end = 1; end < text.size(); ++end) {
    if (inside(end)) continue;
    if (width_of(font, std::string_view(text).substr(0, end)) > half) break;
    head = end;
  }
  for (std::size_t begin = text.size() - 1; begin > head; --begin) {
    if (inside(begin)) continue;
    if (width_of(font, std::string_view(text).substr(begin)) > half) break;
    tail = begin;
  }
  return text.substr(0, head) + "…" + text.substr(tail);
}

std::string small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

}  // namespace kinescope::app
