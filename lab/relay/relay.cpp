#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>

#include <tombolo/lab/relay/relay.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr Nanoseconds early = 15'000;  // rather than to sleep once more for so short a time
constexpr Nanoseconds longest_gap = 100'000;
constexpr Nanoseconds shortest_gap = 10'000;  // below, sleeping would cost more than it saves
constexpr Nanoseconds gaps_in_a_delay = 25;
constexpr Nanoseconds second = 1'000'000'000;
constexpr std::size_t most_at_once =
    64;  // frames of a port that are read, or handed over, before something else's turn
constexpr std::uint64_t stop_event = ~0ULL;
constexpr std::uint64_t control_event = stop_event - 1;

timespec time_of(Nanoseconds time) {
  return {.tv_sec = time / second, .tv_nsec = time % second};
}

Nanoseconds now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second + time.tv_nsec;
}

Nanoseconds gap_of(const Shaper& shaper) {
  const Nanoseconds gap = std::min(shaper.least_delay() / gaps_in_a_delay, longest_gap);
  return gap < shortest_gap ? 0 : gap;
}

/// False where it is later already.
bool sleep_until(Nanoseconds time) {
  if (now() >= time) return false;
  const timespec until = time_of(time);
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  return true;
}

/// Until something happens, or until then. Returns how many events there are.
std::size_t wait(int events, std::span<epoll_event> happened, std::optional<Nanoseconds> until) {
  timespec time{};
  if (until) time = time_of(std::max<Nanoseconds>(*until - now(), 0));
  const int count =
      ::epoll_pwait2(events, happened.data(), static_cast<int>(happened.size()), until ? &time : nullptr, nullptr);
  if (count >= 0) return static_cast<std::size_t>(count);
  if (errno == EINTR) return 0;
  throw Error(fmt::format("cannot wait for frames: {}", std::strerror(errno)), "run Linux 5.11 or newer");
}

}  // namespace

Relay::Relay(const RelaySettings& settings, std::vector<Descriptor> ports, LineServer& control)
    : settings_(settings),
      ports_(std::move(ports)),
      control_(control),
      shaper_(settings),
      gap_(gap_of(shaper_)),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      buffer_(largest_frame) {
  watch(control_.descriptor(), control_event);
  for (std::size_t site = 0; site < ports_.size(); ++site) watch(ports_[site].number(), site);
}

void Relay::watch(int number, std::uint64_t what) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = what;
  if (::epoll_ctl(events_.number(), EPOLL_CTL_ADD, number, &event) != 0) {
    throw Error(fmt::format("cannot watch for frames: {}", std::strerror(errno)), "raise the limit on open files");
  }
}

void Relay::run(const Descriptor& stop) {
  watch(stop.number(), stop_event);
  std::array<epoll_event, 64> happened{};
  Nanoseconds last_round = 0;
  bool more = false;
  for (;;) {
    const bool slept = !more && sleep_until(last_round + gap_);
    Nanoseconds ago = 0;
    std::size_t count = 0;
    if (slept || more) count = wait(events_.number(), happened, 0);
    if (slept && count > 0) ago = gap_ / 2;
    if (count == 0 && !more) {
      const auto next = shaper_.next();
      count = wait(events_.number(), happened, next ? std::optional(*next - early) : std::nullopt);
    }
    last_round = now();
    more = hand_over();
    for (const epoll_event& event : std::span(happened).first(count)) {
      if (event.data.u64 == stop_event) return;
      if (event.data.u64 == control_event) {
        answer();
      } else {
        more = take_in(event.data.u64, ago) || more;
      }
    }
  }
}

void Relay::answer() {
  control_.serve([this](std::string_view line) { return relay_answer(shaper_, effort(), line); });
  gap_ = gap_of(shaper_);
}

/// All that is due; true where that is too much for now.
bool Relay::hand_over() {
  const Nanoseconds ahead = std::max(early, gap_ / 2);
  Nanoseconds time = now();
  for (std::size_t i = 0; i < most_at_once; ++i) {
    const auto arrival = shaper_.arrival(time + ahead);
    if (!arrival) return false;
    const int port = ports_[static_cast<std::size_t>(arrival->site)].number();
    if (::write(port, arrival->frame.data(), arrival->frame.size()) < 0) ++not_written_;
    time = now();
    shaper_.handed_over(time);
  }
  return true;
}

/// All that has come from a site, so long ago; true where that is too much for now.
bool Relay::take_in(std::size_t site, Nanoseconds ago) {
  for (std::size_t i = 0; i < most_at_once; ++i) {
    const ssize_t got = ::read(ports_[site].number(), buffer_.data(), buffer_.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (got <= 0) {
      throw Error(fmt::format("the TAP {} is gone", settings_.sites[site].tap), "bring the grid up again");
    }
    shaper_.accept(static_cast<int>(site), std::span(buffer_).first(static_cast<std::size_t>(got)), now() - ago);
  }
  return true;
}

RelayEffort Relay::effort() const {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return {.cpu_seconds = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9,
          .not_written = not_written_};
}

}  // namespace tombolo
