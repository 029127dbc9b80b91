#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <sched.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/run_platform.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/mpi/measure_protocols.hpp>
#include <tombolo/models/mpi/mpi_laboratory.hpp>
#include <tombolo/platform/clustering/stated_levels.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/measuring/certainty.hpp>
#include <tombolo/platform/mpi/broadcast_in_pieces.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/shared_in_process.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/cores.hpp>
#include <tombolo/platform/system/environment.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Long enough for a few round trips over long links, short enough for the start of any run.
constexpr double quick_seconds = 0.5;
constexpr double quick_protocols = 0.25;

// Messages that a kept platform is compared with, at every start.
constexpr Repeat few = {.least = 3, .most = 8, .precision = 0.5};
constexpr double check_seconds = 0.1;

constexpr const char* off = "no";
constexpr const char* learn_variable = "TOMBOLO_LEARN";

// An exchange of experience takes about as many of the longest latencies: three round trips to compare clocks, two more
// to agree.
constexpr Picoseconds latencies_of_exchange = 10;
constexpr Picoseconds part_of_run = 100;  // at most a hundredth of the time of the run

// The hardware threads that this process may use.
cpu_set_t affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
  return set;
}

/// A Processor in transferable form: fixed sizes, no pointers.
struct Card {
  std::array<char, 64> host{};
  std::array<char, 128> model{};
  std::array<int, 3> numbers{};  // cores, threads, characters of TOMBOLO_LEVELS
  Place place;
  CoreClaim claim;
};

template <std::size_t N>
void write(std::array<char, N>& field, const std::string& text) {
  // Platform files are UTF-8, but system names need not be.
  std::transform(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), N - 1)), field.begin(),
                 [](char c) { return c >= ' ' && c <= '~' ? c : '?'; });
}

// Returns true if a platform holds no results of longer measurements.
bool is_quick(const Platform& kept) {
  return std::all_of(kept.processors.begin(), kept.processors.end(),
                     [](const Processor& processor) { return processor.speeds.empty(); }) &&
         std::all_of(
             kept.sections.begin(), kept.sections.end(),
             [](const auto& section) { return section.first == kernels_section || section.first == models_section; }) &&
         stored_estimates(kept).size() <= 1;
}

}  // namespace

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string line(text);  // the length of Open MPI counts the terminator
  line.resize(std::min(line.find('\n'), line.size()));
  for (char& c : line) c = c == '\t' ? ' ' : c;
  return line;
}

RunPlatform::RunPlatform(MPI_Comm of, int threads) : communicator(of), began(machine::now()) {
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  const std::string mine = environment("TOMBOLO_LEVELS");
  find_levels(mine, find_processors(threads, static_cast<int>(mine.size())));
}

RunPlatform::RunPlatform(MPI_Comm of, Platform platform_of, std::string source)
    : communicator(of),
      began(machine::now()),
      processors(platform_of.processors),
      platform(std::move(platform_of)),
      platform_source(std::move(source)),
      platform_is_file(true),
      imagined(true) {}

std::vector<int> RunPlatform::find_processors(int threads, int length_of_levels) {
  const Cores cores = machine::cores();
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check_mpi(MPI_Get_processor_name(host, &length), "MPI_Get_processor_name");
  Card mine;
  write(mine.host, host);
  write(mine.model, cores.processor);
  mine.numbers = {cores.usable, threads, length_of_levels};
  mine.place = machine::place();
  mine.claim = {.threads = affinity(), .cores = cores.allowed, .quota = cores.quota, .quota_group = cores.quota_group};
  const std::vector<Card> all = of_all_ranks(communicator, mine);
  std::map<std::string, std::vector<CoreClaim>> of_host;
  for (const Card& card : all) of_host[card.host.data()].push_back(card.claim);
  std::map<std::string, std::size_t> place;  // next index among the claims of a host
  std::vector<int> lengths;
  for (const Card& card : all) {
    lengths.push_back(card.numbers[2]);
    const std::vector<CoreClaim>& claims = of_host[card.host.data()];
    processors.push_back({.host = card.host.data(),
                          .model = card.model.data(),
                          .cores = card.numbers[0],
                          .ranks_sharing = ranks_sharing(claims, place[card.host.data()]++),
                          .ranks_on_host = static_cast<int>(claims.size()),
                          .threads = card.numbers[1],
                          .place = card.place});
  }
  return lengths;
}

