#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <map>

#include <tombolo/interpose/arguments.hpp>
#include <tombolo/interpose/buffers.hpp>

namespace tombolo::interpose {

namespace {

// The groups of types in the standard's table of operations.
enum TypeGroup : unsigned {
  integer = 1,
  floating = 2,
  logical = 4,
  complex = 8,
  byte = 16,
  pair = 32,
  any_integer = 64
};

using Groups = std::map<MPI_Datatype, unsigned>;

void add(Groups& groups, unsigned group, std::initializer_list<MPI_Datatype> types) {
  for (const MPI_Datatype type : types) {
    if (type != MPI_DATATYPE_NULL) groups.emplace(type, group);
  }
}

Groups all_groups() {
  Groups groups;
  add(groups, integer,
      {MPI_INT, MPI_LONG, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_LONG_LONG,
       MPI_UNSIGNED_LONG_LONG, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T,
       MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T});
  add(groups, any_integer,
      {MPI_AINT, MPI_OFFSET, MPI_COUNT, MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8});
  add(groups, floating, {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_REAL4, MPI_REAL8, MPI_DOUBLE_PRECISION});
  add(groups, logical, {MPI_C_BOOL, MPI_LOGICAL});
  add(groups, complex,
      {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX});
  add(groups, byte, {MPI_BYTE});
  add(groups, pair,
      {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT, MPI_2INTEGER,
       MPI_2REAL, MPI_2DOUBLE_PRECISION});
  return groups;
}

unsigned group_of(MPI_Datatype type) {
  static const Groups& groups = *new Groups(all_groups());  // NOLINT: never destroyed, as MPI may end after main
  const auto found = groups.find(type);
  return found == groups.end() ? 0 : found->second;
}

bool is_predefined(MPI_Op op) {
  return std::ranges::any_of(
      std::initializer_list<MPI_Op>{MPI_OP_NULL, MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR,
                                    MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP},
      [op](MPI_Op known) { return known == op; });
}

unsigned groups_of(MPI_Op op) {
  if (op == MPI_MAX || op == MPI_MIN) return integer | any_integer | floating;
  if (op == MPI_SUM || op == MPI_PROD) return integer | any_integer | floating | complex;
  if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR) return integer | logical;
  if (op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR) return integer | any_integer | byte;
  if (op == MPI_MAXLOC || op == MPI_MINLOC) return pair;
  return 0;
}

// The last predefined types, which stay what they are.
struct Known {
  bool has(MPI_Datatype type) const {
    const auto end = types.begin() + static_cast<std::ptrdiff_t>(std::min(number, types.size()));
    return std::find(types.begin(), end, type) != end;
  }
  void add(MPI_Datatype type) { types[number++ % types.size()] = type; }

  std::array<MPI_Datatype, 8> types{};
  std::size_t number = 0;  // of all that were added
};

}  // namespace

bool is_usable(const void* buffer, std::int64_t count, MPI_Datatype type) {
  if (count < 0 || type == MPI_DATATYPE_NULL || buffer == MPI_IN_PLACE) return false;
  static thread_local Known known;
  if (known.has(type)) return buffer != nullptr || count == 0;
  if (!could_be_sent(buffer, count, type)) return false;
  if (is_named(type)) known.add(type);
  return true;
}

bool refuses_alias(const void* input, const void* output) {
#ifdef MPICH
  return input == output;
#else
  return input == output && input == MPI_IN_PLACE;
#endif
}

bool is_defined_for(MPI_Op op, MPI_Datatype type) {
  return is_predefined(op) ? (groups_of(op) & group_of(type)) != 0 : type != MPI_DATATYPE_NULL;
}

}  // namespace tombolo::interpose
