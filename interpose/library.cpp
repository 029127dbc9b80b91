#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/interpose/closing.hpp>
#include <tombolo/interpose/communicator.hpp>
#include <tombolo/interpose/library.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/environment.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo::interpose {

namespace {

std::uint64_t hash_of_host() {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check_mpi(MPI_Get_processor_name(host, &length), "MPI_Get_processor_name");
  StableHash hash;
  hash.add_text(host);
  return hash.value();
}

// Says why a run waits for ever, and ends it: ranks that have not loaded this library, as of another program behind the
// same mpiexec, never come to the first exchange. All that have it leave MPI_Init together.
class Arrival {
 public:
  explicit Arrival(int rank) : clock_([this, rank] { wait(rank); }) {}
  ~Arrival() {
    {
      const std::lock_guard lock(mutex_);
      all_came_ = true;
    }
    came_.notify_one();
    clock_.join();
  }
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;

 private:
  void wait(int rank) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    // One after another, as the first to speak ends the others, which takes a busy machine a while.
    if (came_.wait_for(lock, 30s + std::min(rank, 5) * 3s, [&] { return all_came_; })) return;
    end_run(
        "not all ranks of MPI_COMM_WORLD run under tombolo-run, or one is stopped; put tombolo-run before each program "
        "of the run, or before none");
  }

  std::mutex mutex_{};
  std::condition_variable came_{};
  bool all_came_ = false;
  std::thread clock_;
};

// Devices whose memory devices.hpp does not know.
bool has_other_devices() {
  return std::ranges::any_of(std::array{"libamdhip64.so", "libze_loader.so.1"}, [](const char* name) {
    void* const loaded = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded != nullptr) dlclose(loaded);
    return loaded != nullptr;
  });
}

bool has_several_threads() {
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  return level == MPI_THREAD_SERIALIZED || level == MPI_THREAD_MULTIPLE;
}

// By MPI_Comm_create_group, since errors are those of `parent`. To change the handler of the program's communicator and
// to set it back would not leave it as it was: for MPICH, one that was never set is that of MPI_COMM_WORLD.
MPI_Comm bare_copy(MPI_Comm communicator, MPI_Comm parent, int tag) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm copy = MPI_COMM_NULL;
  check_mpi(MPI_Comm_group(communicator, &group), "MPI_Comm_group");
  const int code = MPI_Comm_create_group(parent, group, tag, &copy);
  MPI_Group_free(&group);
  if (code != MPI_SUCCESS) return MPI_COMM_NULL;
  check_mpi(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return copy;
}

// Ends the run if a variable of the environment has another word than these.
std::string one_of(const char* variable, const std::vector<std::string>& words) {
  const std::string word = environment(variable);
  if (!word.empty() && !std::ranges::count(words, word)) {
    end_run(fmt::format("{}: '{}' is not one of {}; see docs/unmodified.md", variable, word, fmt::join(words, ", ")));
  }
  return word;
}

// A job of MPI_Comm_spawn has the environment of its parent, whose report is the file of that name.
std::string name_of_report() {
  const std::string asked = environment("TOMBOLO_REPORT");
  MPI_Comm parent = MPI_COMM_NULL;
  // SimGrid has neither MPI_Comm_spawn nor MPI_Comm_get_parent.
  if (!asked.empty() && !machine::simulated()) check_mpi(MPI_Comm_get_parent(&parent), "MPI_Comm_get_parent");
  if (parent == MPI_COMM_NULL) return asked;
  const std::filesystem::path path(asked);
  const std::string name = fmt::format("{}.spawned-{}{}", path.stem().string(), getpid(), path.extension().string());
  return path.parent_path() / name;
}

Settings settings_here() {
  const std::string reductions = one_of("TOMBOLO_REDUCTIONS", {"native", "pinned"});
  return {.compare = one_of("TOMBOLO_COMPARE", {"0", "1"}) == "1",
          .native_reductions = reductions == "native",
          .pinned = reductions == "pinned",
          .report = !environment("TOMBOLO_REPORT").empty(),
          .quiet = one_of("TOMBOLO_QUIET", {"0", "1"}) == "1"};
}

}  // namespace

void end_run(const std::string& cause) {
  say(fmt::format("tombolo: {}\n", cause));
  machine::abort(1);
}

Library& Library::get() {
  // Never destroyed: a program may end MPI after main, when its static objects die.
  static Library& library = *new Library;  // NOLINT(cppcoreguidelines-owning-memory)
  return library;
}

void Library::start() {
  if (communicator_ != MPI_COMM_NULL) return;  // a tool's MPI_Init has called PMPI_Init
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks_), "MPI_Comm_size");
  std::optional<Arrival> arrival;
  if (ranks_ > 1 && !machine::simulated()) arrival.emplace(rank_);
  communicator_ = bare_copy(MPI_COMM_WORLD, MPI_COMM_WORLD, 0);
  copy_by(bare_copy(MPI_COMM_SELF, MPI_COMM_SELF, 0));
  const bool other_devices = compare_ranks();
  arrival.reset();
  bool failed = false;
  if (one_host_) {
    passes_why_ = "all ranks are on one host";
  } else if (other_devices) {
    passes_why_ = "ranks have loaded ROCm or Level Zero";
  } else {
    find_platform();
    failed = !plans();
  }
  // Not communicator_, which carries messages of plans: with Open MPI 4.1 those of MPI_Comm_create_group match them,
  // if their tags are the same.
  if (plans() && several_threads_) parent_ = bare_copy(communicator_, communicator_, 0);
  if (plans() && !machine::simulated()) clock_ahead_ = compare_clocks(communicator_).ahead;
  active_ = plans() || settings_.report || settings_.pinned;
  if (!settings_.quiet || failed) say_what_is_done();
}

