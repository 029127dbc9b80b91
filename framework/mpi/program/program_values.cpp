// Values of a program's arrays between runs: in memory, from and to files.
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

void Program::State::need_prepared(const char* what) const {
  if (running_) {
    throw std::logic_error(fmt::format(
        "program {}: {}() while it runs; declare an access to the array, and the body gets a view", name(), what));
  }
  if (!prepared_) {
    throw std::logic_error(fmt::format("program {}: {}() before there is memory; prepare() first", name(), what));
  }
}

NewestValues Program::State::values_here() const {
  NewestValues values = *newest_;
  for (std::size_t i = 0; i < renewed_.size(); ++i) {
    if (renewed_[i] != 0) values.set(static_cast<int>(i), NewestValues::filled(body_.declared.arrays[i]));
  }
  return values;
}

std::pair<std::byte*, std::int64_t> Program::State::local_memory(AnyArray array, const char* what) const {
  const int number = number_of(array);
  need_prepared(what);
  const ArrayMemory& memory = body_.array(number);
  const DeclaredArray& declared = memory.declared();
  const Copies copies = values_here().of(number);
  const auto refuse = [&](const char* where, const char* remedy) {
    throw Error(fmt::format("program {}: {} of {}, whose newest values are {}", name(), what, declared.name, where),
                remedy);
  };
  if (copies.combined) refuse("parts that nothing has reduced", "allreduce() it in the program");
  if (copies == Copies{}) refuse("nowhere, as a move has spent it", "move it without spending it, or refill() it");
  if (memory.data() == nullptr || memory.phantom()) return {nullptr, 0};
  const bool all_of_it = memory.whole() && (copies.everywhere || (copies.root && declared.root == session_.rank()));
  if (all_of_it) return {memory.data(), memory.elements()};
  if (copies.root || copies.everywhere) return {nullptr, 0};
  if (!declared.sliced()) return {memory.data(), memory.elements()};
  const Division& division = arrangement_->division(declared.slices);
  if (memory.whole() && division.panels() > 1) {
    refuse("in several ranges of this rank", "each_of_mine() visits them, gatherv() in the program collects them");
  }
  return {memory.at(division.slice(0, member_)), division.items_of(member_) * declared.shape.columns};
}

AnyArray Program::State::renewed(AnyArray array) {
  const int number = number_of(array);
  need_prepared("refill");
  renewed_[static_cast<std::size_t>(number)] = 1;
  body_.array(number).set_combining(false);
  body_.array(number).have_own(session_);
  return array;
}

void Program::State::call_for_mine(Domain domain, const BoundBody<const Range&>& body) {
  const int over = number_of(domain);
  need_prepared("each_of_mine");
  DeclaredTask task{
      .name = "each_of_mine", .kind = TaskKind::compute, .slices = over, .operations = 1, .kernel = "any"};
  declare_accesses(task, body.accesses);
  rules(task.kind).check(body_.declared, task);
  for (const int array : task.combines) {
    throw Error(fmt::format("program {}: each_of_mine combines {}, which only a program reduces", name(),
                            body_.array(array).declared().name),
                "combine it in a compute() and allreduce() it");
  }
  for (const auto* written : {&task.writes, &task.updates}) {
    for (const int array : *written) {
      if (NewestValues::filled(body_.array(array).declared()) == Copies{.items = true}) continue;
      throw Error(fmt::format("program {}: each_of_mine {} items of {}, which begins as a whole", name(),
                              written == &task.writes ? "writes" : "updates", body_.array(array).declared().name),
                  "fill it where it is whole: local() at its root or on every rank");
    }
  }
  NewestValues values = values_here();
  rules(task.kind).follow(body_.declared, task, values);
  for (const auto* written : {&task.writes, &task.updates}) {
    for (const int array : *written) renewed(AnyArray{array, serial_});
  }
  if (!takes_part() || session_.phantom()) return;
  BodyCaller caller(body_, body.accesses);
  const Division& division = arrangement_->division(over);
  const Running running(*this);
  for (int panel = 0; panel < division.panels(); ++panel) {
    const auto mine = division.slice(panel, member_);
    if (mine.count > 0) caller.call(body, body_.domain(over), mine);
  }
}

// Agrees on the arrays that were filled: at the root for arrays with a root, else on all members. Throws AgreedError if
// a replicated array is filled on some members only.
void Program::State::agree_on_values() {
  const std::size_t all = renewed_.size();
  std::vector<int> agreed(2 * all, 1);  // for each array: filled by all; then for each array: filled by none
  for (std::size_t i = 0; i < all; ++i) {
    const DeclaredArray& array = body_.declared.arrays[i];
    const bool asked = array.root ? *array.root == session_.rank() : takes_part();
    if (asked) agreed[i + (renewed_[i] != 0 ? all : 0)] = 0;
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, agreed.data(), static_cast<int>(agreed.size()), MPI_INT, MPI_MIN,
                          session_.communicator()),
            "MPI_Allreduce");
  for (std::size_t i = 0; i < all; ++i) {
    const DeclaredArray& array = body_.declared.arrays[i];
    if (!array.everywhere || agreed[i] != 0 || agreed[all + i] != 0) continue;
    throw AgreedError(
        fmt::format("program {}: {} is filled on some ranks and not on others, which hold it too; fill "
                    "it on all ranks, or declare it at a root and bcast it",
                    name(), array.name));
  }
  for (std::size_t i = 0; i < all; ++i) {
    if (agreed[i] != 0) newest_->set(static_cast<int>(i), NewestValues::filled(body_.declared.arrays[i]));
    renewed_[i] = 0;
  }
}

