#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tombolo {

/// An address of a network card, as it stands in frames.
using MacAddress = std::array<std::uint8_t, 6>;

/// An IPv4 address, most significant byte first: 10.77.0.1 is 0x0a4d0001.
using Ipv4Address = std::uint32_t;

/// The most bytes that a TAP hands over at once: a packet of IP and its Ethernet header, with room to spare.
constexpr std::size_t largest_frame = 65536 + 64;

/// "02:4d:00:00:00:fe"; nothing where the text is something else.
std::optional<MacAddress> mac_address_from(std::string_view text);

/// "10.77.0.1"; nothing where the text is something else.
std::optional<Ipv4Address> ipv4_address_from(std::string_view text);

/// Which card an Ethernet frame is for; nothing where it is too short to say so.
std::optional<MacAddress> card_of(std::span<const std::uint8_t> frame);

/// Which host the IPv4 packet in an Ethernet frame is for; nothing where the frame holds something else, is cut short
/// or has a VLAN's tag. (RFC 894, RFC 791)
std::optional<Ipv4Address> destination_of(std::span<const std::uint8_t> frame);

/// Gives a frame that destination_of() accepts another sender and another receiver, as a router does.
void readdress(std::span<std::uint8_t> frame, const MacAddress& from, const MacAddress& to);

}  // namespace tombolo
