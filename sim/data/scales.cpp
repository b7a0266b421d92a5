#include "sim/data/scales.hpp"

#include <cctype>
#include <initializer_list>

#include "kinescope/data/metric.hpp"
#include "kinescope/data/normalize.hpp"
#include "sim/core/by_text.hpp"
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

enum class Place { none, beside, degrees, length, vertical };  // beside: a word that may stand by the others

Place place_of(std::string_view name) {
  static const auto known = [] {
    ByTextView<Place> places;
    const auto add = [&](Place place, std::initializer_list<std::string_view> words) {
      for (const std::string_view word : words) places.emplace(word, place);
    };
    add(Place::degrees, {"lat", "latitude", "lon", "lng", "long", "longitude"});
    add(Place::length, {"x", "y", "z", "easting", "northing", "eastings", "northings", "east", "north"});
    add(Place::vertical, {"elevation", "altitude", "height", "depth", "elev", "alt"});
    add(Place::beside, {"m", "km", "cm", "mm", "um", "nm", "ft", "px", "deg", "degrees", "°", "utm", "wgs84", "coord",
                        "coordinate", "pos", "position"});
    return places;
  }();
  Place found = Place::none;
  for (const std::string& word : words_of(name)) {
    const auto here = known.find(word);
    if (here == known.end()) return Place::none;
    if (here->second == Place::beside) continue;
    if (found != Place::none) return Place::none;
    found = here->second;
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
  const auto* metric = parameters.find<MetricParameter>();
  return !metric || metric->value() == Metric::euclidean || metric->value() == Metric::manhattan;
}

bool settle_normalize(ParameterSet& parameters, const Dataset* data) {
  auto* normalize = parameters.find<NormalizeParameter>();
  if (!normalize || !normalize->is_automatic()) return false;
  const bool standardize =
      are_distances_of_columns(parameters) && data && data->findings && data->findings->scales_differ;
  normalize->assign(standardize ? Normalization::zscore : Normalization::none);
  return standardize;
}

}  // namespace kinescope::sim
