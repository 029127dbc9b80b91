#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/framework/npy_dictionary.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

namespace {

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

[[noreturn]] void throw_unsupported(std::string_view descr, char kind, const std::filesystem::path& path) {
  throw Error(fmt::format("{} holds {} of dtype {}, and Tombolo reads '<f4', '<f8', '<c8' and '<c16' only",
                          printable(path), plain_name(kind), quoted(descr)),
              fmt::format("save it again as a{}.astype('{}')", kind == '[' || kind == 'V' ? "['field']" : "",
                          kind == 'c' ? "<c16" : "<f8"));
}

/// '=' and '|' and no mark mean this machine's order, which is little-endian (npy_header.cpp asserts it).
ElementType parse_descr(std::string_view descr, const std::filesystem::path& path) {
  const bool marked = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
  const std::string_view name = descr.substr(marked ? 1 : 0);
  const auto info = std::find_if(element_types.begin(), element_types.end(),
                                 [&](const ElementInfo& each) { return each.descr.substr(1) == name; });
  if (info == element_types.end()) throw_unsupported(descr, name.empty() ? '\0' : name[0], path);
  if (descr[0] == '>') {
    throw Error(fmt::format("{} is big-endian (dtype {})", printable(path), quoted(descr)),
                fmt::format("save it again in little-endian order, as a.astype('{}')", info->descr));
  }
  return info->type;
}

/// A reader of the few Python literals that NumPy puts into a header; it never recurses.
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

  /// The next character that is no space, '\0' at the end; it stays unread.
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

  /// 'text' or "text", perhaps with Python 2's u before it. No string that belongs here has a backslash.
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
    // A structured dtype is a list, or a tuple where the whole is an array.
    if (peek() == '[' || peek() == '(') throw_unsupported(rest(), '[', path_);
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

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, const std::filesystem::path& path) {
  return Parser(text, path).dictionary();
}

}  // namespace tombolo
