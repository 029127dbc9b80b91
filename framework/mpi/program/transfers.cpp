#include <algorithm>
#include <cstring>

#include <tombolo/collectives/mpi/call.hpp>
#include <tombolo/framework/mpi/program/transfers.hpp>
#include <tombolo/framework/program/requests.hpp>

namespace tombolo {

Transfers::Transfers(ProgramBody& body, const Arrangement& arrangement, Rank member, Collectives& collectives,
                     Costs& costs, Session& session)
    : body_(body),
      arrangement_(arrangement),
      member_(member),
      collectives_(collectives),
      costs_(costs),
      session_(session) {}

Transfers::Kept& Transfers::kept(const Action& action) {
  const auto known = kept_.find({action.task, action.panel});
  if (known != kept_.end()) return known->second;
  const DeclaredTask& task = body_.task(action.task);
  const auto request = request_of(body_.declared, arrangement_, action, member_);
  Kept made{request ? *request : Request::barrier(arrangement_.ranks()), {}, action.panel == 0, {}, {}, {}, {}, {}, {}};
  const Bytes element = body_.array(task.array).declared().element;
  if (request && !costs_.by_mpi(*request)) made.plan = costs_.plan(action);
  if (task.spends) {
    made.spending.emplace(redistribution_of(body_.declared, arrangement_, task), member_);
  } else if (task.kind == TaskKind::move) {
    made.moved.emplace(redistribution_of(body_.declared, arrangement_, task));
    if (made.moved->packs(member_)) made.sent = session_.storage<std::byte>(made.moved->sends(member_) * element);
    if (made.moved->unpacks(member_)) {
      made.received = session_.storage<std::byte>(made.moved->receives(member_) * element);
    }
  }
  if (task.kind == TaskKind::halo) {
    const DeclaredArray& array = body_.array(task.array).declared();
    made.given = halo_given(arrangement_.division(array.slices), array.halo, member_);
    made.needed = halo_needed(arrangement_.division(array.slices), array.halo, member_);
    made.sent = session_.storage<std::byte>(made.request.exchange.sends(member_).total() * element);
    made.received = session_.storage<std::byte>(made.request.exchange.receives(member_).total() * element);
  }
  return kept_.emplace(std::pair(action.task, action.panel), std::move(made)).first->second;
}

std::byte* Transfers::row(const ArrayMemory& array, std::int64_t number) const {
  const Slice mine = arrangement_.division(array.declared().slices).slice(0, member_);
  return array.at(mine) + (number - mine.first) * array.row_bytes();
}

void Transfers::pack_halo(const DeclaredTask& task, Kept& kept) const {
  const ArrayMemory& array = body_.array(task.array);
  std::byte* to = kept.sent.data();
  for (const HaloRows& rows : kept.given) {
    const auto bytes = static_cast<std::size_t>(rows.count * array.row_bytes());
    std::memcpy(to, row(array, rows.first), bytes);
    to += bytes;
  }
}

void Transfers::unpack_halo(const DeclaredTask& task, Kept& kept) const {
  const ArrayMemory& array = body_.array(task.array);
  const std::byte* from = kept.received.data();
  for (const HaloRows& rows : kept.needed) {
    const auto bytes = static_cast<std::size_t>(rows.count * array.row_bytes());
    std::memcpy(row(array, rows.first), from, bytes);
    from += bytes;
  }
}

std::pair<const void*, void*> Transfers::buffers(const Action& action, Kept& kept) {
  const DeclaredTask& task = body_.task(action.task);
  const ArrayMemory& array = body_.array(task.array);
  const auto panel = [&] { return arrangement_.division(array.declared().slices).first_of_panel(action.panel); };
  const auto slice = [&] { return arrangement_.division(array.declared().slices).slice(action.panel, member_); };
  std::byte* const panel_in_whole =
      array.whole() && array.declared().sliced() ? array.data() + panel() * array.row_bytes() : nullptr;
  const bool at_root = array.declared().root && arrangement_.member(*array.declared().root) == member_;
  switch (task.kind) {
    case TaskKind::scatterv:
      return {panel_in_whole, at_root ? nullptr : array.at(slice())};
    case TaskKind::gatherv:
      return {at_root ? nullptr : array.at(slice()), panel_in_whole};
    case TaskKind::allgatherv:
      return {nullptr, panel_in_whole};
    case TaskKind::halo:
      if (!session_.phantom()) pack_halo(task, kept);
      return {kept.sent.data(), kept.received.data()};
    case TaskKind::move:
      return move_buffers(task, kept);
    default:
      return {array.data(), array.data()};
  }
}

std::byte* Transfers::moved_part(const ArrayMemory& array) const {
  if (!array.declared().sliced()) return array.data();
  return array.at(arrangement_.division(array.declared().slices).slice(0, member_));
}

std::pair<const void*, void*> Transfers::move_buffers(const DeclaredTask& task, Kept& kept) const {
  const ArrayMemory& from = body_.array(task.array);
  std::byte* const to = moved_part(body_.array(task.to));
  if (kept.spending) {
    const Bytes element = from.declared().element;
    return {kept.spending->sent(element, moved_part(from), to), kept.spending->received(moved_part(from), to)};
  }
  const bool packs = kept.moved->packs(member_);
  const bool copies = kept.moved->operation() == Operation::bcast;  // of one buffer, in which the root puts it in order
  std::byte* const packed = copies ? to : kept.sent.data();
  if (packs && !session_.phantom()) kept.moved->pack(member_, from.declared().element, moved_part(from), packed);
  return {packs ? packed : moved_part(from), kept.moved->unpacks(member_) ? kept.received.data() : to};
}

void Transfers::prepare(const Action& action) {
  const DeclaredTask& task = body_.task(action.task);
  if (task.puts_in_order()) kept(action);
  if (!task.communicates() || task.kind == TaskKind::own || task.kind == TaskKind::farm) return;
  auto* const planned = dynamic_cast<PlannedCollectives*>(&collectives_);
  const Kept& known = kept(action);
  if (planned == nullptr || known.request.operation == Operation::barrier) return;
  // What is started is carried out by a plan always.
  if (known.plan ? known.first_panel : arrangement_.overlaps) planned->plan_for(known.request);
}

void Transfers::carry_out(const Action& action) {
  Kept& known = kept(action);
  const auto [input, output] = buffers(action, known);
  const DeclaredTask& task = body_.task(action.task);
  const MPI_Datatype type = body_.array(task.array).type();
  const MPI_Op op = body_.works[static_cast<std::size_t>(action.task)].op;
  auto* const planned = dynamic_cast<PlannedCollectives*>(&collectives_);
  if (known.request.operation == Operation::barrier) {
    // Nothing leaves its rank.
  } else if (planned != nullptr && known.plan && !known.first_panel) {
    planned->run(*known.plan, input, output, type, op);
  } else {
    call(collectives_, known.request, input, output, type, op);
  }
  finish(action);
}

Pending Transfers::begin(const Action& action) {
  Kept& known = kept(action);
  const auto [input, output] = buffers(action, known);
  if (known.request.operation == Operation::barrier) return {};
  auto& planned = dynamic_cast<PlannedCollectives&>(collectives_);
  const MPI_Datatype type = body_.array(body_.task(action.task).array).type();
  const MPI_Op op = body_.works[static_cast<std::size_t>(action.task)].op;
  if (known.plan && !known.first_panel) return planned.start(*known.plan, input, output, type, op);
  return planned.start(known.request, input, output, type, op);
}

void Transfers::finish(const Action& action) {
  if (session_.phantom()) return;
  const DeclaredTask& task = body_.task(action.task);
  Kept& known = kept(action);
  if (task.kind == TaskKind::halo) unpack_halo(task, known);
  if (!known.moved) return;
  const ArrayMemory& from = body_.array(task.array);
  const ArrayMemory& to = body_.array(task.to);
  const Bytes element = to.declared().element;
  if (known.moved->unpacks(member_)) {
    known.moved->unpack(member_, element, moved_part(from), known.received.data(), moved_part(to));
  }
}

std::int64_t Transfers::elements(const Action& action) {
  const SpendingMove& moves = *kept(action).spending;
  return body_.task(action.task).kind == TaskKind::pack ? moves.packed() : moves.unpacked();
}

void Transfers::put_in_order(const Action& action) {
  const SpendingMove& moves = *kept(action).spending;
  const DeclaredTask& task = body_.task(action.task);
  ArrayMemory& from = body_.array(task.array);
  ArrayMemory& to = body_.array(task.to);
  if (task.kind == TaskKind::pack) return moves.pack(to.declared().element, from.data(), to.data());
  moves.unpack(to.declared().element, from.data(), to.data());
  if (moves.ends_in_source()) to.swap_memory(from);
}

}  // namespace tombolo
