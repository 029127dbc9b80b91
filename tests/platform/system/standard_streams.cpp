#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <tombolo/platform/system/standard_streams.hpp>

using namespace tombolo;

namespace {

/// stderr is another file while this lives.
class Redirected {
 public:
  explicit Redirected(int to) : kept_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) {
    if (to >= 0) ::dup2(to, STDERR_FILENO);
    if (to < 0) ::close(STDERR_FILENO);
  }
  ~Redirected() {
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
  }

 private:
  int kept_;
};

}  // namespace

TEST_CASE("what cannot be said is lost") {
  const int full = ::open("/dev/full", O_WRONLY);
  REQUIRE(full >= 0);
  {
    const Redirected stderr_is(full);
    CHECK_NOTHROW(say("nobody reads this\n"));
  }
  ::close(full);
  const Redirected stderr_is(-1);
  CHECK_NOTHROW(say("nor this\n"));
}

TEST_CASE("a stream that was closed is no other file's") {
  const Redirected stderr_is(-1);
  open_standard_streams();
  const int next = ::open("/dev/null", O_WRONLY);
  CHECK(next > STDERR_FILENO);
  ::close(next);
  CHECK(::write(STDERR_FILENO, "x", 1) < 0);
}

TEST_CASE("a pipe is read before one goes on, but not waited for without an end") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const Redirected stderr_is(ends[1]);
  say("read this\n");
  const auto begin = std::chrono::steady_clock::now();
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::array<char, 100> text{};
    (void)!::read(ends[0], text.data(), text.size());
  });
  let_be_read();
  const auto waited = std::chrono::steady_clock::now() - begin;
  reader.join();
  CHECK(waited >= std::chrono::milliseconds(50));
  say("nobody reads this\n");
  let_be_read();
  for (const int end : ends) ::close(end);
}
