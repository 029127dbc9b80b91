#include <string>

#include <catch2/catch.hpp>

#include <tombolo/platform/system/posix_file.hpp>

using namespace tombolo;

TEST_CASE("control characters are told from others, and shown") {
  for (const char* const plain : {"", "a b", "\xc3\x9b", "\xc2\xa0", "\xe2\x82\x9b", "\xc2"}) {
    CAPTURE(plain);
    CHECK_FALSE(has_control(plain));
    if (*plain != 0) CHECK(printable(plain) == plain);
  }
  for (const std::string& bad :
       {std::string("\0", 1), std::string("a\n"), std::string("\x7f"), std::string("x\xc2\x80y")}) {
    CHECK(has_control(bad));
    CHECK_FALSE(has_control(printable(bad)));
  }
  CHECK(printable("a\x1b[2J\xc2\x9b"
                  "b\xc2\xa0") == "a\\x1b[2J\\xc2\\x9bb\xc2\xa0");
}
