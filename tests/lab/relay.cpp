#include <chrono>
#include <set>
#include <thread>

#include <catch2/catch.hpp>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <tombolo/lab/relay/relay.hpp>
#include <tombolo/units.hpp>

#include "lab/frames.hpp"
#include "support/files.hpp"

namespace {

using namespace tombolo;
using namespace test_frames;
using test_frames::Bytes;
using Clock = std::chrono::steady_clock;

/// A relay in a thread, whose ports are pairs of sockets that keep frames apart as TAPs do.
class Running {
 public:
  explicit Running(const RelaySettings& settings) : control_(folder_ / "control"), stop_(::eventfd(0, 0)) {
    std::vector<Descriptor> ports;
    for (std::size_t i = 0; i < settings.sites.size(); ++i) {
      int pair[2];
      REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair) == 0);
      ports.emplace_back(pair[0]);
      sites_.emplace_back(pair[1]);
    }
    thread_ = std::thread([this, settings, ports = std::move(ports)]() mutable {
      try {
        Relay(settings, std::move(ports), control_).run(stop_);
      } catch (const Error& error) {
        error_ = error.what();
      }
    });
  }
  ~Running() { end(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  std::string end() {
    if (thread_.joinable()) {
      ::eventfd_write(stop_.number(), 1);
      thread_.join();
    }
    return error_;
  }

  std::string wait_for_error() {
    thread_.join();
    return error_;
  }

  bool send(int from, const Bytes& frame) {
    return ::send(number(from), frame.data(), frame.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(frame.size());
  }

  /// The next that arrives at a site; empty where none does for so long.
  Bytes receive(int site, int milliseconds = 10'000) {
    pollfd watched{.fd = number(site), .events = POLLIN, .revents = 0};
    if (::poll(&watched, 1, milliseconds) <= 0) return {};
    Bytes frame(largest_frame);
    frame.resize(static_cast<std::size_t>(std::max<ssize_t>(::recv(number(site), frame.data(), frame.size(), 0), 0)));
    return frame;
  }

  void lose(int site) { sites_[static_cast<std::size_t>(site)] = Descriptor(); }

 private:
  int number(int site) const { return sites_[static_cast<std::size_t>(site)].number(); }

  test_files::TemporaryFolder folder_;
  LineServer control_;
  Descriptor stop_;
  std::vector<Descriptor> sites_;
  std::thread thread_;
  std::string error_;
};

TEST_CASE("frames between all sites arrive whole, after their delay") {
  const RelayShape shape{.delay = 20'000'000, .rate = 0, .most_wait = 0};
  for (const int sites : {1, 2, 5}) {
    Running relay(all_linked(sites, shape));
    const auto begun = Clock::now();
    for (int from = 0; from < sites; ++from) {
      for (int to = 0; to < sites; ++to) {
        REQUIRE(relay.send(from, frame(from, to, 1, 1514, static_cast<std::uint8_t>(from))));
      }
    }
    for (int to = 0; to < sites; ++to) {
      std::set<int> senders;
      for (int i = 0; i < sites; ++i) {
        const Bytes arrived = relay.receive(to);
        REQUIRE(arrived.size() == 1514);
        senders.insert(number_of(arrived));
        CHECK(card_of(arrived) == card(to, 1));
        CHECK(std::equal(arrived.begin() + 12, arrived.end(),
                         frame(number_of(arrived), to, 1, 1514, arrived.back()).begin() + 12));
      }
      CHECK(static_cast<int>(senders.size()) == sites);
    }
    CHECK(Clock::now() - begun >= std::chrono::microseconds(19'850));
    CHECK(relay.end().empty());
  }
}

TEST_CASE("many frames leave at the rate of the link, in order") {
  constexpr int frames = 50;  // which a socket holds
  Running relay(all_linked(2, {.delay = 0, .rate = 20'000'000, .most_wait = 1'000'000'000}));
  const auto begun = Clock::now();
  for (int i = 0; i < frames; ++i) REQUIRE(relay.send(0, frame(0, 1, 0, 1000, static_cast<std::uint8_t>(i))));
  for (int i = 0; i < frames; ++i) {
    const Bytes arrived = relay.receive(1);
    REQUIRE(arrived.size() == 1000);
    CHECK(number_of(arrived) == i);
  }
  CHECK(Clock::now() - begun >= std::chrono::microseconds(19'980));  // of 400 us each
}

TEST_CASE("what is no frame for a link does not disturb it") {
  Running relay(all_linked(2, {}));
  for (std::size_t size = 1; size < 40; ++size) REQUIRE(relay.send(0, Bytes(size, 0xff)));
  REQUIRE(relay.send(0, frame(0, 1, 0)));
  CHECK(relay.receive(1).size() == 64);
  CHECK(relay.receive(1, 1).empty());
}

TEST_CASE("a relay ends when it is asked to, with frames under way") {
  Running relay(all_linked(2, {.delay = 60'000'000'000, .rate = 0, .most_wait = 0}));
  REQUIRE(relay.send(0, frame(0, 1, 0)));
  CHECK(relay.end().empty());
}

TEST_CASE("a relay ends with an error when a port is gone") {
  Running relay(all_linked(3, {}));
  relay.lose(1);
  CHECK(relay.wait_for_error() == "the TAP wan1 is gone; bring the grid up again");
}

}  // namespace
