#pragma once

#include <cstddef>

#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Key of requests in caches of plans: all of a request but in-place use, which no choice depends on, since only some
/// ranks know of it. Hash and equality; constant time if blocks are equal.
struct RequestHash {
  std::size_t operator()(const Request& request) const;
};
struct SameRequest {
  bool operator()(const Request& a, const Request& b) const;
};

}  // namespace tombolo
