#include <algorithm>
#include <charconv>

#include <tombolo/lab/relay/frame.hpp>

namespace tombolo {
namespace {

// An Ethernet header: receiver, sender, type. An IPv4 header has 20 bytes at least, the receiver 16 bytes into it.
constexpr std::size_t sender_at = 6;
constexpr std::size_t type_at = 12;
constexpr std::size_t packet_at = 14;
constexpr std::size_t receiver_at = packet_at + 16;
constexpr std::size_t shortest = packet_at + 20;
constexpr std::uint8_t ipv4_type[] = {0x08, 0x00};

/// Numbers of at most `digits` digits with `separator` between them.
template <std::size_t count>
std::optional<std::array<std::uint8_t, count>> numbers_from(std::string_view text, char separator, int base,
                                                            std::ptrdiff_t digits) {
  std::array<std::uint8_t, count> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && (at == end || *at++ != separator)) return std::nullopt;
    const auto [after, error] = std::from_chars(at, end, numbers[i], base);
    if (error != std::errc() || after - at > digits) return std::nullopt;
    at = after;
  }
  if (at != end) return std::nullopt;
  return numbers;
}

}  // namespace

std::optional<MacAddress> mac_address_from(std::string_view text) {
  return numbers_from<6>(text, ':', 16, 2);
}

std::optional<Ipv4Address> ipv4_address_from(std::string_view text) {
  const auto numbers = numbers_from<4>(text, '.', 10, 3);
  if (!numbers) return std::nullopt;
  Ipv4Address address = 0;
  for (const std::uint8_t number : *numbers) address = address << 8 | number;
  return address;
}

std::optional<MacAddress> card_of(std::span<const std::uint8_t> frame) {
  if (frame.size() < packet_at) return std::nullopt;
  MacAddress card{};
  std::copy_n(frame.begin(), card.size(), card.begin());
  return card;
}

std::optional<Ipv4Address> destination_of(std::span<const std::uint8_t> frame) {
  if (frame.size() < shortest || !std::ranges::equal(frame.subspan(type_at, 2), ipv4_type)) return std::nullopt;
  if (frame[packet_at] >> 4 != 4) return std::nullopt;
  Ipv4Address address = 0;
  for (std::size_t i = 0; i < 4; ++i) address = address << 8 | frame[receiver_at + i];
  return address;
}

void readdress(std::span<std::uint8_t> frame, const MacAddress& from, const MacAddress& to) {
  std::ranges::copy(to, frame.begin());
  std::ranges::copy(from, frame.subspan(sender_at).begin());
}

}  // namespace tombolo
