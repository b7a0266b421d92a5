#include "app/io/session_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/io/session_data.hpp"
#include "app/io/settings.hpp"
#include "kinescope/data/json_file.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

using nlohmann::ordered_json;
using sim::value_text;

Texts texts_of(const std::string& path, const ordered_json& json, const char* key) {
  Texts texts;
  if (!json.contains(key)) return texts;
  if (!json[key].is_object()) throw sim::file_error(path, std::string(key) + ": expected a JSON object");
  for (const auto& [name, value] : json[key].items()) texts[name] = value_text(path, name, value);
  return texts;
}

std::vector<std::string> names_of(const std::string& path, const ordered_json& json, const char* key) {
  if (!json[key].is_array()) throw sim::file_error(path, std::string(key) + ": expected a list");
  std::vector<std::string> names;
  for (const ordered_json& name : json[key]) names.push_back(value_text(path, key, name));
  return names;
}

std::string text_of(const std::string& path, const ordered_json& json, const char* key) {
  return json.contains(key) ? value_text(path, key, json[key]) : "";
}

// One of these words; "" if there is none.
std::string word_of(const std::string& path, const ordered_json& json, const char* key,
                    const std::vector<std::string>& words) {
  std::string word = text_of(path, json, key);
  if (word.empty() || std::ranges::find(words, word) != words.end()) return word;
  throw sim::file_error(path, std::string(key) + ": expected " + sim::list_of(words) + ", found " + sim::shown(word));
}

bool is_true(const std::string& path, const ordered_json& json, const char* key) {
  return word_of(path, json, key, {"true", "false"}) == "true";
}

// A word that is not known may say how the data are read: it is not passed over.
void require_known(const std::string& path, const ordered_json& object, std::string_view known) {
  for (const auto& [key, value] : object.items())
    if (key.find(' ') != std::string::npos || known.find(" " + key + " ") == std::string_view::npos)
      throw sim::file_error(path, sim::shown(key) + " is not known in a session");
}

sim::TableFormat format_of(const std::string& path, const ordered_json& data) {
  sim::TableFormat format;
  const std::string header = word_of(path, data, "header", {"yes", "no"}), separator = text_of(path, data, "separator");
  if (header == "yes") format.header = sim::Header::yes;
  if (header == "no") format.header = sim::Header::no;
  if (data.contains("skip_rows")) format.skip_rows = sim::whole_number(path, "skip_rows", data["skip_rows"]);
  if (data.contains("skip_lines")) {
    if (!data["skip_lines"].is_array()) throw sim::file_error(path, "skip_lines: expected a list");
    for (const ordered_json& line : data["skip_lines"])
      format.skip_lines.push_back(sim::whole_number(path, "skip_lines", line));
    std::ranges::sort(format.skip_lines);
  }
  if (separator.size() > 1 || separator.find_first_of("\r\n\"") != std::string::npos)
    throw sim::file_error(path, "separator: expected one character that is neither a quote nor the end of a line");
  if (!separator.empty()) format.separator = separator.front();
  if (word_of(path, data, "quotes", {"none"}) == "none") format.quotes = sim::Quotes::none;
  const std::string decimal = word_of(path, data, "decimal", {"point", "comma"});
  if (decimal == "point") format.decimal = sim::DecimalMark::point;
  if (decimal == "comma") format.decimal = sim::DecimalMark::comma;
  if (data.contains("texts")) format.texts = names_of(path, data, "texts");
  if (data.contains("numbers")) format.numbers = names_of(path, data, "numbers");
  if (data.contains("drop")) format.drop = names_of(path, data, "drop");
  return format;
}

void put_format(const sim::TableFormat& format, ordered_json& data) {
  if (format.header != sim::Header::automatic) data["header"] = format.header == sim::Header::yes ? "yes" : "no";
  if (format.skip_rows > 0) data["skip_rows"] = format.skip_rows;
  if (!format.skip_lines.empty()) data["skip_lines"] = format.skip_lines;
  if (format.separator) data["separator"] = std::string(1, format.separator);
  if (format.quotes == sim::Quotes::none) data["quotes"] = "none";
  if (format.decimal != sim::DecimalMark::automatic)
    data["decimal"] = format.decimal == sim::DecimalMark::point ? "point" : "comma";
  if (!format.texts.empty()) data["texts"] = format.texts;
  if (!format.numbers.empty()) data["numbers"] = format.numbers;
  if (!format.drop.empty()) data["drop"] = format.drop;
}

