#include <random>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <tombolo/matrix.hpp>

#include "npy_files.hpp"

using namespace npy_files;
using Catch::Matchers::Contains;
using tombolo::ElementType;
using tombolo::MatrixShape;
using tombolo::NpyHeader;
using tombolo::read_npy_header;

namespace {

using Shape = std::vector<std::int64_t>;

/// The Error for a file with this content.
std::string rejected(const std::string& content) {
  const TemporaryFolder folder;
  const fs::path path = put(folder / "a.npy", content);
  return error_of(path, [&] { read_npy_header(path); });
}

std::string rejected_dictionary(const std::string& text) {
  return rejected(header(text) + std::string(64, '\0'));
}

NpyHeader accepted(const std::string& content) {
  const TemporaryFolder folder;
  return read_npy_header(put(folder / "a.npy", content));
}

}  // namespace

TEST_CASE("npy header: every version, element type and order") {
  const int version = GENERATE(1, 2, 3);
  const bool fortran_order = GENERATE(false, true);
  for (const tombolo::ElementInfo& info : tombolo::element_types) {
    const std::string start = header(dictionary(std::string(info.descr), fortran_order, "(3, 5)"), version);
    const NpyHeader read = accepted(start + std::string(static_cast<std::size_t>(15 * info.bytes), 'x'));
    CHECK(read.type == info.type);
    CHECK(read.fortran_order == fortran_order);
    CHECK(read.shape == Shape{3, 5});
    CHECK(read.data_offset == std::ssize(start));
    CHECK(read.elements() == 15);
    CHECK(read.bytes() == 15 * info.bytes);
  }
}

TEST_CASE("npy header: keys in any order, any spacing and quotes") {
  const std::string text = GENERATE("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
                                    "{'shape':(2,3),'fortran_order':False,'descr':'<f8'}",
                                    "{\"shape\": (2, 3,), \"descr\": \"<f8\", \"fortran_order\": False}   \n",
                                    " \t{ 'fortran_order' : False ,\n 'descr' : '<f8' , 'shape' : ( 2 , 3 ) , }\r\n",
                                    "{u'descr': u'<f8', 'fortran_order': False, 'shape': (2L, 3L), }\n",
                                    "{'descr': '=f8', 'fortran_order': False, 'shape': (2, 3)}",
                                    "{'descr': 'f8', 'fortran_order': False, 'shape': (2, 3)}");
  const NpyHeader read = accepted(header(text) + std::string(48, '\0'));
  CHECK(read.type == ElementType::float64);
  CHECK_FALSE(read.fortran_order);
  CHECK(read.shape == Shape{2, 3});
}

TEST_CASE("npy header: any number of dimensions is read, a matrix has two") {
  const auto [text, shape, elements] = GENERATE(table<std::string, Shape, std::int64_t>(
      {{"()", {}, 1}, {"(5,)", {5}, 5}, {"(0,)", {0}, 0}, {"(2, 0, 3)", {2, 0, 3}, 0}, {"(2, 1, 3)", {2, 1, 3}, 6}}));
  const NpyHeader read = accepted(header(dictionary("<f8", false, text)) + std::string(48, '\0'));
  CHECK(read.shape == shape);
  CHECK(read.elements() == elements);
  CHECK_THAT(error_of("a.npy", [&] { tombolo::matrix_shape(read, "a.npy"); }), Contains(text) && Contains("reshape"));
  const std::string remedy = error_of("a.npy", [&] { tombolo::matrix_shape(read, "a.npy"); });
  CHECK((shape.size() == 1) == (remedy.find("a.reshape(1, -1), a row, or a.reshape(-1, 1), a column") != remedy.npos));
}

TEST_CASE("npy header: what is written is what NumPy writes, and is read back") {
  const std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
  std::string expected = header(text + std::string(117 - text.size(), ' ') + "\n");
  CHECK(tombolo::npy_header_bytes(ElementType::float64, {3, 4}) == expected);
  const std::string by_columns = "{'descr': '<f4', 'fortran_order': True, 'shape': (12345, 4), }";
  expected = header(by_columns + std::string(117 - by_columns.size(), ' ') + "\n");
  CHECK(tombolo::npy_header_bytes(ElementType::float32, {12345, 4}, true) == expected);

  const MatrixShape shape = GENERATE(MatrixShape{0, 0}, MatrixShape{1, 0}, MatrixShape{0, 123456789012},
                                     MatrixShape{7, 1}, MatrixShape{0, INT64_MAX / 16});
  for (const tombolo::ElementInfo& info : tombolo::element_types) {
    const std::string bytes = tombolo::npy_header_bytes(info.type, shape);
    CHECK(bytes.size() % 64 == 0);
    const NpyHeader read = accepted(bytes + std::string(112, '\0'));
    CHECK_FALSE(read.fortran_order);
    CHECK(accepted(tombolo::npy_header_bytes(info.type, shape, true) + std::string(112, '\0')).fortran_order);
    CHECK(read.type == info.type);
    CHECK(read.data_offset == std::ssize(bytes));
    CHECK(tombolo::matrix_shape(read, "a.npy") == shape);
  }
}

