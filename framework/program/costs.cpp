#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <tombolo/collectives/pipeline_time.hpp>
#include <tombolo/collectives/predict.hpp>
#include <tombolo/framework/program/costs.hpp>
#include <tombolo/framework/program/requests.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t most_segments = 16;  // that are predicted rank by rank
constexpr double ps_per_second = 1e12;

bool all_know(const Request& request) {
  return request.operation != Operation::alltoallv || request.ranks == 1 || request.exchange.knows((request.ranks) - 1);
}

// A long pipeline, of which a few segments are simulated; its members end at about the same time.
bool is_pipeline(const Plan& plan) {
  const Request& request = plan.request();
  const Bytes segment = plan.parameters().segment_bytes;
  return sizes(request.operation) == Sizes::vector && segment > 0 &&
         request.count / most_segments >= std::max<Bytes>(segment / request.element_bytes, 1);
}

Picoseconds latest(std::span<const Picoseconds> times) {
  return *std::max_element(times.begin(), times.end());
}

// never, where it is longer than times can be.
Picoseconds picoseconds(double operations, double speed) {
  const double time = operations / speed * ps_per_second;
  return time < static_cast<double>(never) ? static_cast<Picoseconds>(std::llround(time)) : never;
}

}  // namespace

std::int64_t problem_size(const DeclaredTask& task, std::int64_t items) {
  constexpr std::int64_t large = std::numeric_limits<std::int64_t>::max();
  if (task.size == 0) return large;
  return items > large / task.size ? large : items * task.size;
}

const Algorithm& assumed_natively(const Request& request) {
  constexpr Bytes long_vector = 12288;
  constexpr int few = 8;
  switch (request.operation) {
    case Operation::scatterv:
      return scatterv_flat;
    case Operation::gatherv:
      return gatherv_flat;
    case Operation::bcast:
      return request.ranks < few || request.count * request.element_bytes < long_vector ? bcast_binomial
                                                                                        : bcast_scatter_ring_allgather;
    case Operation::allreduce:
      return allreduce_recursive_doubling;
    case Operation::allgatherv:
      return allgatherv_ring;
    default:
      return alltoallv_direct;
  }
}

Costs::Costs(const Declaration& program, const Arrangement& arrangement, const SpeedsByKernel& speeds, Planner& planner,
             bool native)
    : program_(program), arrangement_(arrangement), speeds_(speeds), planner_(planner), native_(native) {}

bool Costs::by_mpi(const Request& request) const {
  return native_ || planner_.carrier(request) == Carrier::native;
}

std::optional<Plan> Costs::plan(const Action& action) {
  const Rank some = 0;  // where a rank knows only its own counts, none of the plan depends on them
  const auto request = request_of(program_, arrangement_, action, some);
  if (!request) return std::nullopt;
  const auto known = plans_.find(action.task);
  if (known == plans_.end()) {
    return plans_.emplace(action.task, native_ ? Plan(*request, assumed_natively(*request)) : planner_.plan(*request))
        .first->second;
  }
  if (known->second.request() == *request) return known->second;
  return Plan(*request, known->second.algorithm(), known->second.parameters());
}

std::vector<Picoseconds> Costs::communicated(const Plan& plan, std::span<const Picoseconds> start) {
  const Model& model = planner_.model_for(plan.request(), plan.algorithm());
  if (!all_know(plan.request())) return {start.begin(), start.end()};
  if (!is_pipeline(plan)) return predict(plan, model, start).finish;
  return std::vector<Picoseconds>(start.size(), plus(latest(start), pipeline_time(plan, model)));
}

std::int64_t Costs::speed(const DeclaredTask& task, Rank member, std::int64_t items) const {
  const auto rank = static_cast<std::size_t>(arrangement_.members[static_cast<std::size_t>(member)]);
  return speeds_.at(task.kernel)[rank].at(problem_size(task, items));
}

// Of all members, each with the items that it has.
double Costs::speed_together(const DeclaredTask& task) const {
  double together = 0;
  for (Rank r = 0; r < arrangement_.ranks(); ++r) {
    const bool shared = task.slices != DeclaredTask::none;
    together += static_cast<double>(speed(task, r, shared ? arrangement_.division(task.slices).items_of(r) : 0));
  }
  return together;
}

// All its work at that speed.
Picoseconds Costs::computing_together(const DeclaredTask& task) const {
  double work = task.operations * arrangement_.ranks();
  if (task.kind != TaskKind::own) {
    const DeclaredSlices& slices = program_.slices[static_cast<std::size_t>(task.slices)];
    work = task.operations * static_cast<double>(weight(slices, 0, slices.items));
  }
  return picoseconds(work, speed_together(task));
}

const std::vector<std::int64_t>& Costs::moved(int task) {
  const auto known = moved_.find(task);
  if (known != moved_.end()) return known->second;
  return moved_.emplace(task, moved_by_members(program_, arrangement_, task_of(task))).first->second;
}