constexpr std::pair<const char*, sim::EdgesAre> edges_are_words[] = {
    {"length", sim::EdgesAre::lengths}, {"strength", sim::EdgesAre::strengths}, {"equal", sim::EdgesAre::equal}};

// How the source is read, beyond how its text is cut.
void put_reading(const sim::DataRequest& request, ordered_json& data, bool whole) {
  for (const auto& [word, meaning] : edges_are_words)
    if (request.edges_are == meaning) data["edges_are"] = word;
  if (request.components == sim::Components::largest) data["components"] = "largest";
  if (request.similarities) data["similarities"] = true;
  if (request.mean_of_halves) data["mean_of_halves"] = true;
  if (request.transpose) data["transpose"] = true;
  if (!request.metadata.empty())
    data["metadata"] = whole ? std::filesystem::absolute(request.metadata).string() : request.metadata;
  if (!request.by.empty()) data["by"] = request.by;
}

constexpr double sim::Stimulus::*touch_numbers[] = {&sim::Stimulus::x,        &sim::Stimulus::y,
                                                    &sim::Stimulus::radius,   &sim::Stimulus::value,
                                                    &sim::Stimulus::stroke_x, &sim::Stimulus::stroke_y};

long iteration_of(const std::string& path, const ordered_json& json) {
  if (!json.contains("iteration")) throw sim::file_error(path, "run: an iteration is missing");
  const std::uint64_t iteration = sim::whole_number(path, "iteration", json["iteration"]);
  if (iteration > std::uint64_t(std::numeric_limits<long>::max()))
    throw sim::file_error(path, "run: an iteration is too large");
  return long(iteration);
}

SavedCourse course_of(const std::string& path, const ordered_json& json) {
  if (!json.is_object()) throw sim::file_error(path, "run: expected a JSON object");
  require_known(path, json, " iteration ended begin events ");
  SavedCourse course{iteration_of(path, json), is_true(path, json, "ended"), texts_of(path, json, "begin"), {}};
  if (!json.contains("events")) return course;
  if (!json["events"].is_array()) throw sim::file_error(path, "events: expected a list");
  long before = 0;
  for (const ordered_json& each : json["events"]) {
    // A touch is [iteration, x, y, radius, value, stroke_x, stroke_y]: there may be thousands.
    const bool is_touch = each.is_array();
    if (!each.is_object() && !is_touch)
      throw sim::file_error(path, "events: expected JSON objects or lists of numbers");
    if (is_touch && (each.size() != 1 + std::size(touch_numbers) ||
                     !std::ranges::all_of(each, [](const ordered_json& number) { return number.is_number(); })))
      throw sim::file_error(path, "events: a touch has seven numbers");
    if (!is_touch) require_known(path, each, " iteration parameters ");
    SavedCourse::Event& event = course.events.emplace_back();
    event.iteration = is_touch ? iteration_of(path, {{"iteration", each[0]}}) : iteration_of(path, each);
    if (event.iteration < before || event.iteration > course.iteration)
      throw sim::file_error(path, "events: their iterations do not ascend up to that of the run");
    before = event.iteration;
    if (!is_touch) {
      event.values = texts_of(path, each, "parameters");
      continue;
    }
    event.touch.emplace();
    for (std::size_t i = 0; i < std::size(touch_numbers); ++i)
      (*event.touch).*touch_numbers[i] = each[i + 1].get<double>();
  }
  return course;
}

ordered_json json_of(const SavedCourse& course) {
  ordered_json json;
  json["iteration"] = course.iteration;
  if (course.ended) json["ended"] = true;
  if (!course.begin.empty()) json["begin"] = course.begin;
  for (const SavedCourse::Event& event : course.events) {
    ordered_json each;
    if (event.touch) {
      each.push_back(event.iteration);
      for (const auto number : touch_numbers) each.push_back((*event.touch).*number);
    } else {
      each["iteration"] = event.iteration;
      each["parameters"] = event.values;
    }
    json["events"].push_back(std::move(each));
  }
  return json;
}

}  // namespace

bool is_session_file(const std::string& path) {
  return path.ends_with(session_ending);
}

SavedSession load_session(const std::string& path) {
  SavedSession session = session_of(path, sim::read_text(path));
  if (!find_data(path, session))
    throw sim::file_error(path, "its data, " + sim::shown(session.data.source) + ", are neither there nor beside it");
  return session;
}