// One exchange, since each takes two of the longest latencies.
bool Library::compare_ranks() {
  struct Card {
    std::uint64_t host = 0;
    bool other_devices = false;
    bool several_threads = false;
    Settings settings;
  };
  const Card mine{.host = hash_of_host(),
                  .other_devices = has_other_devices(),
                  .several_threads = has_several_threads(),
                  .settings = rank_ == 0 ? settings_here() : Settings()};
  const std::vector<Card> all = of_all_ranks(communicator_, mine);
  settings_ = all.front().settings;
  if (rank_ == 0) report_file_ = name_of_report();
  one_host_ = std::ranges::all_of(all, [&](const Card& card) { return card.host == mine.host; });
  several_threads_ = std::ranges::any_of(all, &Card::several_threads);
  return std::ranges::any_of(all, &Card::other_devices);
}

// A failure of one rank would leave the others waiting in the discovery: what it throws on one it throws on all, or MPI
// has failed.
void Library::find_platform() {
  passes_why_ = attempt([&] {
    run_.emplace(communicator_, 1);
    const std::string file = text_from(communicator_, 0, rank_ == 0 ? environment("TOMBOLO_PLATFORM") : "");
    if (!file.empty()) run_->use_file(file);
    run_->make_planner();
    run_->planner->share_within_classes();
    run_->planner->give_same_bits();
  });
  if (!passes_why_.empty()) run_.reset();
}

void Library::say_what_is_done() const {
  if (rank_ != 0 || ranks_ == 1) return;
  const std::string what =
      plans() ? fmt::format("plans collectives of {} ranks; platform: {}", ranks_, run_->platform_source)
              : fmt::format("passes all calls through: {}", passes_why_);
  say(fmt::format("tombolo: {}\n", what));
}

int Library::next_tag() {
  int* most = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&most), &found), "MPI_Comm_get_attr");
  const std::int64_t tags = found != 0 ? std::int64_t{*most} + 1 : 32768;  // as many as MPI promises
  return static_cast<int>((copies_++ * ranks_ + rank_) % tags);
}

MPI_Comm Library::copy_of(MPI_Comm communicator, int tag) const {
  return bare_copy(communicator, parent_, tag);
}

std::shared_ptr<Planner> Library::planner_for(const std::vector<Rank>& members) {
  return run_->planner->on(members);
}

bool Library::one_host(const std::vector<Rank>& members) const {
  if (!run_) return one_host_;
  const auto host = [&](Rank rank) -> const std::string& {
    return run_->processors[static_cast<std::size_t>(rank)].host;
  };
  return std::ranges::all_of(members, [&](Rank rank) { return host(rank) == host(members.front()); });
}

void Library::know(const Communicator* communicator) {
  const std::lock_guard lock(reporting_);
  known_.push_back(communicator);
}

void Library::take(const Communicator& communicator) {
  const std::lock_guard lock(reporting_);
  const auto at = std::ranges::find(known_, &communicator);
  if (at == known_.end()) return;
  known_.erase(at);
  if (settings_.report && communicator.rank() == 0) add(communicator.report(), reports_);
}

void Library::finish() {
  if (communicator_ == MPI_COMM_NULL) return;
  if (active_ && plans()) {
    run_->keep_experience();
    keep_plans();
  }
  if (active_ && settings_.report) report();
  active_ = false;
  prepare_closing(communicator_);
  communicator_ = MPI_COMM_NULL;
}

void Library::keep_plans() {
  const std::string why_not = run_->keep_plans();
  if (why_not.empty()) return;
  run_->platform_source += fmt::format("; plans not kept for later runs: {}", why_not);
  if (!settings_.quiet) say(fmt::format("tombolo: the plans of this run are not kept for later ones: {}\n", why_not));
}

// Each communicator is reported by its rank 0.
void Library::report() {
  for (const Communicator* each : known_) {
    if (each->rank() == 0) reports_.push_back(each->report());
  }
  const std::string mine = to_json(reports_, "");
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(rank_ == 0 ? ranks_ : 0));
  check_mpi(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, communicator_), "MPI_Gather");
  std::vector<int> places(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
  std::string all(static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), 0)), ' ');
  check_mpi(
      MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0, communicator_),
      "MPI_Gatherv");
  if (rank_ == 0) write_report(all, lengths, places);
}

void Library::write_report(const std::string& all, const std::vector<int>& lengths,
                           const std::vector<int>& places) const {
  const std::string words = attempt([&] {
    std::vector<CommunicatorReport> reports;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      const std::string_view text =
          std::string_view(all).substr(static_cast<std::size_t>(places[r]), static_cast<std::size_t>(lengths[r]));
      for (CommunicatorReport& report : reports_from_json(text)) reports.push_back(std::move(report));
    }
    const std::string platform = plans() ? run_->platform_source : "none: " + passes_why_;
    AtomicFile file(report_file_);
    const std::string text = report_file_.ends_with(".json") ? to_json(reports, platform) : to_text(reports, platform);
    file.append(text.data(), static_cast<Bytes>(text.size()));
    file.commit();
  });
  if (!words.empty()) say(fmt::format("tombolo: the report is lost: {}\n", words));
}

}  // namespace tombolo::interpose
