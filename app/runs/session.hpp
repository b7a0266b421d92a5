// What is open: a kind of simulation, data, parameters, and the simulation made of them. Data and simulations are made
// in the background; until they are ready, or if making them fails, what was open stays.
//
// `normalize` belongs to the data: it begins as auto for each source but the first, stays when the same source is read
// again or shown by another simulation, and is settled once the data are there. So the panel's parameters may say auto,
// and those that a simulation was made with never do.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/runs/file_stamp.hpp"
#include "app/runs/job_queue.hpp"
#include "app/runs/runner.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/simulation.hpp"
#include "render/shared/shared_buffers.hpp"

namespace kinescope::app {

// Makes what helps a run from outside, such as worker processes, and must outlive its simulation; null: nothing does.
// Called in the background.
using MakeWorkers =
    std::function<std::shared_ptr<void>(const sim::SimulationKind&, const sim::DataRequest&, sim::ParameterSet&,
                                        std::uint64_t seed, sim::Simulation&, const std::atomic<bool>& cancelled)>;

struct SessionOptions {
  sim::Setup setup;  // everything but the data
  MakeWorkers workers;
  RunnerOptions runner;
  bool staged = false;  // copies through the host although buffers could be shared with CUDA
  bool wait = false;    // open() and remake() wait (headless: the first frame shows the first step)
  // Bytes that runs which others have replaced may take, so that they can be shown again at once (go_to); 0: none is
  // kept.
  std::size_t kept_bytes = 0;
};

// A place in the course of a session's runs: the run, how many of its chapters had ended, and how many events the
// present chapter had.
struct Place {
  std::uint64_t run = 0;  // from 1
  std::size_t chapter = 0, events = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

class Session {
 public:
  Session(const sim::SimulationKind& kind, std::unique_ptr<sim::ParameterSet> parameters,
          const SessionOptions& options);
  ~Session() { cancel(); }

  // Opens data and cancels an earlier request. Errors come out of take_error(). If the current kind takes no data, the
  // kind that last took some is shown again.
  void open(sim::DataRequest request);
  // Opens data for another kind of simulation, with these parameters and this seed.
  void open(const sim::SimulationKind& kind, sim::DataRequest request, std::unique_ptr<sim::ParameterSet> parameters,
            std::uint64_t seed);
  // The same, and computes the run up to the moment of `replay`, where it pauses.
  void open(const sim::SimulationKind& kind, sim::DataRequest request, Replay replay, std::uint64_t seed);
  // Opens data for a kind of simulation that has these parameters, set to these values: the current kind if it has
  // them.
  void open(sim::DataRequest request, const std::map<std::string, std::string>& values);
  // Opens the data that `other` has open, with its seed and these parameters.
  void join(const Session& other, std::unique_ptr<sim::ParameterSet> parameters);
  // Opens the same data once more, from the file as it is now.
  void reload();
  // Tries again to open the data that could not be opened, read as `remedy` says.
  void open_refused(const sim::Remedy& remedy);
  // Ends what is on its way to be shown.
  void cancel();
  // Ends its runs without waiting: once stopped() is true, destroying the session does not wait either.
  void request_stop();
  bool stopped();
  // Makes a new simulation of the same data with the panel's parameters; reads the data again if these require another
  // sim::Reading.
  void remake();
  // Gives the run the panel's values of the live parameters.
  void apply_parameters();
  // Repeats the run up to an earlier moment. The first `events` events came before that moment. The repeated run pauses
  // there, and takes the place of the present run.
  void rewind(const sim::Progress& moment, std::size_t events);
  bool rewinding() const { return loading_ && rewinding_; }
  // The iteration to which the present run was rewound; none if it was not.
  std::optional<long> rewound_to() const { return current_.rewound_to; }
  // Where the present run is.
  Place place() const { return place_of(current_); }
  // Goes to a place where a run has been: shows that run as it was left, if it is kept and has not gone on from that
  // place; else computes it again up to where it was left, or up to the event that led on from there. As with open(),
  // poll() says when it has taken over. False if that run is not known, or there already.
  bool go_to(const Place& place);
  bool keeps(const Place& place) const;  // going there computes nothing again
  // Shows another kind of simulation with the parameters that it had when last shown. It gets the data that were opened
  // last, unless it takes none or they were only the default of their kind.
  void show(const sim::SimulationKind& kind);

  // Call once a frame. Returns true when another simulation has taken over, which happens once it has published
  // something: draw from buffers() from now on. The previous buffers live until the next call.
  bool poll();
  // Call once a frame after poll(), when there is a runner().
  void frame();
  bool loading() const { return loading_ != nullptr; }
  bool changing() const { return loading() || next_.runner; }  // another run is on its way
  long asked() const { return asked_; }                        // how often another run was asked for
  const std::string& loading_name() const { return loading_name_; }
  float loading_fraction() const { return loading_ ? loading_->fraction.load() : 0; }
  // What went wrong since the last call.
  std::optional<sim::Error> take_error() { return std::exchange(error_, std::nullopt); }

