#include <algorithm>
#include <cmath>
#include <limits>

#include <tombolo/collectives/choose/size_class.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/plan/costs.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t most_segments = 16;  // segments predicted rank by rank
constexpr double ps_per_second = 1e12;

// Seconds between looks at messages that are under way. More looks take time themselves; short computations need some
// all the same, as a collective takes several steps.
constexpr double usual_piece = 20e-3;
constexpr double shortest_piece = 1e-3;
constexpr std::int64_t least_pieces = 8;
constexpr double most_pieces = 4096;

bool all_know(const Request& request) {
  return sizes(request.operation) != Sizes::exchange || request.ranks == 1 ||
         request.exchange.knows((request.ranks) - 1);
}

// True for a long pipeline, of which only a few segments are simulated; its members end at about the same time.
bool is_pipeline(const Plan& plan) {
  const Request& request = plan.request();
  const Bytes segment = plan.parameters().segment_bytes;
  return sizes(request.operation) == Sizes::vector && segment > 0 &&
         request.count / most_segments >= std::max<Bytes>(segment / request.element_bytes, 1);
}

Picoseconds latest(std::span<const Picoseconds> times) {
  return *std::max_element(times.begin(), times.end());
}

// Returns the algorithm that a native collective is assumed to use: flat scatterv and gatherv, as in the LMO paper
// (section 7); broadcasts by size, rings and direct exchanges as in MPICH (Thakur, Rabenseifner and Gropp 2005).
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

// Returns the time of operations; `never` on overflow.
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

Pieces pieces_of(const DeclaredTask& task, std::int64_t grain, std::int64_t items, double seconds) {
  const auto fitting = [&](double piece) {
    return static_cast<std::int64_t>(std::llround(std::clamp(seconds / piece, 1.0, most_pieces)));
  };
  const std::int64_t wanted = std::min(fitting(shortest_piece), std::max(fitting(usual_piece), least_pieces));
  const std::int64_t each = std::max({(items - 1) / wanted + 1, grain, std::int64_t{1}});
  const std::int64_t by_items = (items - 1) / each + 1;
  return {.items = each, .parts = std::clamp((wanted - 1) / by_items + 1, std::int64_t{1}, task.parts)};
}

Costs::Costs(const Declaration& program, const Arrangement& arrangement, const SpeedsByKernel& speeds, Planner& planner,
             bool native, PlansByTask others, Pairing pairing)
    : program_(program),
      arrangement_(arrangement),
      speeds_(speeds),
      planner_(planner),
      native_(native),
      others_(std::move(others)),
      pairing_(pairing) {}

bool Costs::by_mpi(const Request& request) const {
  return native_ || planner_.backend(request) == Backend::native;
}

Plan Costs::alone(int task, const Request& request) {
  if (native_) return Plan(request, assumed_natively(request));
  const auto other = others_.find(task);
  if (other == others_.end() || !alike(other->second.request(), request)) return planner_.plan(request);
  return Plan(request, other->second.algorithm(), other->second.parameters());
}

Plan Costs::paired(Plan plan) {
  const Request& request = plan.request();
  const bool gathers = request.operation == Operation::gatherv;
  if (pairing_ == Pairing::none || (!gathers && request.operation != Operation::scatterv)) return plan;
  for (std::size_t task = 0; task < program_.tasks.size(); ++task) {
    const auto other = request_of(program_, arrangement_, {.task = static_cast<int>(task)}, 0);
    if (!other || !are_opposite(request, *other)) continue;
    const Plan its = alone(static_cast<int>(task), *other);
    const bool scatters_flat = &(gathers ? its : plan).algorithm() == &scatterv_flat;
    const bool gathers_flat = &(gathers ? plan : its).algorithm() == &gatherv_flat;
    const Algorithm& flat = gathers ? gatherv_flat : scatterv_flat;
    if (pairing_ == Pairing::flat && !scatters_flat && !gathers_flat) return Plan(request, flat);
    const bool follows = gathers == (scatters_flat || !gathers_flat);
    const bool as_flat = scatters_flat || gathers_flat;
    if (!follows || (!as_flat && its.algorithm().name != plan.algorithm().name)) return plan;
    const Algorithm& algorithm = as_flat ? flat : plan.algorithm();
    Parameters parameters = &algorithm == &plan.algorithm() ? plan.parameters() : Parameters{};
    if (!as_flat) parameters.segment_bytes = its.parameters().segment_bytes;
    parameters.window = its.parameters().window;
    parameters.channels = its.parameters().channels;
    return Plan(request, algorithm, parameters);
  }
  return plan;
}

