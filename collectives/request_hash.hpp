#pragma once

#include <cstddef>

#include <tombolo/collectives/request.hpp>

namespace tombolo {

/// For tables of requests as one rank knows them. Takes constant time where blocks are equal.
struct RequestHash {
  Rank rank = 0;  ///< whose counts of an exchange are looked at: it knows them
  std::size_t operator()(const Request& request) const;
};

}  // namespace tombolo