  // Reports another error through take_error().
  void refuse(const sim::Error& error) { error_ = error; }

  const sim::SimulationKind& kind() const { return *current_.kind; }
  sim::ParameterSet& parameters() { return *parameters_.at(current_.kind); }  // those that the panel shows
  sim::ParameterSet& made_parameters() { return *current_.parameters; }       // those that the simulation was made with
  const sim::DataRequest& request() const { return current_.request; }        // the open data
  std::shared_ptr<const sim::Dataset> data() const { return current_.data; }
  std::uint64_t seed() const { return current_.seed; }
  bool standardized_by_itself() const { return current_.standardized; }  // what normalize=auto has become: zscore
  std::optional<FileStamp> stamp() const { return current_.stamp; }      // of the data's file when it was read
  Runner* runner() const { return current_.runner.get(); }               // null before the first run
  render::SharedBuffers* buffers() { return current_.buffers.get(); }
  const SessionOptions& options() const { return options_; }
  void set_kept_bytes(std::size_t bytes) { options_.kept_bytes = bytes; }  // for runs that are left from now on
  RunnerOptions& runner_options() { return options_.runner; }              // for later simulations

 private:
  // A kind of simulation and what it is to be made of.
  struct Work {
    const sim::SimulationKind* kind = nullptr;
    sim::DataRequest request;
    std::shared_ptr<const sim::Dataset> data;  // null until the request is loaded, or if the kind takes no data
    std::shared_ptr<sim::ParameterSet> parameters;
    std::uint64_t seed = 1;
    std::optional<FileStamp> stamp;
    std::string normalize;      // what the panel says; "": the kind has no such parameter
    bool standardized = false;  // settle_normalize decided so
  };
  struct Made : Work {
    std::shared_ptr<void> workers;  // declared before the simulation, which it must outlive
    std::unique_ptr<sim::Simulation> simulation;
    bool starts = false;  // it runs although runs are paused: it has other data, or is of another kind
    std::optional<sim::Error> error;
    bool brings_parameters = false;            // the panel is to show these parameters
    std::optional<Replay> replay;              // the replay to an earlier moment, before the simulation takes over
    bool goes_back = false;                    // the replay is of the present run
    std::unique_ptr<sim::ParameterSet> begin;  // the values with which the replay begins
  };
  struct Open : Work {
    std::shared_ptr<void> workers;
    std::unique_ptr<render::SharedBuffers> buffers;
    std::unique_ptr<Runner> runner;  // declared after the buffers and workers, which must outlive it
    std::optional<long> rewound_to;
    bool was_running = true;   // RunnerOptions::running when the runner was made
    std::uint64_t number = 0;  // Place::run
    bool is_replay = false;
    bool returns = false, ran = false;  // it was kept; whether it ran when it was left
  };
  // A run that another has replaced.
  struct Left : Work {
    std::vector<Chapter> chapters;
  };
  // `name` is shown while the work is done; "": the data's source.
  // `goes_back`: the replay leads to an earlier moment of the present run.
  void make(Work work, const std::string& name = "", std::optional<Replay> replay = std::nullopt,
            bool goes_back = false);
  sim::ParameterSet& parameters_of(const sim::SimulationKind& kind);
  bool is_other_source(const sim::DataRequest& request) const;
  void keep_normalize(const sim::SimulationKind& kind);
  // Returns `made` with its simulation, or with what went wrong.
  static Made make_now(Made made, const SessionOptions& options, sim::LoadProgress& progress);
  void take_over(Made& made);
  void retire(Open&& open);
  // Keeps it, paused, for go_to().
  void keep(Open&& open);
  static Place place_of(const Open& open);
  std::size_t kept_bytes() const;  // what the kept runs take

  std::map<const sim::SimulationKind*, std::unique_ptr<sim::ParameterSet>> parameters_;  // for each kind shown so far
  SessionOptions options_;
  bool had_frame_ = false;  // poll() has taken over the current runner, for whose first picture it made this frame
  Open current_, next_;     // next_ already runs, and becomes current_ once it has published
  Work latest_of_data_;     // the last current one that had data
  std::vector<Open> old_;   // each stops by itself and is then destroyed
  std::vector<Open> kept_;  // in the order in which they were left
  std::map<std::uint64_t, Left> left_;  // by their numbers
  std::uint64_t runs_ = 0;
  long asked_ = 0;
  std::shared_ptr<sim::LoadProgress> loading_;
  std::string loading_name_;
  bool rewinding_ = false;  // what is being made is the present run, rewound to an earlier moment
  Work refused_;            // what failed with the latest error
  std::optional<sim::Error> error_;
  JobQueue jobs_;
};

}  // namespace kinescope::app
