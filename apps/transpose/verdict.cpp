#include "transpose/verdict.hpp"

#include <string>

#include <fmt/format.h>

namespace tombolo::transposition {

Verdict verdict_on(std::uint64_t hash_of_a, std::uint64_t hash_of_b) {
  Verdict verdict;
  const std::string a = fmt::format("{:016x}", hash_of_a);
  const std::string b = fmt::format("{:016x}", hash_of_b);
  verdict.verified = a == b;
  verdict.wrong = !verdict.verified;
  verdict.words =
      verdict.verified
          ? fmt::format("verified: A and B hold the same elements, bit for bit, at transposed places (hash {})", a)
          : fmt::format("WRONG: A and B do not hold the same elements at transposed places (hashes {} and {})", a, b);
  verdict.details = {{"hash_of_a", a}, {"hash_of_b", b}};
  return verdict;
}

}  // namespace tombolo::transposition
