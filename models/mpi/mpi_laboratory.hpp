#pragma once

#include <optional>
#include <vector>

#include <mpi.h>

#include <tombolo/models/experiment_rounds.hpp>
#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/mpi/messenger.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

struct LaboratoryOptions {
  bool serial = false;  ///< one experiment at a time on the whole platform, else one at a time on each host
};

/// Makes experiments with MPI on the ranks of a communicator, in rounds of experiments that do not share a host. Ranks
/// do not wait for rounds to end: each goes through its own experiments, and those of an experiment meet at its start.
/// On real machines the first of a series of timings does not count.
class MpiLaboratory final : public Laboratory {
 public:
  /// The largest message that an experiment may have.
  static constexpr Bytes largest_message = Bytes{1} << 26;

  /// The platform says which ranks share hosts. Works on a duplicate of the communicator. Collective. Throws Error
  /// where the platform has another number of ranks.
  MpiLaboratory(MPI_Comm communicator, const Platform& platform, LaboratoryOptions options = {});
  ~MpiLaboratory() override;
  MpiLaboratory(const MpiLaboratory&) = delete;
  MpiLaboratory& operator=(const MpiLaboratory&) = delete;

  /// All ranks give the same experiments. Throws Error, on all ranks, for some that cannot be made.
  std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) override;
  Cost cost() const override { return cost_; }

 private:
  struct Part;  // what one rank has found
  std::optional<Measured> take_part(const Experiment& experiment, const Repeat& repeat, Part& part);
  std::vector<Measured> collect(std::span<const Experiment> experiments, const ExperimentRounds& rounds, Part part);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  int ranks_ = 1;
  std::vector<int> host_of_;
  LaboratoryOptions options_;
  MessageBuffer buffer_;
  Messenger messenger_;
  Cost cost_;
};

}  // namespace tombolo
