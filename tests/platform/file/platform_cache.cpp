#include <cstdlib>
#include <functional>
#include <string>

#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <tombolo/platform/file/platform_cache.hpp>
#include <tombolo/platform/file/platform_file.hpp>

#include "platform/random_platform.hpp"
#include "support/files.hpp"
#include "support/variable.hpp"

using namespace tombolo;
using test_files::TemporaryFolder;
using test_files::fs::path;

namespace {

/// The variables that say where the cache is, while this lives; empty: not set.
class Environment {
 public:
  Environment(const std::string& own, const std::string& caches, const std::string& home)
      : own_("TOMBOLO_CACHE", own), caches_("XDG_CACHE_HOME", caches), home_("HOME", home) {}

 private:
  test::Variable own_, caches_, home_;
};

CacheKey key_of(const Platform& platform) {
  CacheKey key;
  for (const Processor& processor : platform.processors) {
    key.hosts.push_back(processor.host);
    key.places.push_back(processor.place);
    key.models.push_back(processor.model);
  }
  key.mpi = platform.origin.mpi;
  return key;
}

mode_t mode_of(const path& file) {
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("what is kept is found, by the same hosts only") {
  const TemporaryFolder folder;
  const Environment environment(folder / "own", "", "");
  const Platform platform = small_platform();
  const CacheKey key = key_of(platform);
  CHECK_FALSE(find_cached(key));
  REQUIRE_NOTHROW(keep_cached(key, platform));
  CHECK(find_cached(key) == platform);
  CHECK(mode_of(folder / "own") == 0700);

  const auto found_after = [&](const std::function<void(CacheKey&)>& change) {
    CacheKey other = key;
    change(other);
    return find_cached(other).has_value();
  };
  CHECK(found_after([](CacheKey&) {}));
  CHECK_FALSE(found_after([](CacheKey& k) { std::swap(k.hosts[0], k.hosts[4]); }));
  CHECK_FALSE(found_after([](CacheKey& k) { k.hosts.pop_back(); }));
  CHECK_FALSE(found_after([](CacheKey& k) { k.hosts[3] = "b2"; }));
  CHECK_FALSE(found_after([](CacheKey& k) { k.places[1].core = 0; }));
  CHECK_FALSE(found_after([](CacheKey& k) { k.models[1] = "Xeon"; }));
  CHECK_FALSE(found_after([](CacheKey& k) { k.mpi += "1"; }));
  CHECK_FALSE(found_after([](CacheKey& k) { k.simulated = true; }));

  Platform newer = platform;
  newer.hosts[0].latency.value += 1;
  REQUIRE_NOTHROW(keep_cached(key, newer));
  CHECK(find_cached(key) == newer);
}

TEST_CASE("the name of a cached file is the same on every machine") {
  const Environment environment("/c", "", "");
  const CacheKey key = {{"a", "b"}, {{}, {0, 1, 2, 3}}, {"Xeon", ""}, "MPICH 4.0.2", false};
  CHECK(*cache_file(key) == "/c/df26af6db53567d5.json");
  CHECK(*cache_file(key, "plans") == "/c/df26af6db53567d5.plans.json");
}

TEST_CASE("where the cache is") {
  const auto folder = [](const char* own, const char* caches, const char* home) {
    const Environment environment(own, caches, home);
    const auto file = cache_file({});
    return file ? file->parent_path().string() : "none";
  };
  CHECK(folder("/own", "/caches", "/home") == "/own");
  CHECK(folder("", "/caches", "/home") == "/caches/tombolo");
  CHECK(folder("", "relative", "/home") == "/home/.cache/tombolo");
  CHECK(folder("", "", "/home") == "/home/.cache/tombolo");
  CHECK(folder("", "", "") == "none");
  CHECK(folder("here/own", "", "") == "here/own");
}

TEST_CASE("a text is kept for this user alone, and one that is too long is none") {
  const TemporaryFolder folder;
  const path file = folder / "new/x.plans.json";
  CHECK_FALSE(read_cached(file, 100));
  REQUIRE_NOTHROW(write_cached(file, "text"));
  CHECK(mode_of(file) == 0600);
  CHECK(read_cached(file, 4) == "text");
  CHECK_FALSE(read_cached(file, 3));
  test_files::fs::permissions(file, test_files::fs::perms::others_write, test_files::fs::perm_options::add);
  CHECK_FALSE(read_cached(file, 4));
}

TEST_CASE("a cache that cannot be used is none") {
  const TemporaryFolder folder;
  const Platform platform = small_platform();
  const CacheKey key = key_of(platform);
  const auto fails = [&](const std::string& own) {
    const Environment environment(own, "", "");
    CHECK_FALSE(find_cached(key));
    CHECK_THROWS_AS(keep_cached(key, platform), Error);
    CHECK_FALSE(find_cached(key));
  };
  fails("");
  fails(test_files::put(folder / "file", "not a folder").string());
  fails((folder / "file/below").string());
  test_files::fs::create_directory(folder / "closed");
  test_files::fs::permissions(folder / "closed", test_files::fs::perms::none);
  const test_files::Unprivileged user;
  fails((folder / "closed").string());
  fails((folder / "closed/below").string());
}

TEST_CASE("a broken file or another's in the cache is none, and is replaced") {
  const TemporaryFolder folder;
  const Environment environment("", folder / "a/b", "");
  const Platform platform = small_platform();
  const CacheKey key = key_of(platform);
  REQUIRE_NOTHROW(keep_cached(key, platform));
  const path file = *cache_file(key);
  CHECK(mode_of(folder / "a") == 0700);
  CHECK(mode_of(file.parent_path()) == 0700);
  const std::string text = test_files::get(file);
  for (const std::string& content : {std::string(), text.substr(0, text.size() / 2), std::string("[[[[")}) {
    test_files::put(file, content);
    CHECK_FALSE(find_cached(key));
  }
  test_files::put(file, to_json(RandomPlatform(1).make(5)));
  CHECK_FALSE(find_cached(key));
  CHECK_NOTHROW(keep_cached(key, platform));
  CHECK(find_cached(key) == platform);
}

TEST_CASE("a cache that others may write to is believed only in what is this user's alone") {
  const TemporaryFolder folder;
  const Environment environment(folder / "own", "", "");
  const Platform platform = small_platform();
  const CacheKey key = key_of(platform);
  REQUIRE_NOTHROW(keep_cached(key, platform));
  const path file = *cache_file(key);
  CHECK(mode_of(file) == 0600);
  const auto is_replaced = [&] {
    CHECK_FALSE(find_cached(key));
    CHECK_NOTHROW(keep_cached(key, platform));
    CHECK(find_cached(key) == platform);
    CHECK(mode_of(file) == 0600);
  };
  const path target = test_files::put(folder / "target", to_json(platform) + "\n");
  for (const char* const to : {"target", "nothing"}) {
    test_files::fs::remove(file);
    test_files::fs::create_symlink(folder / to, file);
    is_replaced();
    CHECK_FALSE(test_files::fs::is_symlink(file));
  }
  CHECK(test_files::get(target) == to_json(platform) + "\n");
  CHECK_FALSE(test_files::fs::exists(folder / "nothing"));
  REQUIRE(::chmod(file.c_str(), 0666) == 0);
  is_replaced();
  if (::geteuid() != 0) return;  // only root gives files to others
  REQUIRE(::chown(file.c_str(), 65534, 65534) == 0);
  is_replaced();
}

TEST_CASE("a platform that is none is not kept") {
  const TemporaryFolder folder;
  const Environment environment(folder / "own", "", "");
  Platform platform = small_platform();
  platform.links.clear();
  CHECK_THROWS(keep_cached(key_of(platform), platform));
}