TEST_CASE("npy header: files that are none") {
  const TemporaryFolder folder;
  const auto error = [](const fs::path& path) { return error_of(path, [&] { read_npy_header(path); }); };
  CHECK_THAT(error(folder / "missing.npy"), Contains("No such file"));
  CHECK_THAT(error(folder.path()), Contains("a directory"));
  CHECK_THAT(error("/dev/null"), Contains("a device"));
  CHECK_THAT(error(put(folder / "part", "") / "a.npy"), Contains("Not a directory"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(error(folder / "pipe"), Contains("a pipe"));
  CHECK_THAT(rejected(""), Contains("it is empty"));
  CHECK_THAT(rejected("1.0, 2.0\n\t3.0"), Contains("not a .npy file") && Contains("\"1.0, 2.0\""));
  CHECK_THAT(rejected("\x93NUM"), Contains("\"\\x93NUM\""));
  CHECK_THAT(rejected("PK\3\4......."), Contains(".npz"));
}

TEST_CASE("npy header: a file that may not be read") {
  const TemporaryFolder folder;
  const fs::path path = put(folder / "a.npy", header(dictionary("<f8", false, "(0, 0)")));
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec);
  fs::permissions(path, fs::perms::none);
  const std::string message = [&] {
    const Unprivileged user;
    return error_of(path, [&] { read_npy_header(path); });
  }();
  CHECK_THAT(message, Contains("Permission denied") && Contains("permissions"));
}

TEST_CASE("npy header: a path on several lines gives an error on one") {
  const TemporaryFolder folder;
  try {
    read_npy_header(folder / "a\nb\x1b[31m.npy");
    FAIL("no Error");
  } catch (const tombolo::Error& error) {
    CHECK_THAT(error.what(), Contains("a\\x0ab\\x1b[31m.npy") && !Contains("\n"));
  }
}

TEST_CASE("npy header: unknown versions") {
  const auto [major, minor] = GENERATE(table<int, int>({{0, 0}, {1, 1}, {4, 0}, {255, 255}}));
  std::string content = header(dictionary("<f8", false, "(0, 0)"));
  content[6] = static_cast<char>(major);
  content[7] = static_cast<char>(minor);
  CHECK_THAT(rejected(content), Contains("version " + std::to_string(major) + "." + std::to_string(minor)));
}

TEST_CASE("npy header: element types that are not read") {
  const auto [descr, name, remedy] =
      GENERATE(table<std::string, std::string, std::string>({{"<i8", "integers", "'<f8'"},
                                                             {"|u1", "unsigned integers", "'<f8'"},
                                                             {"|b1", "booleans", "'<f8'"},
                                                             {"|O", "objects", "'<f8'"},
                                                             {"<U7", "strings", "'<f8'"},
                                                             {"|S3", "strings", "'<f8'"},
                                                             {"|V8", "records", "'<f8'"},
                                                             {"<f2", "another size", "'<f8'"},
                                                             {"<f16", "another size", "'<f8'"},
                                                             {"<c32", "another size", "<c16"},
                                                             {"<M8[ns]", "dates", "'<f8'"},
                                                             {">f8", "big-endian", "'<f8'"},
                                                             {">f4", "big-endian", "'<f4'"},
                                                             {">c16", "big-endian", "'<c16'"},
                                                             {"", "elements", "'<f8'"},
                                                             {"<", "elements", "'<f8'"},
                                                             {"\n\x1b", "elements", "'<f8'"}}));
  CHECK_THAT(rejected_dictionary(dictionary(descr, false, "(1, 1)")),
             Contains(name) && Contains("astype(") && Contains(remedy));
}

TEST_CASE("npy header: structured dtypes") {
  const auto [descr, field] = GENERATE(table<std::string, std::string>({{"[('a', '<f8'), ('b', '<i4', (2,))]", "a"},
                                                                        {"[(']', '<f8')]", "]"},
                                                                        {"('<f8', (2,))", "field"},
                                                                        {"[(('title', 'a'), '<f8')]", "field"}}));
  CHECK_THAT(rejected_dictionary("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }"),
             Contains("structured records of dtype \"" + descr + "\", and") &&
                 Contains("save one field again as a['" + field + "'].astype('<f8')"));
  CHECK_THAT(rejected_dictionary("{'descr': [(((((((((((, 'fortran_order': False"), Contains("structured records"));
}

TEST_CASE("npy header: damaged dictionaries") {
  const std::string text = GENERATE("", "{", "}", "{}", "[]", "{'descr'", "{'descr': '<f8", "{'descr': \"<f8'}",
                                    "{'descr: '<f8'}", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)",
                                    "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1",
                                    "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)} x",
                                    "{'descr': '<f8', 'fortran_order': False}", "{'descr': '<f8', 'shape': (1, 1)}",
                                    "{'fortran_order': False, 'shape': (1, 1)}",
                                    "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}",
                                    "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), 'more': 1}",
                                    "{'descr': '<f8', 'fortran_order': 0, 'shape': (1, 1)}",
                                    "{'descr': '<f8', 'fortran_order': Falsey, 'shape': (1, 1)}",
                                    "{'descr': '<f\\8', 'fortran_order': False, 'shape': (1, 1)}",
                                    "{'descr': 8, 'fortran_order': False, 'shape': (1, 1)}",
                                    "{'descr': '<f8' 'fortran_order': False, 'shape': (1, 1)}",
                                    "{,'descr': '<f8', 'fortran_order': False, 'shape': ()}");
  CHECK_THAT(rejected_dictionary(text), Contains("damaged .npy header"));
}

