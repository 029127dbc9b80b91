// Arrays of a program from and to files.
#include <stdexcept>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/framework/program/requests.hpp>

namespace tombolo {

void Program::with_members(const std::function<void(MPI_Comm)>& work) {
  prepare();
  if (session_.phantom()) return;
  const std::string failed = takes_part() ? attempt([&] { work(members_); }) : std::string();
  agree(session_.communicator(), [&] {
    if (!failed.empty()) throw std::runtime_error(failed);
  });
}

Distribution Program::in_file(AnyArray array) const {
  const DeclaredArray& declared = body_.declared.arrays[static_cast<std::size_t>(array.number)];
  const int ranks = arrangement_->ranks();
  if (declared.everywhere) return Distribution::everywhere(declared.shape, ranks);
  if (declared.root) return Distribution::at(arrangement_->member(*declared.root), declared.shape, ranks);
  return distribution_of(body_.declared, *arrangement_, array.number);
}

}  // namespace tombolo
