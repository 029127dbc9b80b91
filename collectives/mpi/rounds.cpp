#include <tombolo/collectives/mpi/rounds.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

/// Address and count of a message of one buffer range.
struct Message {
  Message(const Memory& memory, std::span<const BufferRange> pieces)
      : address(pieces.empty() ? nullptr : memory.address(pieces[0])),
        count(pieces.empty() ? 0 : static_cast<int>(pieces[0].count)) {}
  void* address;
  int count;
};

class Rounds {
 public:
  Rounds(const Schedule& schedule, const Memory& memory, MPI_Comm communicator)
      : schedule_(schedule), memory_(memory), communicator_(communicator) {}

  void run(const Step& step) const {
    switch (step.kind) {
      case Step::Kind::send:
        send(step);
        break;
      case Step::Kind::receive: {
        const Message in(memory_, schedule_.into(step));
        check_mpi(MPI_Recv(in.address, in.count, memory_.type(), step.peer, step.tag, communicator_, MPI_STATUS_IGNORE),
                  "MPI_Recv");
        break;
      }
      case Step::Kind::copy:
        memory_.copy(schedule_.from(step), schedule_.into(step), communicator_);
        break;
      case Step::Kind::reduce:
        memory_.reduce(schedule_.from(step), schedule_.into(step));
        break;
    }
  }

  void run(const Step& send, const Step& receive) const {
    const Message out(memory_, schedule_.from(send));
    const Message in(memory_, schedule_.into(receive));
    check_mpi(MPI_Sendrecv(out.address, out.count, memory_.type(), send.peer, send.tag, in.address, in.count,
                           memory_.type(), receive.peer, receive.tag, communicator_, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }

 private:
  void send(const Step& step) const {
    const Message out(memory_, schedule_.from(step));
    if (schedule_.window(step) > 0) {
      check_mpi(MPI_Ssend(out.address, out.count, memory_.type(), step.peer, step.tag, communicator_), "MPI_Ssend");
    } else {
      check_mpi(MPI_Send(out.address, out.count, memory_.type(), step.peer, step.tag, communicator_), "MPI_Send");
    }
  }

  const Schedule& schedule_;
  const Memory& memory_;
  MPI_Comm communicator_;
};

}  // namespace

void run_in_rounds(const PreparedSchedule& prepared, const Memory& memory, MPI_Comm communicator) {
  const Schedule& schedule = prepared.schedule();
  const Rounds rounds(schedule, memory, communicator);
  for (const PreparedSchedule::Round& round : prepared.rounds()) {
    const Step& first = schedule.step(round.first);
    if (round.second == no_step) {
      rounds.run(first);
      continue;
    }
    const Step& second = schedule.step(round.second);
    if (first.kind == Step::Kind::send) {
      rounds.run(first, second);
    } else {
      rounds.run(second, first);
    }
  }
}

}  // namespace tombolo
