#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <tombolo/lab/relay/frame.hpp>
#include <tombolo/lab/relay/relay_settings.hpp>

/// Frames and sites for tests: host h of site s is 10.77.s.(h + 1).
namespace test_frames {

using Bytes = std::vector<std::uint8_t>;

inline tombolo::MacAddress gateway(int site) {
  return {2, 0, 0, 0, static_cast<std::uint8_t>(site), 0xfe};
}

inline tombolo::MacAddress card(int site, int host) {
  return {2, 0, 0, 0, static_cast<std::uint8_t>(site), static_cast<std::uint8_t>(host + 1)};
}

inline tombolo::Ipv4Address address(int site, int host) {
  return 0x0a4d0000U + static_cast<std::uint32_t>(site) * 256 + static_cast<std::uint32_t>(host) + 1;
}

/// From a host of site `from` to host `host` of site `to`, with a number that tells it from others.
inline Bytes frame(int from, int to, int host, std::size_t bytes = 64, std::uint8_t number = 0) {
  Bytes made(std::max<std::size_t>(bytes, 35), number);
  std::ranges::copy(gateway(from), made.begin());
  std::ranges::copy(card(from, 0), made.begin() + 6);
  made[12] = 0x08;
  made[13] = 0x00;
  made[14] = 0x45;
  const tombolo::Ipv4Address target = address(to, host);
  for (std::size_t i = 0; i < 4; ++i) made[30 + i] = static_cast<std::uint8_t>(target >> (24 - 8 * i));
  return made;
}

inline int number_of(std::span<const std::uint8_t> frame) {
  return frame.back();
}

/// Sites of two hosts each, with a link of this shape between any two, one within a site too.
inline tombolo::RelaySettings all_linked(int sites, const tombolo::RelayShape& shape) {
  tombolo::RelaySettings settings;
  for (int s = 0; s < sites; ++s) {
    settings.sites.push_back({.tap = fmt::format("wan{}", s), .gateway = gateway(s)});
    for (int h = 0; h < 2; ++h) settings.hosts.push_back({.site = s, .address = address(s, h), .card = card(s, h)});
    for (int t = 0; t < sites; ++t) settings.links.push_back({.from = s, .to = t, .shape = shape});
  }
  return settings;
}

}  // namespace test_frames
