#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/matrix.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// The dictionary in a .npy header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
struct NpyDictionary {
  ElementType type = ElementType::float64;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // each at least 0; the product is not checked
};

constexpr std::string_view save_again = "write the file again, with numpy.save for example";

std::string_view plain_name(char kind) {
  switch (kind) {
    case '?':
    case 'b':
      return "booleans or bytes";
    case 'i':
      return "integers";
    case 'u':
      return "unsigned integers";
    case 'f':
      return "floating-point numbers of another size";
    case 'c':
      return "complex numbers of another size";
    case 'O':
      return "Python objects";
    case 'S':
    case 'a':
    case 'U':
      return "strings";
    case 'M':
    case 'm':
      return "dates or times";
    case '[':
    case 'V':
      return "structured records";
    default:
      return "elements";
  }
}

[[noreturn]] void throw_unsupported(std::string_view descr, char kind, const std::filesystem::path& path,
                                    const std::string& field = "") {
  throw Error(fmt::format("{} holds {} of dtype {}, and Tombolo reads '<f4', '<f8', '<c8' and '<c16' only",
                          printable(path), plain_name(kind), quoted(descr)),
              fmt::format("save {} again as a{}.astype('{}')", field.empty() ? "it" : "one field", field,
                          kind == 'c' ? "<c16" : "<f8"));
}

/// The literal at the begin of a text that starts with a bracket: up to the one that closes it.
std::string_view in_brackets(std::string_view text) {
  std::int64_t open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\'' || text[at] == '"') at = std::min(text.find(text[at], at + 1), text.size());
    if (at == text.size()) break;
    open += text[at] == '[' || text[at] == '(' ? 1 : text[at] == ']' || text[at] == ')' ? -1 : 0;
    if (open == 0) return text.substr(0, at + 1);
  }
  return text;
}

/// "['x']" of the dtype "[('x', '<f8'), ('y', '<i4')]"
std::string first_field(std::string_view descr) {
  constexpr std::string_view begin = "[('";
  const std::size_t end = descr.find('\'', begin.size());
  if (!descr.starts_with(begin) || end == std::string_view::npos) return "['field']";
  return fmt::format("['{}']", descr.substr(begin.size(), end - begin.size()));
}

/// '=', '|' and no mark mean native byte order, which is little-endian (npy_header.cpp asserts it).
ElementType parse_descr(std::string_view descr, const std::filesystem::path& path) {
  const bool marked = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
  const std::string_view name = descr.substr(marked ? 1 : 0);
  const auto info = std::find_if(element_types.begin(), element_types.end(),
                                 [&](const ElementInfo& each) { return each.descr.substr(1) == name; });
  if (info == element_types.end()) {
    const char kind = name.empty() ? '\0' : name[0];
    throw_unsupported(descr, kind, path, kind == 'V' ? "['field']" : "");
  }
  if (descr[0] == '>') {
    throw Error(fmt::format("{} is big-endian (dtype {})", printable(path), quoted(descr)),
                fmt::format("save it again in little-endian order, as a.astype('{}')", info->descr));
  }
  return info->type;
}

/// A parser of the Python literals in NumPy headers; never recurses.
class Parser {
 public:
  Parser(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}

  NpyDictionary dictionary() {
    std::optional<ElementType> type;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
    expect('{', "'{'");
    while (!accept('}')) {
      const std::string_view key = string("a key or '}'");
      expect(':', "':'");
      if (key == "descr" && !type) {
        type = element_type();
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        throw Error(fmt::format("{} has a damaged .npy header: key {} is unknown or there twice", printable(path_),
                                quoted(key)),
                    std::string(save_again));
      }
      if (!accept(',') && peek() != '}') fail("',' or '}'");
    }
    skip_space();
    if (at_ != text_.size()) fail("its end");
    if (!type || !fortran_order || !shape) {
      throw Error(fmt::format("{} has a damaged .npy header: key {} is missing", printable(path_),
                              quoted(!type            ? "descr"
                                     : !fortran_order ? "fortran_order"
                                                      : "shape")),
                  std::string(save_again));
    }
    return {*type, *fortran_order, std::move(*shape)};
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  [[noreturn]] void fail(std::string_view expected) const {
    throw Error(fmt::format("{} has a damaged .npy header: expected {} at its byte {}, found {}", printable(path_),
                            expected, at_, quoted(rest())),
                std::string(save_again));
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\n\r\f", at_), text_.size()); }

  /// Returns the next character that is not a space, '\0' at the end, without consuming it.
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char c) {
    skip_space();
    const bool found = at_ < text_.size() && text_[at_] == c;
    if (found) ++at_;
    return found;
  }

  bool accept(std::string_view word) {
    skip_space();
    const bool found = rest().starts_with(word);
    if (found) at_ += word.size();
    return found;
  }

  void expect(char c, std::string_view shown) {
    if (!accept(c)) fail(shown);
  }

  /// Reads 'text' or "text", with an optional Python 2 prefix u. Valid strings contain no backslash.
  std::string_view string(std::string_view expected) {
    if (peek() == 'u') ++at_;
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail(expected);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a string that ends");
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    if (value.find('\\') != std::string_view::npos) fail("a string without backslashes");
    at_ = end + 1;
    return value;
  }

  ElementType element_type() {
    // A structured dtype is a list, or a tuple if it is an array as a whole.
    if (peek() == '[' || peek() == '(') {
      const std::string_view descr = in_brackets(rest());
      throw_unsupported(descr, '[', path_, first_field(descr));
    }
    return parse_descr(string("a dtype"), path_);
  }

  bool boolean() {
    if (accept("True")) return true;
    if (!accept("False")) fail("True or False");
    return false;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(', "a tuple");
    while (!accept(')')) {
      values.push_back(dimension());
      if (accept(',')) continue;
      if (peek() != ')') fail("',' or ')'");
      if (values.size() == 1) fail("',' (a tuple of one is written (5,))");
    }
    return values;
  }

  std::int64_t dimension() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("a dimension below 2^63");
    if (error != std::errc{}) fail("a dimension");
    if (value < 0) fail("a dimension of 0 or more");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  std::string_view text_;
  const std::filesystem::path& path_;
  std::size_t at_ = 0;
};

// Parses the dictionary with any order of keys, spacing, quotes and tail (Python 2's 5L too). Safe on any text. Errors
// name the path: a damaged dictionary, an element type that Tombolo does not have, a negative dimension.
NpyDictionary parse_npy_dictionary(std::string_view text, const std::filesystem::path& path) {
  return Parser(text, path).dictionary();
}

static_assert(std::endian::native == std::endian::little, "elements are read and written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_bytes = 2;
// Enough for any matrix; structured dtypes may need more, but are not supported.
constexpr Bytes longest_header = Bytes{1} << 20;

/// Like NumPy, requires the product of the nonzero dimensions to fit even if a dimension is 0, so that one row or
/// column fits too.
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

/// Returns the major version and checks that the file is a .npy file.
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

/// The dictionary's text, and its end in the file.
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
                header.shape.size() == 1 ? "save it again as a.reshape(1, -1), a row, or a.reshape(-1, 1), a column"
                                         : "save it again as a.reshape(rows, columns)");
  }
  return {header.shape[0], header.shape[1]};
}

std::string npy_header_bytes(ElementType type, const MatrixShape& shape, bool fortran_order) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}, {}), }}",
                                 element_info(type).descr, fortran_order ? "True" : "False", shape.rows, shape.columns);
  // NumPy reserves space for the number of rows, or columns, to grow to 21 digits in place.
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
