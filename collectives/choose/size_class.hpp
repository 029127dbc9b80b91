#pragma once

#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Returns the request that stands for all of its size class: equal but for its size in bytes, which is rounded up to
/// 2^k or 3 * 2^(k-1), so by at most a half. Settings that are good for it are good for the whole class. Requests with
/// unequal blocks, and counts that not all ranks know, stand for themselves.
///
///     size_class(Request::bcast(8, 0, 1000, 8)).count == 1024     // 8,000 bytes -> 8,192
Request size_class(const Request& request);

/// Returns true if two requests are equal but for counts of blocks, whose differences are together at most an eighth of
/// all elements: settings that are good for one are good for the other. Counts that not all ranks know are not alike.
bool alike(const Request& a, const Request& b);

}  // namespace tombolo
