#include <algorithm>
#include <complex>
#include <cstring>

#include <tombolo/framework/matrix/strided_copy.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/matrix.hpp>

namespace tombolo {

namespace {

void copy(const std::byte* from, Bytes bytes, std::byte* to, Writing how) {
  if (how == Writing::streamed) {
    stream_bytes(to, from, bytes);
  } else if (bytes > 0) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

/// A memcpy of so few bytes that a call would take longer than the copy.
template <std::size_t bytes>
void copy_column(std::int64_t lines, const std::byte* from, Bytes from_step, std::byte* to, Bytes to_step) {
  for (std::int64_t line = 0; line < lines; ++line) std::memcpy(to + line * to_step, from + line * from_step, bytes);
}

template <Element T>
void turn_as(const std::byte* in, const Strided& from, std::byte* out, const Strided& to) {
  // Only the size of T matters: elements are moved as bytes.
  transpose(from.lines, from.width, reinterpret_cast<const T*>(in), from.stride, reinterpret_cast<T*>(out), to.stride);
}

void turn_any(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to) {
  constexpr std::int64_t tile = 32;
  for (std::int64_t top = 0; top < from.lines; top += tile) {
    for (std::int64_t left = 0; left < from.width; left += tile) {
      for (std::int64_t i = top; i < std::min(top + tile, from.lines); ++i) {
        for (std::int64_t j = left; j < std::min(left + tile, from.width); ++j) {
          std::memcpy(out + (j * to.stride + i) * element, in + (i * from.stride + j) * element,
                      static_cast<std::size_t>(element));
        }
      }
    }
  }
}

}  // namespace

Writing writing_of(Bytes all) {
  return all >= streamed_from ? Writing::streamed : Writing::cached;
}

void copy_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to,
                  Writing how) {
  if (from.elements() == 0) return;  // for any number of lines
  in += from.offset * element;
  out += to.offset * element;
  if (from.in_one_piece() && to.in_one_piece()) {
    copy(in, from.elements() * element, out, how);
    return;
  }
  const Bytes width = from.width * element;
  const Bytes from_step = from.stride * element;
  const Bytes to_step = to.stride * element;
  switch (width) {
    case 4:
      copy_column<4>(from.lines, in, from_step, out, to_step);
      return;
    case 8:
      copy_column<8>(from.lines, in, from_step, out, to_step);
      return;
    case 16:
      copy_column<16>(from.lines, in, from_step, out, to_step);
      return;
    default:
      break;
  }
  for (std::int64_t line = 0; line < from.lines; ++line) copy(in + line * from_step, width, out + line * to_step, how);
}

void turn_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to) {
  if (from.elements() == 0) return;
  in += from.offset * element;
  out += to.offset * element;
  switch (element) {
    case sizeof(float):
      return turn_as<float>(in, from, out, to);
    case sizeof(double):
      return turn_as<double>(in, from, out, to);
    case sizeof(std::complex<double>):
      return turn_as<std::complex<double>>(in, from, out, to);
    default:
      return turn_any(element, in, from, out, to);
  }
}

}  // namespace tombolo
