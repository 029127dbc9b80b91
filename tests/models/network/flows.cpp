// Flows against a reference in floating point that shares out anew at every event, and against what is plain to see.
// A flow that is alone takes as long as among flows of which it is the only one.

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/network/flows.hpp>

#include "models/given_network.hpp"

using namespace tombolo;
using test::Given;

namespace {

constexpr Picoseconds second = picoseconds_per_second;

double in_seconds(Picoseconds time) {
  return tombolo::seconds(time);
}

struct Job {
  Flow flow;
  Picoseconds begin = 0;
};

// When each job ends; job i takes route i.
std::vector<Picoseconds> ends(const Given& network, const std::vector<Job>& jobs) {
  Flows flows(network);
  std::vector<Picoseconds> end(jobs.size(), 0);
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return jobs[a].begin < jobs[b].begin; });
  std::size_t next = 0;
  while (next < order.size() || !flows.empty()) {
    const Picoseconds begin = next < order.size() ? jobs[order[next]].begin : never;
    if (begin <= flows.next_end()) {
      const int id = static_cast<int>(order[next++]);
      flows.start(id, id, 0, jobs[static_cast<std::size_t>(id)].flow, begin);
      continue;
    }
    const Picoseconds now = flows.next_end();
    for (const int id : flows.end(now)) end[static_cast<std::size_t>(id)] = now;
  }
  return end;
}

// Weighted max-min fair rates by progressive filling: all levels grow together until a link or a flow is full.
std::vector<double> fair(const Given& network, const std::vector<Job>& jobs, const std::vector<std::size_t>& active) {
  std::vector<double> rate(jobs.size(), 0);
  std::vector<std::size_t> open = active;
  double level = 0;
  while (!open.empty()) {
    std::vector<double> room(network.rates().begin(), network.rates().end());
    std::vector<double> growth(room.size(), 0);
    const auto each_use = [&](std::size_t job, auto visit) {
      for (const Network::Use& use : network.routes[job].uses) {
        visit(static_cast<std::size_t>(use.link), use.part / 1000.0);
      }
    };
    for (const std::size_t job : active) {
      each_use(job, [&](std::size_t link, double part) { room[link] -= rate[job] * part; });
    }
    for (const std::size_t job : open) {
      each_use(job, [&](std::size_t link, double part) {
        growth[link] += static_cast<double>(network.routes[job].weight) * part;
      });
    }
    double step = 1e300;
    for (std::size_t l = 0; l < room.size(); ++l) {
      if (growth[l] > 0) step = std::min(step, room[l] / growth[l]);
    }
    const auto weight = [&](std::size_t job) { return static_cast<double>(network.routes[job].weight); };
    const auto most = [&](std::size_t job) {
      return jobs[job].flow.most > 0 ? static_cast<double>(jobs[job].flow.most) : 1e300;
    };
    for (const std::size_t job : open) step = std::min(step, most(job) / weight(job) - level);
    level += step;
    for (const std::size_t job : open) rate[job] = level * weight(job);
    std::erase_if(open, [&](std::size_t job) {
      bool full = rate[job] >= most(job) * (1 - 1e-9);
      each_use(job, [&](std::size_t link, double) {
        full = full || room[link] - step * growth[link] <= 1e-9 * static_cast<double>(network.rates()[link]);
      });
      return full;
    });
  }
  return rate;
}

std::vector<double> reference(const Given& network, const std::vector<Job>& jobs) {
  std::vector<double> left;
  for (const Job& job : jobs) left.push_back(static_cast<double>(job.flow.bytes));
  std::vector<double> end(jobs.size(), -1);
  double now = 0;
  while (true) {
    std::vector<std::size_t> active;
    double next = 1e300;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (end[i] >= 0) continue;
      if (seconds(jobs[i].begin) <= now) active.push_back(i);
      if (seconds(jobs[i].begin) > now) next = std::min(next, seconds(jobs[i].begin));
    }
    const std::vector<double> rate = fair(network, jobs, active);
    for (const std::size_t i : active) next = std::min(next, now + left[i] / rate[i]);
    if (next == 1e300) return end;
    for (const std::size_t i : active) {
      left[i] -= (next - now) * rate[i];
      if (left[i] <= 1e-6) end[i] = next;
    }
    now = next;
  }
}

}  // namespace

