// Texts of numbers, and text that has to fit.
#include <cmath>
#include <fmt/format.h>

#include "app/panels/widgets.hpp"

namespace kinescope::app {

std::string count_text(std::size_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (value == 0) return "0";
  const double magnitude = std::floor(std::log10(std::abs(value)));
  if (magnitude >= 15 || magnitude < -4) {
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);  // 1.2e-05
    const std::size_t e = text.find('e');
    return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
  }
  const int decimals = std::max(0, digits - 1 - int(magnitude));
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  const std::string count = count_text(std::stoull(text.substr(text.front() == '-')));
  return fmt::format("{}{}", value < 0 ? "-" : "", count);
}

std::string shortened(ImFont* font, const std::string& text, float width) {
  const auto wide = [&](const std::string& s) {
    return font->CalcTextSizeA(font->FontSize, 1e9f, 0, s.data(), s.data() + s.size()).x;
  };
  if (wide(text) <= width) return text;
  std::string cut = text;
  while (!cut.empty()) {
    cut.pop_back();
    while (!cut.empty() && (cut.back() & 0xC0) == 0x80) cut.pop_back();  // whole characters only
    if (!cut.empty() && (cut.back() & 0xC0) == 0xC0) cut.pop_back();
    if (wide(cut + "…") <= width) break;
  }
  return cut + "…";
}

}  // namespace kinescope::app