std::optional<Plan> Costs::plan(const Action& action) {
  const Rank some = 0;  // if a rank knows only its own counts, the plan depends on no counts
  const auto request = request_of(program_, arrangement_, action, some);
  if (!request) return std::nullopt;
  const auto known = plans_.find(action.task);
  if (known == plans_.end()) return plans_.emplace(action.task, paired(alone(action.task, *request))).first->second;
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

// Returns the sum of the members' speeds, each at its own problem size.
double Costs::speed_together(const DeclaredTask& task) const {
  double together = 0;
  for (Rank r = 0; r < arrangement_.ranks(); ++r) {
    const bool shared = task.slices != DeclaredTask::none;
    together += static_cast<double>(speed(task, r, shared ? arrangement_.division(task.slices).items_of(r) : 0));
  }
  return together;
}

const std::vector<MemberWork>& Costs::work(const Action& action) {
  const std::tuple key(action.task, action.panel, action.portion);
  const auto known = work_.find(key);
  if (known != work_.end()) return known->second;
  return work_.emplace(key, rules(task_of(action.task).kind).work(program_, arrangement_, action)).first->second;
}

// Returns the time of a task's whole work at the summed speed of all members; 0 without work.
Picoseconds Costs::computing_together(int number) {
  const DeclaredTask& task = task_of(number);
  MemberWork all;
  for (int panel = 0; panel < panels_of(program_, arrangement_, task); ++panel) {
    for (const MemberWork& of_member : work({number, panel})) {
      all.each = of_member.each;
      all.units += of_member.units;
    }
  }
  return all.operations() == 0 ? 0 : picoseconds(all.operations(), speed_together(task));
}

std::vector<Picoseconds> Costs::computed(const Action& action, std::span<const Picoseconds> start) {
  const DeclaredTask& task = task_of(action.task);
  std::vector<Picoseconds> ends(start.begin(), start.end());
  if (rules(task.kind).hands_out() && task.operations > 0) {
    std::fill(ends.begin(), ends.end(), plus(latest(start), computing_together(action.task)));
    return ends;
  }
  const std::vector<MemberWork>& of_members = work(action);
  for (std::size_t r = 0; r < of_members.size(); ++r) {
    const MemberWork& mine = of_members[r];
    if (mine.operations() == 0) continue;
    const auto each_second = static_cast<double>(speed(task, static_cast<Rank>(r), mine.items));
    ends[r] = plus(ends[r], picoseconds(mine.operations(), each_second));
  }
  return ends;
}

std::vector<Picoseconds> Costs::pieces(const Action& action, std::span<const Picoseconds> start,
                                       std::span<const Picoseconds> end) {
  const DeclaredTask& task = task_of(action.task);
  std::vector<Picoseconds> of_members(static_cast<std::size_t>(arrangement_.ranks()), 0);
  if (!rules(task.kind).computes_items()) return of_members;
  const std::int64_t grain = program_.slices[static_cast<std::size_t>(task.slices)].grain;
  const std::vector<MemberWork>& work_of = work(action);
  for (std::size_t r = 0; r < work_of.size(); ++r) {
    const std::int64_t items = work_of[r].items;
    if (items == 0 || end[r] == never) continue;
    const Picoseconds all = end[r] - start[r];
    const Pieces pieces = pieces_of(task, grain, items, seconds(all));
    of_members[r] = all / (((items - 1) / pieces.items + 1) * pieces.parts);
  }
  return of_members;
}

std::vector<Picoseconds> Costs::ends(const Action& action, const std::optional<Plan>& plan,
                                     std::span<const Picoseconds> start) {
  const DeclaredTask& task = task_of(action.task);
  if (plan) return communicated(*plan, start);
  std::vector<Picoseconds> ends = computed(action, start);
  if (task.bytes > 0 && arrangement_.ranks() > 1) {
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
  if (const Picoseconds computing = computing_together(number); computing > 0) return computing;
  Picoseconds sum = 0;
  for (int panel = 0; panel < panels_of(program_, arrangement_, task_of(number)); ++panel) {
    const auto request = request_of(program_, arrangement_, {number, panel}, 0);
    if (!request || !all_know(*request)) return 0;
    sum = plus(sum, planner_.bound(*request));
  }
  return sum;
}

std::string Costs::how(int number) {
  const DeclaredTask& task = task_of(number);
  if (const auto asked = plan({number})) {
    return (!arrangement_.overlaps && by_mpi(asked->request()) ? "native, taken as " : "") +
           (native_ || *asked != planner_.plan(asked->request()) ? asked->how()
                                                                 : planner_.describe_plan(asked->request()));
  }
  return rules(task.kind).how(program_, arrangement_, task);
}

}  // namespace tombolo
