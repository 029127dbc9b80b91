#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/framework/npy_dictionary.hpp>
#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

static_assert(std::endian::native == std::endian::little, "elements are read and written as they lie in memory");

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_bytes = 2;
// No matrix needs more; a structured dtype may, but is not read anyway.
constexpr Bytes longest_header = Bytes{1} << 20;

/// Like NumPy it wants the dimensions other than 0 to fit even where there is a 0, so that one column or row fits too.
std::optional<std::int64_t> product(const std::vector<std::int64_t>& shape, std::int64_t factor) {
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(factor, dimension, &factor)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : factor;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape[0]);
  return fmt::format("({})",
                     fmt::join(shape.begin(), shape.begin() + std::min<std::ptrdiff_t>(8, std::ssize(shape)), ", ")) +
         (shape.size() > 8 ? "..." : "");
}

/// The major version; the file is then known to be a .npy file.
int read_version(const PosixFile& file, Bytes size, const std::filesystem::path& path) {
  std::array<char, magic.size() + version_bytes> start{};
  const Bytes got = std::min(size, std::ssize(start));
  file.read_at(start.data(), got, 0);
  const std::string_view text(start.data(), static_cast<std::size_t>(got));
  if (text.substr(0, magic.size()) != magic) {
    const bool zip = text.starts_with("PK");
    throw Error(fmt::format("{} is not a .npy file: {}", printable(path),
                            text.empty() ? "it is empty" : fmt::format("it starts with {}", quoted(text))),
                zip ? "save one array out of the .npz archive with numpy.save" : "write it with numpy.save");
  }
  if (text.size() < start.size()) {
    throw Error(fmt::format("{} is cut short: it ends after {} bytes, inside its header", printable(path), size),
                "copy or write the file again");
  }
  const auto major = static_cast<unsigned char>(text[magic.size()]);
  const auto minor = static_cast<unsigned char>(text[magic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw Error(
        fmt::format("{} has .npy version {}.{}, and Tombolo reads 1.0, 2.0 and 3.0", printable(path), major, minor),
        "write it again with numpy.save");
  }
  return major;
}

/// The dictionary's text, and where it ends in the file.
std::pair<std::string, Bytes> read_dictionary_text(const PosixFile& file, Bytes size, int version,
                                                   const std::filesystem::path& path) {
  const Bytes length_offset = std::ssize(magic) + Bytes{version_bytes};
  const Bytes length_bytes = version == 1 ? 2 : 4;
  const Bytes text_offset = length_offset + length_bytes;
  const auto check = [&](Bytes end) {
    if (end <= size) return;
    throw Error(
        fmt::format("{} is cut short: its header needs {} bytes and the file has {}", printable(path), end, size),
        "copy or write the file again");
  };
  check(text_offset);
  std::array<unsigned char, 4> little{};
  file.read_at(little.data(), length_bytes, length_offset);
  const Bytes length = Bytes{little[0]} | Bytes{little[1]} << 8 | Bytes{little[2]} << 16 | Bytes{little[3]} << 24;
  check(text_offset + length);
  if (length > longest_header) {
    throw Error(fmt::format("{} has a .npy header of {} bytes, and Tombolo reads at most {}", printable(path), length,
                            longest_header),
                "save it again as a.astype('<f8')");
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read_at(text.data(), length, text_offset);
  return {std::move(text), text_offset + length};
}

}  // namespace

std::int64_t NpyHeader::elements() const {
  return product(shape, 1).value();
}

Bytes NpyHeader::bytes() const {
  return product(shape, element_info(type).bytes).value();
}

NpyHeader read_npy_header(const std::filesystem::path& path) {
  const PosixFile file = PosixFile::open_to_read(path);
  const Bytes size = file.size();
  const int version = read_version(file, size, path);
  const auto [text, data_offset] = read_dictionary_text(file, size, version, path);
  NpyDictionary said = parse_npy_dictionary(text, path);

  const std::optional<Bytes> bytes = product(said.shape, element_info(said.type).bytes);
  if (!bytes) {
    throw Error(
        fmt::format("{} says its shape is {}, which is more than 2^63 bytes", printable(path), shape_text(said.shape)),
        "write the file again, with numpy.save for example");
  }
  if (*bytes > size - data_offset) {
    throw Error(
        fmt::format("{} is cut short: shape {} of {} needs {} bytes of data and the file has {}", printable(path),
                    shape_text(said.shape), element_info(said.type).name, *bytes, size - data_offset),
        "copy or write the file again");
  }
  return {said.type, said.fortran_order, std::move(said.shape), data_offset};
}

MatrixShape matrix_shape(const NpyHeader& header, const std::filesystem::path& path) {
  if (header.shape.size() != 2) {
    throw Error(fmt::format("{} holds an array of shape {}, not a matrix", printable(path), shape_text(header.shape)),
                "save it again as a.reshape(rows, columns)");
  }
  return {header.shape[0], header.shape[1]};
}

std::string npy_header_bytes(ElementType type, const MatrixShape& shape, bool fortran_order) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}, {}), }}",
                                 element_info(type).descr, fortran_order ? "True" : "False", shape.rows, shape.columns);
  // NumPy leaves room for the number of rows, or columns, to grow to 21 digits in place.
  text.append(21 - fmt::formatted_size("{}", fortran_order ? shape.columns : shape.rows), ' ');
  const std::size_t before = magic.size() + version_bytes + 2;
  const std::size_t unpadded = before + text.size() + 1;
  text.append(64 - unpadded % 64, ' ');
  text += '\n';
  std::string result(magic);
  result += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return result + text;
}

}  // namespace tombolo
