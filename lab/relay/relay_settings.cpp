#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <tombolo/lab/relay/relay_settings.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {
namespace {

constexpr std::string_view remedy = "write it as lab/relay/relay_settings.hpp shows";
constexpr double most_delay_us = 1e8;
constexpr double most_queue_ms = 1e5;
constexpr double most_rate_mbit = 1e6;
constexpr double least_rate_mbit = 1e-3;
constexpr std::size_t longest_interface = 15;  // IFNAMSIZ - 1

double figure(const JsonNode& node, std::string_view name, double most) {
  const JsonNode member = node.member(name);
  const double value = member.number();
  if (!(value >= 0 && value <= most)) member.refuse(fmt::format("is {}, not from 0 to {}", value, most));
  return value;
}

/// Bits per second.
std::int64_t rate(const JsonNode& node, std::string_view name) {
  const double mbit = figure(node, name, most_rate_mbit);
  if (mbit > 0 && mbit < least_rate_mbit) {
    node.member(name).refuse(
        fmt::format("is {}, neither 0, which is no limit, nor at least {}", mbit, least_rate_mbit));
  }
  return std::llround(mbit * 1e6);
}

int site(const JsonNode& node, std::string_view name, int sites) {
  const JsonNode member = node.member(name);
  const int value = member.small_integer();
  if (value < 0 || value >= sites) member.refuse(fmt::format("is {}, not one of the {} sites", value, sites));
  return value;
}

MacAddress card(const JsonNode& node) {
  const JsonNode member = node.member("mac");
  const auto found = mac_address_from(member.text());
  if (!found) member.refuse(fmt::format("is {}, not like 02:4d:00:00:01:01", tombolo::quoted(member.text())));
  return *found;
}

RelaySite site_from(const JsonNode& node) {
  static constexpr std::string_view known[] = {"tap", "mac", "up_mbit", "down_mbit"};
  node.check_members(known);
  const std::string tap = node.member("tap").text();
  if (tap.empty() || tap.size() > longest_interface || has_control(tap) ||
      tap.find_first_of("/% ") != std::string::npos) {
    node.member("tap").refuse(fmt::format("is {}, no name of an interface", tombolo::quoted(tap)));
  }
  return {.tap = tap, .gateway = card(node), .up = rate(node, "up_mbit"), .down = rate(node, "down_mbit")};
}

RelayHost host_from(const JsonNode& node, int sites) {
  static constexpr std::string_view known[] = {"site", "address", "mac"};
  node.check_members(known);
  const JsonNode member = node.member("address");
  const auto address = ipv4_address_from(member.text());
  if (!address) member.refuse(fmt::format("is {}, not like 10.77.0.1", tombolo::quoted(member.text())));
  return {.site = site(node, "site", sites), .address = *address, .card = card(node)};
}

}  // namespace

RelayLink relay_link_from(const JsonNode& node, int sites) {
  static constexpr std::string_view known[] = {"from", "to", "delay_us", "rate_mbit", "queue_ms"};
  node.check_members(known);
  RelayLink link{.from = site(node, "from", sites), .to = site(node, "to", sites), .shape = {}};
  link.shape.delay = std::llround(figure(node, "delay_us", most_delay_us) * 1e3);
  link.shape.rate = rate(node, "rate_mbit");
  link.shape.most_wait = std::llround(figure(node, "queue_ms", most_queue_ms) * 1e6);
  return link;
}

RelaySettings relay_settings_from(std::string_view text, const std::string& name) {
  const JsonDocument document = parse_json(text, name, std::string(remedy));
  const JsonNode root(document);
  static constexpr std::string_view known[] = {"sites", "hosts", "links"};
  root.check_members(known);
  RelaySettings settings;
  std::set<std::string> taps;
  for (const JsonNode& node : root.member("sites").list()) {
    settings.sites.push_back(site_from(node));
    if (!taps.insert(settings.sites.back().tap).second) node.refuse("has the TAP of another site");
  }
  if (settings.sites.empty()) root.member("sites").refuse("is empty");
  const int sites = static_cast<int>(settings.sites.size());
  std::set<Ipv4Address> addresses;
  for (const JsonNode& node : root.member("hosts").list()) {
    settings.hosts.push_back(host_from(node, sites));
    if (!addresses.insert(settings.hosts.back().address).second) node.refuse("has the address of another host");
  }
  std::set<std::pair<int, int>> pairs;
  for (const JsonNode& node : root.member("links").list()) {
    settings.links.push_back(relay_link_from(node, sites));
    const RelayLink& link = settings.links.back();
    if (!pairs.emplace(link.from, link.to).second) node.refuse("is a second link between these sites");
  }
  return settings;
}

}  // namespace tombolo