std::vector<Picoseconds> Costs::put_in_order(int number, std::span<const Picoseconds> start) {
  const DeclaredTask& task = task_of(number);
  std::vector<Picoseconds> ends(start.begin(), start.end());
  if (task.kernel.empty()) return ends;
  for (Rank r = 0; r < arrangement_.ranks(); ++r) {
    const auto member = static_cast<std::size_t>(r);
    ends[member] += picoseconds(static_cast<double>(moved(number)[member]), static_cast<double>(speed(task, r, 0)));
  }
  return ends;
}

std::vector<Picoseconds> Costs::computed(const Action& action, std::span<const Picoseconds> start) {
  const DeclaredTask& task = task_of(action.task);
  if (task.puts_in_order()) return put_in_order(action.task, start);
  std::vector<Picoseconds> ends(start.begin(), start.end());
  if (task.operations == 0) return ends;
  if (task.kind == TaskKind::farm) {
    // Whoever is ready takes what is left, so all end together.
    std::fill(ends.begin(), ends.end(), plus(latest(start), computing_together(task)));
    return ends;
  }
  for (Rank r = 0; r < arrangement_.ranks(); ++r) {
    double work = task.operations;
    std::int64_t items = 0;
    if (task.kind == TaskKind::compute) {
      const DeclaredSlices& slices = program_.slices[static_cast<std::size_t>(task.slices)];
      std::int64_t weights = 0;
      for (const Slice& slice : slices_of(program_, arrangement_, action, r)) {
        weights += weight(slices, slice.first, slice.count);
        items += slice.count;
      }
      work *= static_cast<double>(weights);
    }
    Picoseconds& end = ends[static_cast<std::size_t>(r)];
    end = plus(end, picoseconds(work, static_cast<double>(speed(task, r, items))));
  }
  return ends;
}

std::vector<Picoseconds> Costs::ends(const Action& action, std::span<const Picoseconds> start) {
  const DeclaredTask& task = task_of(action.task);
  if (const auto asked = plan(action)) return communicated(*asked, start);
  std::vector<Picoseconds> ends = computed(action, start);
  if (task.kind == TaskKind::own && task.bytes > 0 && arrangement_.ranks() > 1) {
    const Picoseconds passed = planner_.bound(Request::bcast(arrangement_.ranks(), 0, task.bytes, 1));
    std::fill(ends.begin(), ends.end(), plus(latest(ends), passed));
  }
  return ends;
}

double Costs::computing_s(const DeclaredTask& task, Rank member, double operations) const {
  if (operations == 0) return 0;
  return operations / static_cast<double>(speed(task, member, arrangement_.division(task.slices).items_of(member)));
}

std::vector<Picoseconds> Costs::told(std::span<const Picoseconds> start) {
  const Request verdict = Request::bcast(arrangement_.ranks(), 0, 1, sizeof(int));
  return communicated(native_ ? Plan(verdict, assumed_natively(verdict)) : planner_.plan(verdict), start);
}

Picoseconds Costs::bound(int number) {
  const DeclaredTask& task = task_of(number);
  if (task.puts_in_order()) {
    if (task.kernel.empty()) return 0;
    const std::vector<std::int64_t>& all = moved(number);
    return picoseconds(static_cast<double>(std::accumulate(all.begin(), all.end(), std::int64_t{0})),
                       speed_together(task));
  }
  if (task.operations > 0) return computing_together(task);
  const auto request = request_of(program_, arrangement_, {number}, 0);
  if (!request || !all_know(*request)) return 0;
  Picoseconds sum = planner_.bound(*request);
  const int array = task.array;
  const int slices =
      array == DeclaredTask::none ? DeclaredArray::whole : program_.arrays[static_cast<std::size_t>(array)].slices;
  const bool in_panels =
      task.kind == TaskKind::scatterv || task.kind == TaskKind::gatherv || task.kind == TaskKind::allgatherv;
  if (!in_panels || slices == DeclaredArray::whole) return sum;
  for (int panel = 1; panel < arrangement_.division(slices).panels(); ++panel) {
    sum = plus(sum, planner_.bound(*request_of(program_, arrangement_, {number, panel}, 0)));
  }
  return sum;
}

std::string Costs::how_moved(int number) {
  const DeclaredTask& task = task_of(number);
  const Redistribution moves = redistribution_of(program_, arrangement_, task);
  if (task.spends && moves.is_view()) return "view: nothing moves";
  if (task.kind == TaskKind::move) return "every element is on its rank";
  const std::vector<std::int64_t>& all = moved(number);
  const bool nothing = std::all_of(all.begin(), all.end(), [](std::int64_t elements) { return elements == 0; });
  if (nothing) return "in order as it is";
  if (task.kind == TaskKind::unpack) return "blocks that arrived, put together";
  return moves.ends().turns() ? "blocks for each rank, transposed" : "blocks for each rank, copied";
}

std::string Costs::how(int number) {
  const DeclaredTask& task = task_of(number);
  if (const auto asked = plan({number})) {
    return (!arrangement_.overlaps && by_mpi(asked->request()) ? "native, taken as " : "") + asked->how();
  }
  if (task.moves()) return how_moved(number);
  if (task.kind == TaskKind::swap) return "names change places";
  if (task.kind == TaskKind::farm) return task.kernel + ", to whoever is ready";
  return task.kernel.empty() ? "the program's own" : task.kernel;
}

}  // namespace tombolo
