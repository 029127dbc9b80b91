#include <catch2/catch.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <tombolo/lab/relay/line_server.hpp>
#include <tombolo/units.hpp>

#include "support/files.hpp"

namespace {

using namespace tombolo;
using namespace test_files;

/// Connected to the socket; -1 where nobody answers.
Descriptor connect_to(const fs::path& path) {
  Descriptor made(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  const bool connected = ::connect(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  return connected ? std::move(made) : Descriptor();
}

void say(const Descriptor& client, const std::string& text) {
  REQUIRE(::send(client.number(), text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
}

/// Serves whatever there is, each line by itself in brackets.
void serve(LineServer& server) {
  pollfd watched{.fd = server.descriptor(), .events = POLLIN, .revents = 0};
  while (::poll(&watched, 1, 20) > 0) {
    server.serve([](std::string_view line) { return "[" + std::string(line) + "]"; });
  }
}

/// What has come; "END" where the connection is closed.
std::string heard(const Descriptor& client) {
  std::string text(1UL << 20, '\0');
  const ssize_t got = ::recv(client.number(), text.data(), text.size(), MSG_DONTWAIT);
  if (got == 0 || (got < 0 && errno != EAGAIN)) return "END";
  return text.substr(0, got < 0 ? 0 : static_cast<std::size_t>(got));
}

TEST_CASE("every line of every client is answered to it, in order, however it is cut") {
  const TemporaryFolder folder;
  LineServer server(folder / "socket");
  const Descriptor first = connect_to(folder / "socket");
  const Descriptor second = connect_to(folder / "socket");
  say(first, "one\ntwo\nthr");
  say(second, "\n");
  serve(server);
  CHECK(heard(first) == "[one]\n[two]\n");
  CHECK(heard(second) == "[]\n");
  say(first, "ee\n");
  serve(server);
  CHECK(heard(first) == "[three]\n");
  CHECK(heard(second).empty());
}

TEST_CASE("who has said all still hears the answers, then the connection ends") {
  const TemporaryFolder folder;
  LineServer server(folder / "socket");
  const Descriptor client = connect_to(folder / "socket");
  say(client, "last\nhalf a line");
  ::shutdown(client.number(), SHUT_WR);
  serve(server);
  CHECK(heard(client) == "[last]\n");
  CHECK(heard(client) == "END");
}

TEST_CASE("who goes away disturbs nobody") {
  const TemporaryFolder folder;
  LineServer server(folder / "socket");
  const Descriptor stays = connect_to(folder / "socket");
  for (int i = 0; i < 100; ++i) {
    const Descriptor goes = connect_to(folder / "socket");
    if (i % 2 == 0) say(goes, "a line\n");
  }
  serve(server);
  say(stays, "still here\n");
  serve(server);
  CHECK(heard(stays) == "[still here]\n");
}

TEST_CASE("who sends a line without an end is disconnected") {
  const TemporaryFolder folder;
  LineServer server(folder / "socket");
  const Descriptor client = connect_to(folder / "socket");
  const std::string part(1UL << 16, 'x');
  std::string said;
  for (int i = 0; i < 20 && said != "END"; ++i) {
    if (::send(client.number(), part.data(), part.size(), MSG_NOSIGNAL) < 0) break;
    serve(server);
    said = heard(client);
  }
  CHECK(said == "END");
}

TEST_CASE("an answer longer than a socket holds arrives whole") {
  const TemporaryFolder folder;
  LineServer server(folder / "socket");
  const Descriptor client = connect_to(folder / "socket");
  say(client, std::string(50'000, '\n'));
  std::string all;
  for (int i = 0; i < 1000 && all.size() < 150'000; ++i) {
    serve(server);
    all += heard(client);
  }
  CHECK(all.size() == 150'000);
}

TEST_CASE("the socket is its owner's, and goes with the server") {
  const TemporaryFolder folder;
  {
    const LineServer server(folder / "socket");
    CHECK(fs::status(folder / "socket").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("a socket that was left behind is replaced, one that answers is not, nor is a file") {
  const TemporaryFolder folder;
  {
    const LineServer server(folder / "socket");
    fs::rename(folder / "socket", folder / "left");  // as kill -9 leaves it
  }
  {
    LineServer server(folder / "left");
    error_of(folder / "left", [&] { const LineServer other(folder / "left"); });
    const Descriptor client = connect_to(folder / "left");
    say(client, "a\n");
    serve(server);
    CHECK(heard(client) == "[a]\n");
  }
  put(folder / "file", "contents");
  error_of(folder / "file", [&] { const LineServer server(folder / "file"); });
  CHECK(get(folder / "file") == "contents");
  error_of(folder / "none" / "socket", [&] { const LineServer server(folder / "none" / "socket"); });
  const fs::path endless = folder / std::string(150, 'x');
  error_of(endless, [&] { const LineServer server(endless); });
}

}  // namespace