TEST_CASE("npy header: shapes that are none or too large") {
  const auto [shape, reason] = GENERATE(table<std::string, std::string>(
      {{"(1)", "(5,)"},
       {"[1, 1]", "a tuple"},
       {"1", "a tuple"},
       {"(-1, 1)", "0 or more"},
       {"(1, -9223372036854775808)", "0 or more"},
       {"(9223372036854775808, 1)", "below 2^63"},
       {"(99999999999999999999999999, 1)", "below 2^63"},
       {"(9223372036854775807, 1)", "more than 2^63 bytes"},
       {"(4294967296, 4294967296)", "more than 2^63 bytes"},
       {"(4294967296, 4294967296, 0)", "more than 2^63 bytes"},
       {"(2, 2, 2, 2, 2, 2, 2, 2, 2, 9223372036854775807)", "(2, 2, 2, 2, 2, 2, 2, 2)..."},
       {"(1152921504606846975, 1)", "needs 9223372036854775800 bytes"},
       {"(1.5, 2)", "','"},
       {"(1 1)", "','"},
       {"(1,,1)", "a dimension"},
       {"(,)", "a dimension"},
       {"(True, 1)", "a dimension"},
       {"((1, 1), (1,))", "a dimension"},
       {std::string(60000, '('), "a dimension"}}));
  CHECK_THAT(rejected_dictionary(dictionary("<f8", false, shape)), Contains(reason));
}

TEST_CASE("npy header: the length of the header is not trusted") {
  std::string content = header(dictionary("<f8", false, "(1, 1)"), 2) + std::string(8, '\0');
  content.replace(8, 4, "\xff\xff\xff\xff");
  CHECK_THAT(rejected(content), Contains("cut short") && Contains("needs 4294967307 bytes"));
  const std::string padded = dictionary("<f8", false, "(1, 1)") + std::string(2 << 20, ' ');
  CHECK_THAT(rejected(header(padded, 2) + std::string(8, '\0')), Contains("at most 1048576"));
}

TEST_CASE("npy header: a file cut at any byte is an error, and says what is missing") {
  const int version = GENERATE(1, 2, 3);
  const std::string whole = header(dictionary("<f4", false, "(2, 2)"), version) + std::string(16, 'x');
  for (std::size_t size = 0; size < whole.size(); ++size) rejected(whole.substr(0, size));
  CHECK_THAT(rejected(whole.substr(0, whole.size() - 1)),
             Contains("cut short") && Contains("needs 16 bytes") && Contains("the file has 15"));
  CHECK(accepted(whole).elements() == 4);
  CHECK(accepted(whole + "more").elements() == 4);  // as NumPy has it
}

TEST_CASE("npy header: random damage gives a header or an Error, nothing else") {
  const std::string whole = header(dictionary("<f8", true, "(2, 3)")) + std::string(48, 'x');
  const std::string alphabet = "{}()[]'\",:\\ 0123456789-<>=|fcdTrue\n\xff" + std::string(1, '\0');
  std::mt19937 random(1);
  const TemporaryFolder folder;
  for (int trial = 0; trial < 1000; ++trial) {
    std::string damaged = whole;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      damaged[random() % damaged.size()] = alphabet[random() % alphabet.size()];
    }
    const fs::path path = put(folder / "a.npy", damaged);
    try {
      const NpyHeader read = read_npy_header(path);
      CHECK(read.data_offset + read.bytes() <= std::ssize(damaged));
    } catch (const tombolo::Error& error) {
      CHECK_THAT(error.what(), !Contains("\n"));
    }
  }
}
