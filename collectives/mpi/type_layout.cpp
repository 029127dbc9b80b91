#include <algorithm>
#include <limits>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/type_layout.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

TypeLayout type_layout(MPI_Datatype type) {
  TypeLayout result{.type = type, .size = size_of(type)};
  MPI_Aint lower = 0;
  check_mpi(MPI_Type_get_extent(type, &lower, &result.extent), "MPI_Type_get_extent");
  check_mpi(MPI_Type_get_true_extent(type, &result.true_lower, &result.true_extent), "MPI_Type_get_true_extent");
  result.most = static_cast<int>(std::min<std::int64_t>(most_in_message(type), std::numeric_limits<int>::max()));
  result.dense = result.true_lower == 0 && result.size == result.extent && result.true_extent == result.extent;
  return result;
}

const TypeLayout& TypeLayouts::look_up(MPI_Datatype type) {
  derived_ = type_layout(type);
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  return combiner == MPI_COMBINER_NAMED ? named_.emplace_back(derived_) : derived_;
}

}  // namespace tombolo
