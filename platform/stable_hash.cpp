#include <fmt/format.h>

#include <tombolo/platform/stable_hash.hpp>

namespace tombolo {

void StableHash::add(std::string_view bytes) {
  for (const char c : bytes) {
    value_ ^= static_cast<unsigned char>(c);
    value_ *= 0x100000001b3;
  }
}

void StableHash::add_text(std::string_view text) {
  add(fmt::format("{}:{},", text.size(), text));
}

void StableHash::add_number(std::int64_t number) {
  add(fmt::format("{},", number));
}

void StableHash::add_bytes(std::span<const std::byte> bytes) {
  add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string StableHash::text() const {
  return fmt::format("{:016x}", value_);
}

std::string text_hash(std::string_view text) {
  StableHash hash;
  hash.add_text(text);
  return hash.text();
}

std::string hosts_hash(std::span<const std::string> hosts_by_rank) {
  StableHash hash;
  hash.add_number(static_cast<int>(hosts_by_rank.size()));
  for (const std::string& host : hosts_by_rank) hash.add_text(host);
  return hash.text();
}

}  // namespace tombolo
