// Gives libFuzzer's inputs to everything that reads what others wrote: each format of files, JSON, plants, and the
// notes and messages of workers. KINESCOPE_FUZZ names the harness; without it their names are printed. What the readers
// promise to throw (Error, Lost) is a refusal; anything else is a finding.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "app/io/preset.hpp"
#include "app/io/session_file.hpp"
#include "app/io/settings.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/cpu.hpp"
#include "kinescope/landscape/plant_grammar.hpp"
#include "kinescope/simulation.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/packing/byte_source.hpp"
#include "sim/data/readers/unreadable.hpp"
#include "sim/k_means/distributed/held_rows.hpp"
#include "sim/k_means/distributed/messages.hpp"
#include "sim/k_means/distributed/secret.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim {
extern const FileFormat csv_format;
}

namespace kinescope::fuzz {
namespace {

namespace km = sim::k_means;

struct Harness {
  std::string name;
  std::function<void(const std::string& bytes)> read;
};

// For what opens its file itself; in memory where there is such a folder.
class OneFile {
 public:
  OneFile() {
    const std::filesystem::path memory = "/dev/shm";
    const std::filesystem::path place =
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    std::string pattern = (place / "kinescope-fuzz-XXXXXX").string();
    if (!mkdtemp(pattern.data())) std::perror(pattern.c_str()), std::exit(1);
    folder_ = pattern;
  }
  ~OneFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string with(const std::string& ending, std::string_view bytes) const {
    std::string path = (folder_ / ("data" + ending)).string();
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::filesystem::path folder_;
};

const OneFile& one_file() {
  static const OneFile file;
  return file;
}

class InMemory final : public sim::ByteSource {
 public:
  explicit InMemory(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::uint64_t used() const override { return used_; }
  std::size_t read(char* into, std::size_t bytes) override {
    const std::size_t count = bytes_.copy(into, bytes, used_);
    used_ += count;
    return count;
  }

 private:
  std::string_view bytes_;
  std::size_t used_ = 0;
};

std::size_t left_out = 0;  // inputs that were not read; fuzz.py does not count them

// Four digits, or an exponent, where a number says how many nodes or columns there are make a file for which a reader
// needs up to seconds. One such input in 256 is enough.
bool is_too_long(const std::string& bytes) {
  std::size_t digits = 0;
  for (const char each : bytes) {
    const bool is_exponent = digits > 0 && (each == 'e' || each == 'E');
    digits = std::isdigit(static_cast<unsigned char>(each)) == 0 ? 0 : digits + 1;
    if (digits == 4 || is_exponent) return std::hash<std::string>{}(bytes) % 256 > 0;
  }
  return false;
}

// What a reader gets once it was chosen for a file. There is no file here: many more inputs a second.
void read_file(const sim::FileFormat& format, const std::string& ending, const std::string& bytes) {
  if ((format.name == "Pajek" || format.name.starts_with("word2vec")) && is_too_long(bytes)) {
    ++left_out;
    return;
  }
  sim::DataRequest request{.source = "data" + ending};
  if (format.is_graph) request.reading = sim::Reading::graph;
  const sim::Inside place{request.source, ""};
  sim::InputFile file(request.source, std::make_unique<InMemory>(bytes), bytes.size());
  if (&format == &sim::csv_format)
    sim::require_text(file);  // it takes whatever no other format does
  else if (format.fit(file) == sim::Fit::no)
    return;
  sim::Table table = format.read({place, file, request});
  table.source = request.source;
  sim::make_dataset(std::move(table), request);
}

// "CSV and TSV tables" → "csv-and-tsv-tables".
std::string harness_name(std::string_view format) {
  std::string name;
  for (const char each : format) {
    if (std::isalnum(static_cast<unsigned char>(each)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  return name;
}

void read_plant(const std::string& bytes) {
  const sim::landscape::PlantGrammar plant = sim::landscape::parse_plant(bytes, "plant.json");
  grow_tree(plant, grow_word(plant, 1, 0), 1, 0);
}

// The first byte says which note it is.
void read_note(const std::string& bytes) {
  if (bytes.empty()) return;
  const std::string note = bytes.substr(1);
  switch (static_cast<unsigned char>(bytes[0]) % 5) {
    case 0:
      km::Secret(note).answer({1, 2});
      break;
    case 1: {
      const km::Checksums sums = km::Checksums::from_text(note);
      sums.whole();
      break;
    }
    case 2:
      if (const auto presence = km::presence_of(note))
        if (std::strlen(presence->machine) + std::strlen(presence->device) > note.size()) std::abort();
      break;
    case 3:
      km::dealt_of(note);
      break;
    case 4:
      km::notes_among({note}, '/');
      break;
  }
}

// An outline with as many numbers as the first byte says, then a pass.
void read_message(const std::string& bytes) {
  if (bytes.empty()) return;
  const std::size_t numbers = static_cast<unsigned char>(bytes[0]);
  const auto all = std::as_bytes(std::span(bytes).subspan(1));
  const std::size_t first = std::min(all.size(), sizeof(km::Outline) + numbers * sizeof(float));
  // As they arrive: aligned, and nothing behind them.
  const std::vector<std::byte> one(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first)),
      other(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  const auto [outline, columns] = km::outline_of(one);
  const auto [pass, centroids] = km::pass_of(other, outline);
  km::rows_of(0, 1, outline.points);
  float sum = 0;
  for (const float each : columns.subspan(static_cast<std::size_t>(outline.dimensions))) sum += each;
  for (int k = 0; k < pass.clusters; ++k) sum += centroids[static_cast<std::size_t>(k * outline.dimensions)];
  static volatile float seen;
  seen = sum;
}

std::vector<Harness> harnesses() {
  std::vector<Harness> all;
  for (const sim::FileFormat* format : sim::file_formats()) {
    const std::string ending(format->endings.substr(0, format->endings.find(' ')));
    all.push_back({harness_name(format->name), [=](const std::string& bytes) { read_file(*format, ending, bytes); }});
  }
  all.push_back({"recognition", [](const std::string& bytes) {
                   // The harnesses of these formats recognize it too, each in a process of its own.
                   if (bytes.starts_with("\x89HDF")) {
                     ++left_out;
                     return;
                   }
                   sim::InputFile file("data", std::make_unique<InMemory>(bytes), bytes.size());
                   sim::recognize(file);
                 }});
  all.push_back({"packing", [](const std::string& bytes) {
                   sim::InputFile file(one_file().with("", bytes));
                   for (std::vector<char> block(1 << 16); file.read(block.data(), block.size()) > 0;) continue;
                 }});
  all.push_back({"session", [](const std::string& bytes) { app::session_of("session.json", bytes); }});
  all.push_back({"preset", [](const std::string& bytes) {
                   app::preset_values("preset.json", bytes, sim::SimulationKind{.name = "k-means"});
                 }});
  all.push_back({"settings", [](const std::string& bytes) { app::load_settings(one_file().with("", bytes)); }});
  all.push_back({"plant", read_plant});
  all.push_back({"note", read_note});
  all.push_back({"message", read_message});
  return all;
}

const Harness* chosen = nullptr;

// The harness that reads this file; "" if none does.
std::string harness_of(const std::string& path) try {
  sim::InputFile file(path);
  return harness_name(sim::recognize(file).name);
} catch (const sim::Error&) {
  return "";
}

// The readers ask how much memory is free, and take as much as a file needs. Here they are given little, so that each
// large allocation that they do not ask about is a finding.
void leave_little_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmSize:")) {
      const rlim_t limit = std::strtoull(line.c_str() + 7, nullptr, 10) * 1024 + (rlim_t{1} << 30);
      const rlimit limits{limit, limit};
      setrlimit(RLIMIT_AS, &limits);
    }
}

}  // namespace
}  // namespace kinescope::fuzz

// In place of the C library's. A child process that reads has at least ten seconds and is refused after them
// (reader_process.hpp); a tenth of that is enough for inputs of some kB, and leaves time for more of them.
extern "C" unsigned alarm(unsigned seconds) noexcept {
  const itimerval tenth{.it_interval = {}, .it_value = {.tv_sec = seconds / 10, .tv_usec = seconds % 10 * 100'000}};
  setitimer(ITIMER_REAL, &tenth, nullptr);
  return 0;
}

// The library finds these two functions by their names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace kinescope::fuzz;
  static const std::vector<Harness> all = harnesses();
  const char* name = std::getenv("KINESCOPE_FUZZ");
  if (!name) {
    for (int i = 1; i < *argc; ++i) std::printf("%s\n", harness_of((*argv)[i]).c_str());
    if (*argc == 1)
      for (const Harness& each : all) std::printf("%s\n", each.name.c_str());
    std::exit(0);
  }
  const auto found = std::ranges::find(all, name, &Harness::name);
  if (found == all.end()) {
    std::fprintf(stderr, "there is no harness '%s'\n", name);
    std::exit(2);
  }
  chosen = &*found;
  std::atexit([] { std::fprintf(stderr, "inputs left out: %zu\n", left_out); });
  static const std::shared_ptr<void> one_thread =
      kinescope::sim::limit_threads(1);  // the harnesses run beside each other
  leave_little_memory();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    kinescope::fuzz::chosen->read({reinterpret_cast<const char*>(data), size});
  } catch (const kinescope::sim::Error& error) {
    if (std::strchr(error.what(), '\n')) std::abort();  // an error is one line
  } catch (const kinescope::sim::k_means::Lost&) {
  }
  return 0;
}
// NOLINTEND(readability-identifier-naming)
