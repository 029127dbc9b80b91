#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <tombolo/collectives/topology/detours.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/collectives/topology/tree.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Scope of a window among a rank's messages.
enum class Channels : std::uint8_t {
  per_link,  ///< one window per peer: just keeps each link busy
  per_rank   ///< one window for all peers: limits competition for the rank's own link
};

/// Tuning parameters of an algorithm. Algorithm declares the parameters in use.
struct Parameters {
  /// The scalar parameters, one per row of parameters.def, which explains them: segment_bytes, window, channels, radix,
  /// delay. 0 by default.
#define TOMBOLO_PARAMETER(type, member, ...) type member{};
#include <tombolo/collectives/plan/parameters.def>
#undef TOMBOLO_PARAMETER
  std::vector<Rank> order{};  ///< rank of each virtual rank, the root first; empty: cyclic from the root
  /// Rate of each rank's link, in any unit; shares of work are proportional. Empty: all equal.
  std::vector<std::int64_t> rates{};
  /// Trees over ranks, made for one platform, for algorithms that follow trees (Mapped). Empty: a default tree.
  MappedTrees trees{};
  /// Groups of ranks of one platform, for algorithms that follow groups (Mapped). Empty: default groups.
  NestedGroups groups{};
  /// Ways of messages over further clusters of one platform, for any algorithm. Empty: all messages go directly.
  Detours detours{};

  /// The part used by tree families.
  operator TreeOptions() const { return {.radix = radix, .delay = delay}; }
  int radix_or(int usual) const { return radix > 0 ? radix : usual; }

  bool operator==(const Parameters&) const = default;
};

/// The name of a parameter that not all algorithms use: of a scalar one, or of the rates.
enum class Parameter : std::uint8_t {
#define TOMBOLO_PARAMETER(type, member, ...) member,
#include <tombolo/collectives/plan/parameters.def>
#undef TOMBOLO_PARAMETER
  rates
};

/// A set of names of parameters.
class ParameterSet {
 public:
  constexpr ParameterSet(std::initializer_list<Parameter> members) {
    for (const Parameter member : members) bits_ |= bit(member);
  }
  constexpr bool has(Parameter parameter) const { return (bits_ & bit(parameter)) != 0; }

 private:
  static constexpr std::uint32_t bit(Parameter parameter) { return 1U << static_cast<unsigned>(parameter); }
  std::uint32_t bits_ = 0;
};

}  // namespace tombolo