std::vector<std::string> RunPlatform::hosts_by_rank() const {
  std::vector<std::string> hosts;
  for (const Processor& processor : processors) hosts.push_back(processor.host);
  return hosts;
}

CacheKey RunPlatform::cache_key() const {
  CacheKey key;
  key.hosts = hosts_by_rank();
  key.mpi = mpi_library();
  key.simulated = machine::simulated();
  key.levels = levels;
  for (const Processor& processor : processors) {
    key.places.push_back(processor.place);
    key.models.push_back(processor.model);
  }
  return key;
}

void RunPlatform::find_levels(const std::string& mine, const std::vector<int>& lengths) {
  std::vector<int> places;
  int total = 0;
  for (const int length : lengths) {
    places.push_back(total);
    total += length;
  }
  if (total == 0) return;
  std::string all(static_cast<std::size_t>(total), ' ');
  check_mpi(MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, all.data(), lengths.data(), places.data(),
                        MPI_CHAR, 0, communicator),
            "MPI_Gatherv");
  broadcast_in_pieces(communicator, 0, all.data(), total);
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    levels.push_back(all.substr(static_cast<std::size_t>(places[r]), static_cast<std::size_t>(lengths[r])));
  }
}

StatedLevels RunPlatform::stated_levels() const {
  StatedLevels stated;
  if (levels.empty()) return stated;
  agree(communicator, [&] { stated = stated_by_processes(levels, ranks_of_hosts(processors)); });
  return stated;
}

void RunPlatform::use_file(const std::string& path) {
  const std::vector<std::string> hosts = hosts_by_rank();
  std::string text;
  agree(communicator, [&] {
    if (rank != 0) return;
    const Platform read = read_platform(path);
    check_platform_fits(read, hosts, path);
    text = to_json(read);
  });
  platform = platform_from_json(text_from(communicator, 0, std::move(text)), path);
  platform_source = path;
  platform_is_file = true;
  if (!planner) return;
  recall_plans();
  renew_planner();
}

std::string RunPlatform::write_kept(const Platform& found) const {
  // Nothing is cached in a simulation: other simulated platforms may have the same host names.
  if (rank != 0 || machine::simulated()) return {};
  return attempt([&] { keep_cached(cache_key(), found); });
}

std::string RunPlatform::keep(const Platform& found) const {
  const bool written = write_kept(found).empty() && rank == 0 && !machine::simulated();
  return text_from(communicator, 0, written ? cache_file(cache_key())->string() : "");
}

// Returns what of the platform is not so any more, in words; empty if nothing is.
std::string RunPlatform::changed() const {
  const std::vector<std::pair<Rank, Rank>> pairs = neighbours(*platform);
  std::vector<Experiment> experiments;
  for (const auto& [a, b] : pairs) experiments.push_back({.a = a, .b = b});
  MpiLaboratory laboratory(communicator, *platform, {.seconds = check_seconds});
  return changed_latency(*platform, pairs, laboratory.run(experiments, few));
}

const Platform& RunPlatform::find() {
  if (platform) return *platform;
  const CacheKey key = cache_key();
  std::string text;
  if (rank == 0 && !machine::simulated()) {
    if (const auto cached = find_cached(key)) text = to_json(*cached);
  }
  text = text_from(communicator, 0, std::move(text));
  if (!text.empty()) {
    platform = platform_from_json(text, "the platform kept for these hosts");
    platform_source = "kept by an earlier run on these hosts";
  }
  std::string why;
  if (platform) {
    const bool quick = is_quick(*platform);
    if (quick) why = unsure_latency(*platform);
    if (why.empty()) why = changed();
    if (!quick && !why.empty()) platform_source += fmt::format(", which found {}; measure with tombolo discover", why);
    if (!quick || why.empty()) return *platform;
  }
  auto sections = platform ? std::move(platform->sections) : std::map<std::string, std::string>();
  const Picoseconds begin = machine::now();
  platform = discover(communicator, processors, {.budget = quick_seconds, .precision = 0.1, .stated = stated_levels()});
  sections.merge(platform->sections);
  platform->sections = std::move(sections);
  measure_protocols(communicator, *platform, quick_protocols);
  platform->origin.mpi = mpi_library();
  platform->origin.seconds = of_rank_0(communicator, seconds(machine::now() - begin));
  platform_source = fmt::format("measured in {:.2g} s", platform->origin.seconds);
  if (!why.empty()) platform_source += fmt::format(", as an earlier run found {}", why);
  const std::string why_not = text_from(communicator, 0, write_kept(*platform));
  not_kept = !why_not.empty();
  if (not_kept) platform_source += fmt::format(", not kept for later runs: {}", why_not);
  return *platform;
}

