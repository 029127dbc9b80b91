#include <algorithm>
#include <limits>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t most_at_once = std::numeric_limits<int>::max();

// Not committed, as it becomes part of another type. For a count beyond int: whole chunks and a rest.
MPI_Datatype consecutive(std::int64_t count, MPI_Datatype element) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (count <= most_at_once) {
    check_mpi(MPI_Type_contiguous(static_cast<int>(count), element, &type), "MPI_Type_contiguous");
    return type;
  }
  constexpr std::int64_t chunk = std::int64_t{1} << 30;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_get_extent(element, &lower, &extent), "MPI_Type_get_extent");
  MPI_Datatype one_chunk = consecutive(chunk, element);
  MPI_Datatype parts[2] = {consecutive(count / chunk, one_chunk), consecutive(count % chunk, element)};
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(count / chunk * chunk) * extent};
  check_mpi(MPI_Type_create_struct(2, lengths, places, parts, &type), "MPI_Type_create_struct");
  MPI_Type_free(&one_chunk);
  MPI_Type_free(&parts[0]);
  MPI_Type_free(&parts[1]);
  return type;
}

}  // namespace

Bytes size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  return size;
}

std::int64_t most_in_message(MPI_Datatype type) {
  return std::max<std::int64_t>(machine::largest_message() / std::max<Bytes>(size_of(type), 1), 1);
}

Datatype Datatype::contiguous(std::int64_t count, MPI_Datatype element) {
  Datatype result(consecutive(count, element));
  check_mpi(MPI_Type_commit(&result.type_), "MPI_Type_commit");
  return result;
}

Datatype Datatype::gathered(std::span<const MemoryRange> ranges, MPI_Datatype element) {
  std::vector<int> lengths;
  std::vector<MPI_Aint> places;
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Datatype> owned;
  for (const MemoryRange& range : ranges) {
    MPI_Aint place = 0;
    check_mpi(MPI_Get_address(range.address, &place), "MPI_Get_address");
    places.push_back(place);
    if (range.count <= most_at_once) {
      lengths.push_back(static_cast<int>(range.count));
      types.push_back(element);
    } else {
      owned.push_back(consecutive(range.count, element));
      lengths.push_back(1);
      types.push_back(owned.back());
    }
  }
  Datatype result(MPI_DATATYPE_NULL);
  check_mpi(MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), places.data(), types.data(),
                                   &result.type_),
            "MPI_Type_create_struct");
  check_mpi(MPI_Type_commit(&result.type_), "MPI_Type_commit");
  for (MPI_Datatype& type : owned) MPI_Type_free(&type);
  return result;
}

Datatype::~Datatype() {
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

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
