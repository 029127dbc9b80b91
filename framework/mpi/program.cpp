#include <utility>

#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/program.hpp>

namespace tombolo {

Program::Program(Session& session, std::string name, ProgramOptions options)
    : state_(std::make_unique<State>(session, std::move(name), std::move(options))) {}

Program::~Program() = default;

Domain Program::add_domain(std::string name, std::vector<std::int64_t> extents, DomainOptions options) {
  return state_->add_domain(std::move(name), std::move(extents), std::move(options));
}

AnyArray Program::add_array(std::string name, std::vector<std::int64_t> extents, const Distributed& distributed,
                            const Type& type, Reduction reduction) {
  return state_->add_array(std::move(name), std::move(extents), distributed, type, std::move(reduction));
}

void Program::scatterv(AnyArray array) {
  state_->communicate(TaskKind::scatterv, array);
}

void Program::gatherv(AnyArray array) {
  state_->communicate(TaskKind::gatherv, array);
}

void Program::bcast(AnyArray array) {
  state_->communicate(TaskKind::bcast, array);
}

void Program::allgatherv(AnyArray array) {
  state_->communicate(TaskKind::allgatherv, array);
}

void Program::halo(AnyArray array) {
  state_->communicate(TaskKind::halo, array);
}

void Program::allreduce(AnyArray partial) {
  state_->allreduce(partial);
}

void Program::move(AnyArray from, AnyArray to, const MoveOptions& options) {
  state_->add_move(from, to, false, options);
}

void Program::transpose(AnyArray from, AnyArray to, const MoveOptions& options) {
  state_->add_move(from, to, true, options);
}

void Program::swap(AnyArray one, AnyArray other) {
  state_->swap(one, other);
}

void Program::add_compute(const std::string& name, Domain over, const Cost& cost, BoundBody<const Range&> body) {
  state_->add_work(TaskKind::compute, name, over, cost, std::move(body));
}

void Program::add_farm(const std::string& name, Domain over, const Cost& cost, BoundBody<const Range&> body) {
  state_->add_work(TaskKind::farm, name, over, cost, std::move(body));
}

void Program::add_custom(const std::string& name, const Cost& cost, BoundBody<Collectives&> body) {
  state_->add_custom(name, cost, std::move(body));
}

void Program::repeat(const std::string& name, std::int64_t most, const std::function<void()>& body, LoopRule rule) {
  state_->repeat(name, most, body, std::move(rule));
}

void Program::plan() {
  state_->plan();
}

std::vector<ProgramForecast> Program::predict(std::span<Program* const> programs) {
  std::vector<State*> states;
  for (const Program* const program : programs) states.push_back(program->state_.get());
  return State::predict(states);
}

void Program::prepare() {
  state_->prepare();
}

void Program::use_phantom_memory() {
  state_->use_phantom_memory();
}

void Program::checkpoint(CheckpointOptions options) {
  state_->checkpoint(std::move(options));
}

std::pair<std::byte*, std::int64_t> Program::local_memory(AnyArray array, const char* what) const {
  return state_->local_memory(array, what);
}

AnyArray Program::renewed(AnyArray array) {
  return state_->renewed(array);
}

void Program::call_for_mine(Domain domain, const BoundBody<const Range&>& body) {
  state_->call_for_mine(domain, body);
}

void Program::read_file(AnyArray array, const std::filesystem::path& path, ElementType type) {
  state_->read(array, path, type);
}

void Program::write_file(AnyArray array, const std::filesystem::path& path, ElementType type) {
  state_->write(array, path, type);
}

bool Program::takes_part() const {
  return state_->takes_part();
}

const Division& Program::division(Domain domain) const {
  return state_->arrangement().division(state_->number_of(domain));
}

const Arrangement& Program::arrangement() const {
  return state_->arrangement();
}

Range Program::mine(Domain domain) const {
  return state_->mine(domain);
}

Distribution Program::distribution(AnyArray array) const {
  return distribution_of(state_->declaration(), state_->arrangement(), state_->number_of(array));
}

std::string Program::explain() const {
  return state_->explain();
}

const RunReport& Program::predicted() const {
  return state_->predicted();
}

RunReport Program::run() {
  return state_->run();
}

Session& Program::session() {
  return state_->session();
}

const Declaration& Program::declaration() const {
  return state_->declaration();
}

const std::string& Program::name() const {
  return state_->name();
}

std::uint64_t Program::serial() const {
  return state_->serial();
}

}  // namespace tombolo
