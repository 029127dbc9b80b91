#pragma once

#include <string>
#include <variant>
#include <vector>

#include <tombolo/collectives/mapping/served.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// How a message goes on among ranks that are all near to each other.
struct Inside {
  struct Greedy {};
  std::string name;
  /// A shape, or, for up to 128 ranks, whoever can have the message next (ECEF with ranks as groups, as LogP trees are
  /// made: Karp et al. 1993); of more, a binomial tree.
  std::variant<Greedy, Shape> how = Greedy{};
};

/// Trees that are shallow, for messages in whole, of which a rank can send `wait` before the first has arrived:
/// binomial, 4-nomial, 8-nomial, postal, flat.
std::vector<Inside> shallow_shapes(int wait);
/// These, greedy, and those that segments flow through: binary, chain.
std::vector<Inside> inside_shapes(int wait);

/// Adds to `served` how the first of `ranks` serves the others.
void serve_inside(const Inside& inside, const std::vector<Rank>& ranks, const MessageTimes& times, Served& served);

}  // namespace tombolo
