#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tombolo {

/// 64-bit FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv, for names that outlive a run; std::hash may differ between
/// runs and libraries.
class StableHash {
 public:
  /// Adds a text with a boundary: "ab", "c" and "a", "bc" differ.
  void add_text(std::string_view text);
  void add_number(std::int64_t number);
  void add_bytes(std::span<const std::byte> bytes);
  /// Returns the hash as 16 hexadecimal digits.
  std::string text() const;
  std::uint64_t value() const { return value_; }

 private:
  void add(std::string_view bytes);

  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// Returns the hash of one text, as 16 hexadecimal digits.
std::string text_hash(std::string_view text);

/// Returns a hash of the hosts in rank order; another order gives another hash.
std::string hosts_hash(std::span<const std::string> hosts_by_rank);

}  // namespace tombolo
