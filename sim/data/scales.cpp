#include "sim/data/scales.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "sim/data/findings.hpp"

namespace kinescope::sim {
namespace {

constexpr double dominating_share = 0.9;  // of the squared distances

// The words of a name in lower case: "UTM_Easting (m)" has utm, easting and m.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80)
      words.back() += static_cast<char>(std::tolower(byte));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

enum class Place { none, degrees, length, vertical };

Place place_of(std::string_view name) {
  static constexpr std::array degrees = {"lat", "latitude", "lon", "lng", "long", "longitude"};
  static constexpr std::array lengths = {"x",        "y",         "z",    "easting", "northing",
                                         "eastings", "northings", "east", "north"};
  static constexpr std::array vertical = {"elevation", "altitude", "height", "depth", "elev", "alt"};
  static constexpr std::array beside = {"m",       "km", "cm",  "mm",    "um",    "nm",         "ft",  "px",      "deg",
                                        "degrees", "°",  "utm", "wgs84", "coord", "coordinate", "pos", "position"};
  const auto is_in = [](const auto& known, const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  Place found = Place::none;
  for (const std::string& word : words_of(name)) {
    if (is_in(beside, word)) continue;
    const Place here = is_in(degrees, word)    ? Place::degrees
                       : is_in(lengths, word)  ? Place::length
                       : is_in(vertical, word) ? Place::vertical
                                               : Place::none;
    if (here == Place::none || found != Place::none) return Place::none;
    found = here;
  }
  return found;
}

}  // namespace

std::optional<DominatingColumn> dominating_column(const Findings& findings, const std::vector<double>& variances,
                                                  bool with_counters) {
  double sum = 0, largest = 0;
  std::string name;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < findings.columns.size(); ++i) {
    if (findings.columns[i].kind == ColumnKind::counter && !with_counters) continue;
    const double own = variances[i];
    sum += own;
    compared += own > 0;
    if (own > largest) largest = own, name = findings.columns[i].name;
  }
  if (compared < 2 || largest <= dominating_share * sum) return std::nullopt;
  return DominatingColumn{name, largest / sum};
}

Degrees degrees_of(std::string_view name) {
  if (place_of(name) != Place::degrees) return Degrees::none;
  for (const std::string& word : words_of(name))
    if (word == "lat" || word == "latitude") return Degrees::latitude;
  return Degrees::longitude;
}

bool are_places(const std::vector<std::string>& names) {
  std::size_t degrees = 0, lengths = 0;
  for (const std::string& name : names) {
    const Place place = place_of(name);
    if (place == Place::none) return false;
    degrees += place == Place::degrees;
    lengths += place == Place::length;
  }
  return degrees == 0 ? lengths > 0 : degrees == names.size();
}

bool are_distances_of_columns(ParameterSet& parameters) {
  const Parameter* metric = parameters.find("metric");
  return !metric || metric->text() == "euclidean" || metric->text() == "manhattan";
}

bool settle_normalize(ParameterSet& parameters, const Dataset* data) {
  Parameter* normalize = parameters.find("normalize");
  if (!normalize || normalize->text() != "auto") return false;
  const bool standardize =
      are_distances_of_columns(parameters) && data && data->findings && data->findings->scales_differ;
  normalize->set(standardize ? "zscore" : "none");
  return standardize;
}

}  // namespace kinescope::sim