SavedSession session_of(const std::string& path, const std::string& text) {
  const ordered_json json = sim::parse_json(path, text);
  if (!json.is_object() || !json.contains("simulation"))
    throw sim::file_error(path, "is not a session: the name of the simulation is missing");
  require_known(path, json, " simulation data parameters seed pace view run ");
  SavedSession session;
  session.simulation = text_of(path, json, "simulation");
  session.parameters = texts_of(path, json, "parameters");
  session.view = texts_of(path, json, "view");
  if (json.contains("seed")) session.seed = sim::whole_number(path, "seed", json["seed"]);
  if (json.contains("pace")) {
    if (!json["pace"].is_number() && !json["pace"].is_null()) throw sim::file_error(path, "pace: expected a number");
    session.pace = json["pace"].is_null() ? std::numeric_limits<double>::infinity() : json["pace"].get<double>();
    if (!(session.pace > 0)) throw sim::file_error(path, "pace: expected a number above 0");
  }
  if (json.contains("run")) session.course = course_of(path, json["run"]);
  if (!json.contains("data")) return session;
  const ordered_json& data = json["data"];
  if (!data.is_object()) throw sim::file_error(path, "data: expected a JSON object");
  require_known(path, data,
                " source beside checksum label columns categories missing edges_are components similarities "
                "mean_of_halves transpose "
                "metadata by header skip_rows skip_lines separator quotes decimal texts numbers drop ");
  session.data.source = text_of(path, data, "source");
  session.beside = text_of(path, data, "beside");
  session.checksum = text_of(path, data, "checksum");
  session.data.label = text_of(path, data, "label");
  if (word_of(path, data, "missing", {"leave-out", "mean"}) == "mean") session.data.missing = sim::Missing::mean;
  session.data.format = format_of(path, data);
  const std::string edges_are = word_of(path, data, "edges_are", {"length", "strength", "equal"});
  for (const auto& [word, meaning] : edges_are_words)
    if (edges_are == word) session.data.edges_are = meaning;
  if (word_of(path, data, "components", {"largest"}) == "largest") session.data.components = sim::Components::largest;
  session.data.similarities = is_true(path, data, "similarities");
  session.data.mean_of_halves = is_true(path, data, "mean_of_halves");
  session.data.transpose = is_true(path, data, "transpose");
  session.data.metadata = text_of(path, data, "metadata");
  session.data.by = text_of(path, data, "by");
  if (data.contains("categories")) session.data.categories = names_of(path, data, "categories");
  if (data.contains("columns")) session.data.columns = names_of(path, data, "columns");
  return session;
}

void save_session(const std::string& path, SavedSession session) {
  note_data(path, session);
  const std::string text = session_text(session);
  if (text.size() > sim::largest_text)
    throw sim::file_error(path, "this run has too long a story to be kept: more than 16 MiB");
  sim::write_bytes(path, text);
}

std::string session_text(const SavedSession& session, bool whole) {
  ordered_json json;
  json["simulation"] = session.simulation;
  if (!session.data.source.empty()) {
    std::error_code error;
    const auto path = std::filesystem::absolute(session.data.source, error);
    const bool is_path = whole && !sim::is_made(session.data.source) && session.data.source != sim::standard_input;
    json["data"]["source"] = is_path && !error ? path.string() : session.data.source;
    if (!session.beside.empty()) json["data"]["beside"] = session.beside;
    if (!session.checksum.empty()) json["data"]["checksum"] = session.checksum;
    put_reading(session.data, json["data"], whole);
    json["data"]["label"] = session.data.label;
    json["data"]["columns"] = session.data.columns;
    if (!session.data.categories.empty()) json["data"]["categories"] = session.data.categories;
    json["data"]["missing"] = session.data.missing == sim::Missing::mean ? "mean" : "leave-out";
    put_format(session.data.format, json["data"]);
  }
  json["parameters"] = session.parameters;
  json["seed"] = session.seed;
  json["pace"] = std::isinf(session.pace) ? ordered_json() : ordered_json(session.pace);
  json["view"] = session.view;
  if (session.course) json["run"] = json_of(*session.course);
  // JSON is UTF-8; a path need not be: what is invalid in it is replaced.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string last_session_path() {
  const std::string settings = settings_path();
  if (settings.empty()) return "";
  return (std::filesystem::path(settings).parent_path() / (std::string("last") + session_ending)).string();
}

}  // namespace kinescope::app