TEST_CASE("equal flows share a link equally, and a flow's own limit holds") {
  Given network;
  const int link = network.link(1'000'000'000);
  for (int i = 0; i < 5; ++i) network.routes.push_back({.uses = {{link, 1000}}, .weight = 7});
  const Flow all{.bytes = 1'000'000'000, .most = 0};
  CHECK(in_seconds(ends(network, {{all}})[0]) == Approx(1));
  for (const Picoseconds end : ends(network, std::vector<Job>(5, Job{all}))) CHECK(in_seconds(end) == Approx(5));
  // One is held at a tenth of the link, the other takes the rest, then the first goes on as before.
  const std::vector<Picoseconds> two =
      ends(network, {{{.bytes = 1'000'000'000, .most = 100'000'000}}, {{.bytes = 900'000'000, .most = 0}}});
  CHECK(in_seconds(two[0]) == Approx(10));
  CHECK(in_seconds(two[1]) == Approx(1));
}

TEST_CASE("weights say who gets more where both want more, and parts what a flow takes of the way back") {
  Given network;
  const int link = network.link(4'000'000);
  const int back = network.link(1'000'000);
  network.routes = {{.uses = {{link, 1000}}, .weight = 3}, {.uses = {{link, 1000}}, .weight = 1}};
  const std::vector<Picoseconds> end = ends(network, {{{.bytes = 3'000'000}}, {{.bytes = 3'000'000}}});
  CHECK(in_seconds(end[0]) == Approx(1));
  CHECK(in_seconds(end[1]) == Approx(1.5));
  network.routes = {{.uses = {{link, 1000}, {back, 500}}, .weight = 1}};
  CHECK(in_seconds(ends(network, {{{.bytes = 2'000'000}}})[0]) == Approx(1));
}

TEST_CASE("a flow without shared links goes at its own rate") {
  Given network;
  network.routes = {{.uses = {}, .weight = 1}};
  CHECK(in_seconds(ends(network, {{{.bytes = 500, .most = 1000}}})[0]) == Approx(0.5));
}

TEST_CASE("random flows over random networks end when the reference says") {
  std::mt19937 random(11);
  const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int run = 0; run < 60; ++run) {
    Given network;
    const int links = number(1, 6);
    for (int l = 0; l < links; ++l) network.link(number(1, 1000) * 100'000);
    std::vector<Job> jobs(static_cast<std::size_t>(number(1, 40)));
    for (Job& job : jobs) {
      Network::Route route{.uses = {}, .weight = number(1, 100)};
      for (int l = 0; l < links; ++l) {
        if (number(0, 2) == 0) route.uses.push_back({l, number(0, 3) == 0 ? 50 : 1000});
      }
      const bool limited = number(0, 2) == 0 || route.uses.empty();
      job = {.flow = {.bytes = number(1, 1'000'000), .most = limited ? number(1, 500) * 100'000 : 0},
             .begin = number(0, 3) * second / 1000};
      network.routes.push_back(std::move(route));
    }
    const std::vector<Picoseconds> found = ends(network, jobs);
    const std::vector<double> expected = reference(network, jobs);
    // What ends almost together is taken to end together, which moves what comes after a little; and where many are
    // under way, rates are a little late.
    const double tolerated = jobs.size() < 16 ? 0.02 : 0.25;
    double off = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const double begin = seconds(jobs[i].begin);
      INFO("run " << run << ", job " << i);
      CHECK(seconds(found[i]) - begin == Approx(expected[i] - begin).epsilon(tolerated).margin(1e-9));
      off += std::abs(seconds(found[i]) - expected[i]) / (expected[i] - begin);
    }
    INFO("run " << run << ", " << jobs.size() << " jobs");
    CHECK(off / static_cast<double>(jobs.size()) < 0.03);
  }
}

TEST_CASE("a flow alone takes what it takes among flows") {
  std::mt19937_64 random(7);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  for (int round = 0; round < 500; ++round) {
    test::Given network;
    Network::Route route{.uses = {}, .weight = 1 + below(1 << 20)};
    for (std::int64_t links = below(5); links > 0; --links) {
      route.uses.push_back({network.link(1 + below(10'000'000'000)), static_cast<int>(1 + below(Network::whole))});
    }
    network.routes = {route};
    const Flow flow{.bytes = 1 + below(1 << 30),
                    .most = below(2) == 0 && !route.uses.empty() ? 0 : 1 + below(10'000'000'000)};
    Flows flows(network);
    flows.start(0, 0, 0, flow, 0);
    const double among = seconds(flows.next_end());
    CHECK(seconds(flow_time(network, 0, 0, flow)) == Approx(among).epsilon(0.01).margin(1e-9));
  }
}

using test::Given;

namespace {

Picoseconds last_end(Flows& flows) {
  Picoseconds last = 0;
  while (!flows.empty()) {
    last = flows.next_end();
    flows.end(last);
  }
  return last;
}

}  // namespace

TEST_CASE("flows queue for a link, each link for itself, and a flow's own limit holds") {
  Given network;
  const int wide = network.link(1'000'000);
  const int narrow = network.link(500'000);
  network.routes = {{.uses = {{wide, 1000}}}, {.uses = {{wide, 1000}, {narrow, 1000}}}, {.uses = {{wide, 100}}}};
  Queues queues(network);
  const Picoseconds second = picoseconds_per_second;
  CHECK(queues.start(0, 9, {.bytes = 1'000'000, .most = 0}, 0) == second);
  CHECK(queues.start(1, 9, {.bytes = 1'000'000, .most = 0}, 0) == 2 * second);
  CHECK(queues.start(0, 9, {.bytes = 100, .most = 10}, 0) == 10 * second);
  // What takes a part of the link only.
  CHECK(queues.start(2, 9, {.bytes = 1'000'000, .most = 0}, 3 * second) == 3 * second + second / 10);
}

TEST_CASE("all flows together are through no later than where they share links fairly") {
  std::mt19937 random(3);
  const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int run = 0; run < 100; ++run) {
    Given network;
    const int links = number(1, 5);
    for (int l = 0; l < links; ++l) network.link(number(1, 100) * 100'000);
    const int jobs = number(1, 30);
    for (int job = 0; job < jobs; ++job) {
      Network::Route route{.uses = {{number(0, links - 1), 1000}}, .weight = number(1, 9)};
      const int other = number(0, links - 1);
      if (other != route.uses.front().link) route.uses.push_back({other, 1000});
      network.routes.push_back(std::move(route));
    }
    Queues queues(network);
    Flows flows(network);
    Picoseconds queued = 0;
    for (int job = 0; job < jobs; ++job) {
      const Flow flow{.bytes = number(1, 1'000'000), .most = 0};
      queued = std::max(queued, queues.start(job, 0, flow, 0));
      flows.start(job, job, 0, flow, 0);
    }
    INFO("run " << run);
    CHECK(queued <= last_end(flows) + queued / 100);
  }
}
