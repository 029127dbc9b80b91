#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tombolo {

/// FNV-1a of 64 bits, http://www.isthe.com/chongo/tech/comp/fnv, for names that outlive a run: std::hash may differ
/// between runs and libraries.
class StableHash {
 public:
  /// Apart from the next: "ab", "c" is not "a", "bc".
  void add_text(std::string_view text);
  void add_number(int number);
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  void add(std::string_view bytes);

  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// What tells hosts by rank from others, or from the same in another order.
std::string hosts_hash(std::span<const std::string> hosts_by_rank);

}  // namespace tombolo
