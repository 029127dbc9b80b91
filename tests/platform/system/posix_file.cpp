#include <string>

#include <catch2/catch.hpp>

#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>

#include "support/files.hpp"

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

using namespace tombolo;
using test_files::get;
using test_files::put;
using test_files::TemporaryFolder;
namespace fs = test_files::fs;

TEST_CASE("a file is the same by every name that it has") {
  const TemporaryFolder folder;
  const fs::path file = put(folder / "file", "x");
  put(folder / "other", "x");
  fs::create_symlink("file", folder / "link");
  fs::create_symlink("link", folder / "link to link");
  fs::create_hard_link(file, folder / "hard");
  fs::create_directory_symlink(".", folder / "here");
  for (const char* const name : {"file", "./file", "link", "link to link", "hard", "here/file", "here/../file"}) {
    CAPTURE(name);
    if (std::string_view(name) != "here/../file") CHECK(is_same_file(file, folder / name));
    CHECK_FALSE(is_same_file(folder / "other", folder / name));
    CHECK_FALSE(is_same_file(folder / "missing", folder / name));
  }
}

TEST_CASE("a file that is not there yet is the same by every name that it would have") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "folder");
  fs::create_directory_symlink("folder", folder / "there");
  fs::create_symlink("there/new", folder / "link");
  fs::create_symlink(folder / "link", folder / "link to link");
  fs::create_symlink("round", folder / "round");
  fs::create_symlink("none/new", folder / "lost");
  const fs::path file = folder / "folder/new";
  for (const char* const name : {"folder/new", "there/new", "folder/../folder/./new", "link", "link to link"}) {
    CAPTURE(name);
    CHECK(is_same_file(file, folder / name));
    CHECK(is_same_file(folder / name, file));
  }
  CHECK(is_same_file(folder / "new", folder / "new/"));
  for (const char* const name : {"new", "folder/newer", "round", "lost", "none/new"}) {
    CAPTURE(name);
    CHECK_FALSE(is_same_file(file, folder / name));
  }
  CHECK_FALSE(is_same_file("", ""));
  CHECK_FALSE(is_same_file(folder / "none/new", folder / "none/new"));  // where nothing can be written
}

TEST_CASE("writing to a link writes what it leads to") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "there");
  fs::create_symlink("there/new", folder / "link");
  for (const char* const text : {"first", "second"}) {
    write_text(folder / "link", text);
    CHECK(fs::is_symlink(folder / "link"));
    CHECK_FALSE(fs::is_symlink(folder / "there/new"));
    CHECK(get(folder / "there/new") == text);
  }
  fs::create_symlink("none/new", folder / "lost");
  CHECK(test_files::error_of(folder / "none", [&] { write_text(folder / "lost", "x"); }).find("mkdir -p") !=
        std::string::npos);
  fs::create_symlink("round", folder / "round");
  test_files::error_of(folder / "round", [&] { write_text(folder / "round", "x"); });
  CHECK(folder.files() == 4);
}