void RunPlatform::remember(const std::string& section, std::string json) {
  find();
  platform->sections[section] = std::move(json);
  if (!platform_is_file) keep(*platform);
}

void RunPlatform::charge(double operations) const {
  machine::execute(operations, processors[static_cast<std::size_t>(rank)].threads);
}

std::int64_t RunPlatform::speed_of(double units, double operations, const std::function<std::int64_t()>& kernel) const {
  if (!machine::simulated()) return kernel();
  const Picoseconds begin = machine::now();
  charge(operations);
  return std::max<std::int64_t>(std::llround(units / seconds(machine::now() - begin)), 1);
}

std::vector<std::int64_t> RunPlatform::measure_rate(double units, double operations,
                                                    const std::function<std::int64_t()>& kernel) const {
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  return of_all_ranks(communicator, speed_of(units, operations, kernel));
}

void RunPlatform::make_planner() {
  if (planner) return;
  find();
  if (!tuning) {
    const std::string path = text_from(communicator, 0, environment("TOMBOLO_TUNING"));
    if (!path.empty()) use_tuning(path);
  }
  recall_plans();
  renew_planner();
}

void RunPlatform::renew_planner() {
  planner = shared_in_process<Planner>(communicator, [&] {
    auto made = std::make_shared<Planner>(*platform);
    if (tuning) made->use(*tuning);
    if (plans) made->use(plans);
    return made;
  });
}

void RunPlatform::use_tuning(const std::string& path) {
  const std::vector<std::string> hosts = hosts_by_rank();
  std::string text;
  agree(communicator, [&] {
    if (rank != 0) return;
    const Tuning read = read_tuning(path);
    read.check_fits(hosts, printable(path));
    text = to_json(read);
  });
  tuning = tuning_from_json(text_from(communicator, 0, std::move(text)), path);
  if (planner) renew_planner();
}

// A kernel's speeds say nothing of plans and are measured at any time. Platforms from files have files of their own.
void RunPlatform::recall_plans() {
  if (imagined || machine::simulated()) return;  // other simulated platforms may have the same host names
  keep_plans();                                  // of another platform
  Platform known = *platform;
  known.sections.erase(kernels_section);
  plans = std::make_shared<KeptPlans>(known);
  std::string text;
  agree(communicator, [&] {
    if (rank != 0) return;
    const std::string learn = environment(learn_variable);
    if (!learn.empty() && learn != off && learn != "yes") {
      throw Error(fmt::format("{}: '{}' is not one of yes, no", learn_variable, learn), "set it to no, or unset it");
    }
    plans_file = cache_file(cache_key(), platform_is_file ? plans->platform() + ".plans" : "plans");
    if (learn == off || (not_kept && !platform_is_file)) plans_file.reset();
    text = plans_file ? read_cached(*plans_file, KeptPlans::most_bytes * 2).value_or("") : off;
  });
  text = text_from(communicator, 0, std::move(text));
  if (text == off) {
    plans.reset();
    return;
  }
  plans->read(text);
  if (!call_times) call_times = std::make_shared<CallTimes>();
}

std::string RunPlatform::keep_plans() const {
  if (!plans || !plans_file || !plans->changed()) return {};
  return attempt([&] { write_cached(*plans_file, plans->to_json()); });
}

void RunPlatform::keep_experience() const {
  if (!plans || !call_times->has_enough()) return;
  const Request barrier = Request::barrier(static_cast<int>(processors.size()));
  const Picoseconds latency = planner->model_for(barrier, *algorithms_for(barrier).front()).longest_latency();
  Picoseconds shortest = machine::now() - began;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_INT64_T, MPI_MIN, communicator), "MPI_Allreduce");
  if (latency * latencies_of_exchange > shortest / part_of_run) return;
  for (const Experience& each : call_times->makespans(communicator)) {
    std::optional<KeptPlan> kept = plans->find(each.plan.request());
    if (!kept) continue;
    kept->add(each.plan, each.makespans);
    plans->keep(*kept);
  }
}

}  // namespace tombolo
