// Files of exactly the shape of well-known ones (UCI Machine Learning Repository, StatLib): rows, columns, types,
// categories, missing marks, separators, headers. The numbers are made up, of about the sizes of the real ones.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace kinescope::tests {

class Draws {
 public:
  // A number in [0, 1); the sequence is always the same.
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }
  double between(double low, double high) { return low + (high - low) * next(); }
  long whole(long low, long high) { return low + static_cast<long>(next() * static_cast<double>(high - low + 1)); }
  const char* one_of(const std::vector<const char*>& list) {
    return list[static_cast<std::size_t>(whole(0, static_cast<long>(list.size()) - 1))];
  }

 private:
  std::uint64_t state_ = 20;
};

inline std::string digits(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

// Appends `cells` to `text`, each after a separator.
template <class... Cells>
void put(std::string& text, char separator, const Cells&... cells) {
  ((text += separator, text += cells), ...);
}

// M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15
inline std::string abalone() {
  Draws draw;
  std::string text;
  for (int row = 0; row < 4177; ++row) {
    const double size = draw.between(0.1, 0.8);
    text += row == 0 ? "M" : draw.one_of({"M", "F", "I"});
    for (const double part : {1.0, 0.8, 0.27}) put(text, ',', digits(size * part, 3));
    for (const double part : {2.2, 0.95, 0.48, 0.64}) put(text, ',', digits(size * size * part, 4));
    put(text, ',', std::to_string(draw.whole(1, 29)));
    text += '\n';
  }
  return text;
}

// 5.1,3.5,1.4,0.2,Iris-setosa, and an empty line at the end
inline std::string iris() {
  Draws draw;
  const std::array<const char*, 3> species = {"Iris-setosa", "Iris-versicolor", "Iris-virginica"};
  std::string text;
  for (std::size_t row = 0; row < 150; ++row) {
    const double size = static_cast<double>(row / 50);
    text += digits(draw.between(4.3, 6.5) + size, 1);
    put(text, ',', digits(draw.between(2, 4.4), 1), digits(draw.between(1, 2) + 2 * size, 1),
        digits(draw.between(0.1, 0.6) + 0.9 * size, 1), species[row / 50]);
    text += '\n';
  }
  return text + "\n";
}

// 0.0200,0.0371,…,R
inline std::string sonar() {
  Draws draw;
  std::string text;
  for (int row = 0; row < 208; ++row) {
    for (int band = 0; band < 60; ++band) text += digits(draw.next() * (band < 50 ? 1 : 0.05), 4), text += ',';
    text += row < 97 ? "R\n" : "M\n";
  }
  return text;
}

// 1,0,0.99539,-0.05889,…,g
inline std::string ionosphere() {
  Draws draw;
  std::string text;
  for (int row = 0; row < 351; ++row) {
    text += row == 0 || draw.next() < 0.9 ? "1,0" : "0,0";
    for (int pulse = 0; pulse < 32; ++pulse) put(text, ',', digits(draw.between(-1, 1), 5));
    text += row % 3 == 1 ? ",b\n" : ",g\n";
  }
  return text;
}

// no-recurrence-events,30-39,premeno,30-34,0-2,no,3,left,left_low,no
inline std::string breast_cancer() {
  Draws draw;
  std::string text;
  for (int row = 0; row < 286; ++row) {
    text += row < 201 ? "no-recurrence-events" : "recurrence-events";
    put(text, ',', draw.one_of({"30-39", "40-49", "50-59", "60-69"}), draw.one_of({"premeno", "ge40", "lt40"}),
        draw.one_of({"30-34", "20-24", "15-19", "0-4", "25-29", "50-54"}), draw.one_of({"0-2", "3-5", "6-8"}),
        row % 36 == 5 ? "?" : draw.one_of({"no", "yes"}), std::to_string(draw.whole(1, 3)),
        draw.one_of({"left", "right"}), row == 100 ? "?" : draw.one_of({"left_low", "right_up", "left_up", "central"}),
        draw.one_of({"no", "yes"}));
    text += '\n';
  }
  return text;
}

// breast_cancer() without its only column of numbers.
inline std::string categories_only() {
  std::string kept;
  int column = 0;
  for (const char c : breast_cancer()) {
    if (c == ',') ++column;
    if (column != 6) kept += c;
    if (c == '\n') column = 0;
  }
  return kept;
}

// 2 1 530101 38.50 66 28 3 3 ? 2 5 4 4 ? ? ? 3 5 45.00 8.40 ? ? 2 2 11300 00000 00000 2, and a blank at each line's end
inline std::string horse_colic(char separator = ' ') {
  Draws draw;
  std::string text;
  for (int row = 0; row < 300; ++row) {
    const bool complete = row % 50 == 7;  // six rows
    for (int column = 0; column < 28; ++column) {
      if (column > 0) text += separator;
      const bool may_lack = column == 0 || (column >= 3 && column <= 22);
      const double lacking = column == 0 ? 0.004 : column == 13 || column == 14 || column == 15 ? 0.5 : 0.2;
      if (may_lack && !complete && (draw.next() < lacking || (column == 20 && row % 50 != 7)))
        text += "?";
      else if (column == 2)
        text += std::to_string(527000 + draw.whole(0, 8000));
      else if (column == 3)
        text += digits(draw.between(35.4, 40.8), 2);
      else if (column == 18 || column == 19 || column == 21)
        text += digits(draw.between(3, 70), 2);
      else if (column == 24 || column == 25 || column == 26)
        text += column == 24 ? digits(static_cast<double>(draw.whole(1000, 9400)), 0) : "00000";
      else
        text += std::to_string(draw.whole(1, 5));
    }
    if (separator == ' ') text += ' ';
    text += '\n';
  }
  return text;
}

// 3.6216,8.6661,-2.8073,-0.44699,0
inline std::string banknote() {
  Draws draw;
  std::string text;
  for (int row = 0; row < 1372; ++row) {
    text += digits(draw.between(-7, 6.8), 4);
    put(text, ',', digits(draw.between(-13.7, 12.9), 4), digits(draw.between(-5.2, 17.9), 4),
        digits(draw.between(-8.5, 2.4), 4), row < 762 ? "0" : "1");
    text += '\n';
  }
  return text;
}

// "fixed acidity";"volatile acidity";…;"quality"
inline std::string white_wine() {
  Draws draw;
  std::string text =
      "\"fixed acidity\";\"volatile acidity\";\"citric acid\";\"residual sugar\";\"chlorides\";\"free sulfur dioxide\";"
      "\"total sulfur dioxide\";\"density\";\"pH\";\"sulphates\";\"alcohol\";\"quality\"\n";
  for (int row = 0; row < 4898; ++row) {
    text += digits(draw.between(3.8, 14.2), 1);
    put(text, ';', digits(draw.between(0.08, 1.1), 2), digits(draw.between(0, 1), 2), digits(draw.between(0.6, 20), 1),
        digits(draw.between(0.01, 0.3), 3), std::to_string(draw.whole(2, 120)), std::to_string(draw.whole(60, 220)),
        digits(draw.between(0.987, 1.03), 5), digits(draw.between(2.7, 3.8), 2), digits(draw.between(0.2, 1), 2),
        digits(draw.between(8, 14.2), 1), std::to_string(draw.whole(3, 9)));
    text += '\n';
  }
  return text;
}

// obs,PREC,JANT,…,MORT: the rows are numbered
inline std::string pollution() {
  Draws draw;
  std::string text = "obs,PREC,JANT,JULT,OVR65,POPN,EDUC,HOUS,DENS,NONW,WWDRK,POOR,HC,NOX,SOX,HUMID,MORT\n";
  for (int row = 1; row <= 60; ++row) {
    text += std::to_string(row);
    for (const auto& [low, high, decimals] : std::vector<std::array<double, 3>>{{10, 60, 0},
                                                                                {12, 67, 0},
                                                                                {63, 85, 0},
                                                                                {5.6, 11.8, 1},
                                                                                {2.92, 3.53, 2},
                                                                                {9, 12.3, 1},
                                                                                {66.8, 90.7, 1},
                                                                                {1441, 9699, 0},
                                                                                {0.8, 38.5, 1},
                                                                                {33.8, 59.7, 1},
                                                                                {9.4, 26.4, 1},
                                                                                {1, 300, 0},
                                                                                {1, 300, 0},
                                                                                {1, 278, 0},
                                                                                {38, 73, 0},
                                                                                {790.7, 1113.2, 3}})
      put(text, ',', digits(draw.between(low, high), static_cast<int>(decimals)));
    text += "\n";
  }
  return text;
}

}  // namespace kinescope::tests
