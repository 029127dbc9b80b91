#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>

namespace tombolo::timing {

/// Buffers of calls whose data does not matter, the same for native and planned ones: zeros; in a simulation phantoms.
class Buffers {
 public:
  /// Large enough for this rank's part in any of the requests and, in a simulation, the scratch of these plans.
  /// Collective.
  Buffers(Session& session, std::span<const Request> requests, std::span<const Plan> plans);

  const void* input() const { return buffer_->bytes().data(); }
  void* output() const { return buffer_->bytes().data() + output_; }
  /// Memory for the scratch of plans in a simulation; else empty.
  std::span<std::byte> phantom() const;

 private:
  std::unique_ptr<MessageBuffer> buffer_;
  std::size_t output_ = 0;
};

}  // namespace tombolo::timing
