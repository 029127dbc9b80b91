#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The vectors a rank's steps may touch. What stands in them at first and must stand there at last is the operation's
/// contract (contract.hpp). They hold elements of the call's datatype, except `counts`, which holds one 8-byte count
/// per rank while ranks learn the counts that MPI does not give them.
enum class Buffer : std::uint8_t { input, output, scratch, counts };
constexpr int buffer_kinds = 4;

constexpr const char* name(Buffer buffer) {
  constexpr const char* names[buffer_kinds] = {"input", "output", "scratch", "counts"};
  return names[static_cast<int>(buffer)];
}

/// Consecutive elements of one buffer.
struct Piece {
  Buffer buffer = Buffer::output;
  std::int64_t offset = 0;
  std::int64_t count = 0;
  std::int64_t end() const { return offset + count; }
  bool operator==(const Piece&) const = default;
};

/// How many elements the pieces hold together.
inline std::int64_t elements(std::span<const Piece> pieces) {
  std::int64_t sum = 0;
  for (const Piece& piece : pieces) sum += piece.count;
  return sum;
}

using StepId = std::int32_t;
constexpr StepId no_step = -1;

/// One thing that one rank does. Its pieces and the steps it comes after are kept in the schedule's pools; read them
/// with Schedule::from, into and after.
struct Step {
  enum class Kind : std::uint8_t {
    send,     ///< `from` goes to `peer`; complete when `from` may be overwritten
    receive,  ///< a message from `peer` is put into `into`; complete when it is there
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
  std::int32_t tag = 0;  ///< the how-manieth message of this rank to (or from) that peer; matches the two sides
  std::int32_t lane = 0;
  std::int64_t count = 0;  ///< elements moved
  Span from{}, into{}, after{};

  bool is_message() const { return kind == Kind::send || kind == Kind::receive; }
  bool operator==(const Step&) const = default;
};

/// One rank's part of a plan: its steps, in the order in which they are preferred. A step starts when all steps in
/// after() are complete and its lane lets it; nothing else orders steps. A lane is a queue of messages that share a
/// window: they start in the order listed, at most `window` of them under way at a time; 0 is no limit. Lane 0 has no
/// limit. Sends of a lane with a window are synchronous, complete once they have been received: a small message is
/// otherwise complete as soon as it is buffered, and any number of them would be under way.
class Schedule {
 public:
  /// What it is made of. The pools hold the lists that a Step names by their spans.
  struct Parts {
    std::vector<Step> steps;
    std::vector<Piece> pieces;
    std::vector<StepId> after;
    std::vector<int> windows{0};  ///< of each lane
    std::int64_t scratch = 0;     ///< elements of Buffer::scratch
    bool operator==(const Parts&) const = default;
  };

  Schedule() = default;
  explicit Schedule(Parts parts) : parts_(std::move(parts)) {}

  std::span<const Step> steps() const { return parts_.steps; }
  const Step& step(StepId id) const { return parts_.steps[static_cast<std::size_t>(id)]; }
  int size() const { return static_cast<int>(parts_.steps.size()); }
  std::span<const Piece> from(const Step& step) const { return pick(parts_.pieces, step.from); }
  std::span<const Piece> into(const Step& step) const { return pick(parts_.pieces, step.into); }
  std::span<const StepId> after(const Step& step) const { return pick(parts_.after, step.after); }
  std::span<const int> windows() const { return parts_.windows; }
  /// How many messages of the step's lane may be under way at a time; 0 is no limit.
  int window(const Step& step) const {
    return step.is_message() ? parts_.windows[static_cast<std::size_t>(step.lane)] : 0;
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
