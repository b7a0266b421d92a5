#include "app/io/tell_findings.hpp"

#include <string>

#include "app/io/output.hpp"
#include "app/io/streams.hpp"
#include "kinescope/data/made.hpp"
#include "sim/data/findings.hpp"

namespace kinescope::app {

void tell_findings(const sim::DataRequest& request, const sim::Dataset& data, sim::ParameterSet& parameters,
                   bool standardized) {
  if (!data.findings || sim::is_made(request.source)) return;
  std::string before = "kinescope: " + printable(data.name) + ": ";
  for (const std::string& sentence : data.findings->sentences()) {
    tell("{}{}\n", before, printable(sentence));
    before = "  ";
  }
  for (const sim::Suggestion& suggestion : data.findings->suggestions)
    if (applies(suggestion, parameters))
      tell("kinescope: {}: {} ({})\n", printable(suggestion.sentence), lower_first(suggestion.action),
           printable(suggestion.option));
  if (standardized)
    tell("kinescope: columns standardized, because their scales differ (--set normalize=none uses raw values)\n");
  if (hides_the_rest(*data.findings, parameters)) tell("kinescope: {}\n", data.findings->far_rows);
}

}  // namespace kinescope::app
