#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// The buffers of a rank's steps. The operation's contract (contract.hpp) defines their contents before and after. They
/// hold elements of the call's datatype, except `counts`: one 8-byte count per rank, used while ranks learn the counts
/// missing in MPI's arguments.
enum class Buffer : std::uint8_t { input, output, scratch, counts };
constexpr int buffer_kinds = 4;

constexpr const char* name(Buffer buffer) {
  constexpr const char* names[buffer_kinds] = {"input", "output", "scratch", "counts"};
  return names[static_cast<int>(buffer)];
}

/// Consecutive elements of one buffer.
struct BufferRange {
  Buffer buffer = Buffer::output;
  std::int64_t offset = 0;
  std::int64_t count = 0;
  std::int64_t end() const { return offset + count; }
  bool operator==(const BufferRange&) const = default;
};

/// Total number of elements of the buffer ranges.
inline std::int64_t elements(std::span<const BufferRange> pieces) {
  std::int64_t sum = 0;
  for (const BufferRange& piece : pieces) sum += piece.count;
  return sum;
}

using StepId = std::int32_t;
constexpr StepId no_step = -1;

/// One step of one rank. Buffer ranges and predecessors are in the schedule's pools, see Schedule::from, into and
/// after.
struct Step {
  enum class Kind : std::uint8_t {
    send,     ///< sends `from` to `peer`; complete when `from` may be overwritten
    receive,  ///< receives a message from `peer` in `into`; complete on arrival
    reduce,   ///< into = from (op) into, element by element: `from` is the left operand, as in MPI_Reduce_local
    copy      ///< into = from
  };
  struct Span {
    std::int32_t first = 0;
    std::int32_t size = 0;
    bool operator==(const Span&) const = default;
  };
  Kind kind = Kind::copy;
  Rank peer = -1;
  std::int32_t tag = 0;  ///< number of the message among those to (or from) `peer`; matches the two sides
  std::int32_t channel = 0;
  std::int64_t count = 0;  ///< elements moved
  Span from{}, into{}, after{};

  bool is_message() const { return kind == Kind::send || kind == Kind::receive; }
  bool operator==(const Step&) const = default;
};

/// One rank's part of a plan: its steps in order of preference. A step starts when all steps in after() are complete
/// and its channel permits; there is no other order. A channel is a queue of messages that share a window: messages
/// start in the order listed, at most `window` at a time; 0 is no limit. Channel 0 has no limit. Sends of a channel
/// with a window are synchronous, i.e. complete once received: a small message would otherwise complete as soon as it
/// is buffered, and the window would not limit the messages in flight.
class Schedule {
 public:
  /// The data of a schedule. The spans of a Step refer to the pools.
  struct Parts {
    std::vector<Step> steps;
    std::vector<BufferRange> pieces;
    std::vector<StepId> after;
    std::vector<int> windows{0};  ///< by channel
    std::int64_t scratch = 0;     ///< elements of Buffer::scratch
    std::int64_t joined = 0;      ///< ranges that the writer was given and joined to those before
    bool operator==(const Parts&) const = default;
  };

  Schedule() = default;
  explicit Schedule(Parts parts) : parts_(std::move(parts)) {}

  std::span<const Step> steps() const { return parts_.steps; }
  const Step& step(StepId id) const { return parts_.steps[static_cast<std::size_t>(id)]; }
  int size() const { return static_cast<int>(parts_.steps.size()); }
  std::span<const BufferRange> from(const Step& step) const { return pick(parts_.pieces, step.from); }
  std::span<const BufferRange> into(const Step& step) const { return pick(parts_.pieces, step.into); }
  std::span<const StepId> after(const Step& step) const { return pick(parts_.after, step.after); }
  std::span<const int> windows() const { return parts_.windows; }
  /// Window of the step's channel: the limit of concurrent messages; 0 is no limit.
  int window(const Step& step) const {
    return step.is_message() ? parts_.windows[static_cast<std::size_t>(step.channel)] : 0;
  }
  std::int64_t scratch() const { return parts_.scratch; }
  const Parts& parts() const { return parts_; }

  bool operator==(const Schedule&) const = default;

 private:
  template <class T>
  static std::span<const T> pick(const std::vector<T>& pool, Step::Span span) {
    return std::span<const T>(pool).subspan(static_cast<std::size_t>(span.first), static_cast<std::size_t>(span.size));
  }
  Parts parts_;
};

}  // namespace tombolo
