#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

Collectives::Collectives(MPI_Comm communicator) {
  check_mpi(MPI_Comm_dup(communicator, &communicator_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  look_around();
}

Collectives::Collectives(Shared shared) : communicator_(shared.communicator), own_(false) {
  look_around();
}

Collectives::~Collectives() {
  if (own_) MPI_Comm_free(&communicator_);
}

void Collectives::look_around() {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &ranks_), "MPI_Comm_size");
}

}  // namespace tombolo