void Program::State::with_members(const std::string& what, AnyArray array, const std::filesystem::path& path,
                                  const std::function<void(MPI_Comm)>& work) {
  if (running_) need_prepared("read or write");
  prepare();
  const std::string which =
      array.program == serial_ ? body_.array(array.number).declared().name : "an array that it has not made";
  check_same_call(session_.communicator(),
                  fmt::format("{} {} of program {}, file {}", what, which, name(), tombolo::quoted(path.string())));
  agree_on_values();
  if (session_.phantom()) return;
  const std::string failed = takes_part() ? attempt([&] { work(members_); }) : std::string();
  agree(session_.communicator(), [&] {
    if (!failed.empty()) throw std::runtime_error(failed);
  });
}

void Program::State::read(AnyArray array, const std::filesystem::path& path, ElementType type) {
  prepare();
  renewed(array);
  with_members("reads", array, path, [&](MPI_Comm members) {
    const Distribution held = filled_distribution(array);
    std::byte* const to = file_memory(array);
    with_type(type, [&]<Element T>(std::type_identity<T> /*type*/) {
      read_distributed(members, path, held, reinterpret_cast<T*>(to));
    });
  });
  tell_numbers();
}

void Program::State::write(AnyArray array, const std::filesystem::path& path, ElementType type) {
  with_members("writes", array, path, [&](MPI_Comm members) {
    const Storage<std::byte> packed = packed_items(array, newest_->of(number_of(array)));
    const std::byte* const from = packed.size() > 0 ? packed.data() : file_memory(array);
    const Distribution held = newest_distribution(array);
    with_type(type, [&]<Element T>(std::type_identity<T> /*type*/) {
      write_distributed(members, path, held, reinterpret_cast<const T*>(from));
    });
  });
}

Distribution Program::State::filled_distribution(AnyArray array) const {
  return distribution_in(array, NewestValues::filled(body_.array(number_of(array)).declared()));
}

Distribution Program::State::newest_distribution(AnyArray array) const {
  return distribution_in(array, newest_->of(number_of(array)));
}

Distribution Program::State::distribution_in(AnyArray array, const Copies& copies) const {
  const int number = number_of(array);
  const DeclaredArray& declared = body_.array(number).declared();
  const int ranks = arrangement_->ranks();
  if (copies.root) return Distribution::at(arrangement_->member(*declared.root), declared.shape, ranks);
  if (copies.everywhere) return Distribution::everywhere(declared.shape, ranks);
  if (copies.items) return distribution_of(body_.declared, *arrangement_, number);
  throw Error(fmt::format("program {}: {} is to be written, whose newest values are {}", name(), declared.name,
                          copies.combined ? "parts that nothing has reduced" : "nowhere, as a move has spent it"),
              copies.combined ? "allreduce() it in the program" : "write what it was moved to");
}

std::byte* Program::State::file_memory(AnyArray array) const {
  return body_.array(number_of(array)).data();
}

// True if a rank's items lie in the panels of a whole array, so that they are not contiguous.
bool Program::State::in_panels(AnyArray array, const Copies& copies) const {
  const ArrayMemory& memory = body_.array(number_of(array));
  return memory.whole() && memory.declared().sliced() && !copies.root && !copies.everywhere && copies.items;
}

// Packs a rank's own items from the panels of a whole array; empty if they need not be packed.
Storage<std::byte> Program::State::packed_items(AnyArray array, const Copies& copies) const {
  if (!in_panels(array, copies)) return {};
  const ArrayMemory& memory = body_.array(number_of(array));
  const Division& division = arrangement_->division(memory.declared().slices);
  Storage<std::byte> packed(division.items_of(member_) * memory.row_bytes());
  std::byte* to = packed.data();
  for (int panel = 0; panel < division.panels(); ++panel) {
    const Slice slice = division.slice(panel, member_);
    const auto bytes = static_cast<std::size_t>(slice.count * memory.row_bytes());
    if (bytes > 0) std::memcpy(to, memory.at(slice), bytes);
    to += bytes;
  }
  return packed;
}

void Program::State::unpack_items(AnyArray array, const std::byte* from) const {
  const ArrayMemory& memory = body_.array(number_of(array));
  const Division& division = arrangement_->division(memory.declared().slices);
  for (int panel = 0; panel < division.panels(); ++panel) {
    const Slice slice = division.slice(panel, member_);
    const auto bytes = static_cast<std::size_t>(slice.count * memory.row_bytes());
    if (bytes > 0) std::memcpy(memory.at(slice), from, bytes);
    from += bytes;
  }
}

}  // namespace tombolo
