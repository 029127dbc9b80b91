#include <cstring>
#include <type_traits>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/program/array_file.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

namespace {

constexpr Bytes wide = sizeof(float);  // what a small element takes, in the lowest bytes

// A member's part of the hash; the copies of a replicated array count once.
template <Element T>
std::uint64_t hash_of(const Distribution& held, Rank member, const T* elements) {
  if (held.replicated() && member > 0) return 0;
  std::uint64_t sum = 0;
  for (const Part& part : held.parts(member)) {
    sum += hash_part(elements, part, held.by_columns(), false);
    elements += part.elements();
  }
  return sum;
}

}  // namespace

ArrayFile::ArrayFile(const DeclaredArray& array, MPI_Comm members) : array_(array), members_(members) {
  check_mpi(MPI_Comm_rank(members, &member_), "MPI_Comm_rank");
  using enum ElementType;
  for (const ElementType type : {float32, float64, complex64, complex128}) {
    if (array.type != element_info(type).name) continue;
    type_ = type;
    npy_ = true;
    return;
  }
  if (array.element > Bytes{sizeof(float)}) type_ = array.element == Bytes{sizeof(double)} ? float64 : complex128;
}

Bytes ArrayFile::bytes() const {
  return array_.shape.rows * array_.shape.columns * element_info(type_).bytes;
}

// Calls work() with the elements as those of the file, each small one in the lowest bytes of a wide one.
template <class Work>
std::uint64_t ArrayFile::with_elements(const Distribution& held, const std::byte* elements, const Work& work) const {
  Storage<std::byte> widened;
  const auto widen = [&] {
    const std::int64_t all = held.elements(member_);
    widened = Storage<std::byte>(all * wide);
    for (std::int64_t i = 0; i < all; ++i) {
      std::memcpy(widened.data() + i * wide, elements + i * array_.element, static_cast<std::size_t>(array_.element));
    }
  };
  if (is_small()) agree(members_, widen);
  std::uint64_t hash = 0;
  with_type(type_, [&]<Element T>(std::type_identity<T> /*type*/) {
    const T* const in_file = reinterpret_cast<const T*>(is_small() ? widened.data() : elements);
    hash = hash_of(held, member_, in_file);
    work(in_file);
  });
  return hash;
}

std::uint64_t ArrayFile::hash(const Distribution& held, const std::byte* elements) const {
  return with_elements(held, elements, [](const auto* /*elements*/) {});
}

std::uint64_t ArrayFile::write(const std::filesystem::path& file, const Distribution& held,
                               const std::byte* elements) const {
  return with_elements(held, elements, [&](const auto* in_file) {
    npy_ ? write_distributed(members_, file, held, in_file, held.by_columns())
         : write_raw(members_, file, held, in_file, held.by_columns());
  });
}

std::uint64_t ArrayFile::read(const std::filesystem::path& file, const Distribution& held, bool fortran_order,
                              std::byte* elements) const {
  Storage<std::byte> widened;
  const std::int64_t all = held.elements(member_);
  if (is_small()) agree(members_, [&] { widened = Storage<std::byte>(all * wide); });
  std::uint64_t hash = 0;
  with_type(type_, [&]<Element T>(std::type_identity<T> /*type*/) {
    T* const in_file = reinterpret_cast<T*>(is_small() ? widened.data() : elements);
    npy_ ? read_distributed(members_, file, held, in_file) : read_raw(members_, file, held, in_file, fortran_order);
    hash = hash_of(held, member_, in_file);
  });
  if (!is_small()) return hash;
  for (std::int64_t i = 0; i < all; ++i) {
    std::memcpy(elements + i * array_.element, widened.data() + i * wide, static_cast<std::size_t>(array_.element));
  }
  return hash;
}

}  // namespace tombolo
