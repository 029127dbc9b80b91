// tombolo-simgrid-routes: lets SimGrid read a platform description and prints what Tombolo needs of it. A program of
// its own, since libsimgrid defines MPI's functions, and since it ends the process for a description that it cannot
// read.
//
// Input: {"xml": TEXT, "hosts": [NAME, ...] or null for all, "most": N}.
// Output: a line {"hosts": [[name, zone, speed, cores], ...], "zones": [[name, parent], ...]}, all of them in the order
// of the description. Then, if at most N hosts are asked for and all of them exist, their routes to each other in the
// order of asking: each a latency in seconds (double), the number of its links and their numbers (int32), in the
// machine's own form. Where there is no route, the number is -1, and the output ends. Then a line {"links": [[name,
// rate, shared], ...]}. Speeds in flop/s of one core, rates in B/s. SimGrid's words about a failure go to stderr.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

namespace s4u = simgrid::s4u;
using nlohmann::json;

std::string dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

// The zones and hosts of a description, in its order.
class Description {
 public:
  explicit Description(s4u::NetZone* root) {
    if (root != nullptr) add(root, -1);
  }

  const std::vector<s4u::Host*>& hosts() const { return hosts_; }
  json shown() const {
    json hosts = json::array();
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      hosts.push_back({hosts_[h]->get_name(), zone_of_[h], hosts_[h]->get_speed(), hosts_[h]->get_core_count()});
    }
    return {{"hosts", std::move(hosts)}, {"zones", zones_}};
  }

 private:
  void add(s4u::NetZone* zone, int parent) {
    const auto number = static_cast<int>(zones_.size());
    zones_.push_back({zone->get_name(), parent});
    // The points of a zone are numbered in the order of the description.
    std::vector<std::pair<unsigned long, s4u::Host*>> points;
    std::unordered_map<unsigned long, s4u::NetZone*> inner;
    for (s4u::Host* host : zone->get_all_hosts()) {
      if (host->get_englobing_zone() == zone) points.emplace_back(host->get_netpoint()->id(), host);
    }
    for (s4u::NetZone* child : zone->get_children()) {
      points.emplace_back(child->get_netpoint()->id(), nullptr);
      inner.emplace(child->get_netpoint()->id(), child);
    }
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [id, host] : points) {
      if (host == nullptr) {
        add(inner.at(id), number);
      } else {
        hosts_.push_back(host);
        zone_of_.push_back(number);
      }
    }
  }

  json zones_ = json::array();
  std::vector<s4u::Host*> hosts_;
  std::vector<int> zone_of_;
};

std::vector<s4u::Host*> chosen(const Description& description, const json& names) {
  if (names.is_null()) return description.hosts();
  std::unordered_map<std::string, s4u::Host*> hosts;
  for (s4u::Host* host : description.hosts()) hosts.emplace(host->get_name(), host);
  std::vector<s4u::Host*> found;
  for (const json& name : names) {
    const auto host = hosts.find(name.get<std::string>());
    if (host == hosts.end()) return {};
    found.push_back(host->second);
  }
  return found;
}

// routing="None". The library does not export the class's type information, which a cast would take.
bool is_without_routes(const s4u::NetZone& zone) {
  return std::string_view(typeid(*zone.get_impl()).name()).find("EmptyZone") != std::string_view::npos;
}

template <class Value>
void print(Value value) {
  std::fwrite(&value, sizeof value, 1, stdout);
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_routes(const std::vector<s4u::Host*>& hosts) {
  std::unordered_map<const s4u::Link*, std::int32_t> numbers;
  json links = json::array();
  std::vector<s4u::Link*> route;
  for (s4u::Host* from : hosts) {
    for (s4u::Host* to : hosts) {
      route.clear();
      double seconds = 0;
      const bool is_asked = from != to || !is_without_routes(*from->get_englobing_zone());  // which would end us
      if (is_asked) from->route_to(to, route, &seconds);
      // A host without a described loopback has SimGrid's, which its settings state.
      if (from == to && !route.empty() && route.front()->get_name() == "__loopback__") {
        route.clear();
        seconds = 0;
      }
      const bool is_missing = from != to && route.empty();
      print(seconds);
      print(is_missing ? std::int32_t{-1} : static_cast<std::int32_t>(route.size()));
      if (is_missing) return;
      for (s4u::Link* link : route) {
        const auto [at, is_new] = numbers.try_emplace(link, static_cast<std::int32_t>(links.size()));
        if (is_new) {
          const bool shared = link->get_sharing_policy() != s4u::Link::SharingPolicy::FATPIPE;
          links.push_back({link->get_name(), link->get_bandwidth(), shared});
        }
        print(at->second);
      }
    }
  }
  print(dumped({{"links", std::move(links)}}));
}

void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

}  // namespace

int main(int argc, char** argv) {
  // A cluster of 10^9 hosts is a line of text: it ends this program and nothing else.
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, rlim_t{1} << 30);
  limit(RLIMIT_CPU, 100);
  const json asked = json::parse(std::cin);
  const auto& text = asked.at("xml").get_ref<const std::string&>();
  const int file = ::memfd_create("platform.xml", 0);
  if (file < 0 || ::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return EXIT_FAILURE;
  s4u::Engine engine(&argc, argv);
  engine.load_platform("/proc/self/fd/" + std::to_string(file));
  s4u::NetZone* const root = engine.get_netzone_root();
  if (root != nullptr) root->seal();  // else zones without a route have no table of routes
  const Description description(root);
  print(dumped(description.shown()));
  const std::vector<s4u::Host*> hosts = chosen(description, asked.at("hosts"));
  if (hosts.size() <= asked.at("most").get<std::size_t>()) print_routes(hosts);
  std::_Exit(std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);  // without SimGrid's tidying up
}
