#pragma once

#include <string>
#include <string_view>

#include <tombolo/lab/relay/shaper.hpp>

namespace tombolo {

/// What a relay does beside carrying frames, so far.
struct RelayEffort {
  double cpu_seconds = 0;
  std::int64_t not_written = 0;  ///< frames that a TAP did not take: it was down
};

/// What a relay answers to a line of its control socket, itself a line of JSON without the newline:
///     {"set": {"from": 0, "to": 1, "delay_us": 2500, "rate_mbit": 100, "queue_ms": 60}}    {"ok": true}
///     {"statistics": true}    {"links": [{"from": 0, "to": 1, "frames": 7, "bytes": 4096, "dropped": 0,
///                              "late_us_mean": 8.1, "late_us_most": 31.2}], "frames_unknown": 0,
///                              "frames_not_written": 0, "cpu_s": 0.25}
/// and {"error": "what is wrong; what to do"} to anything else. Never throws.
std::string relay_answer(Shaper& shaper, const RelayEffort& effort, std::string_view line);

}  // namespace tombolo
