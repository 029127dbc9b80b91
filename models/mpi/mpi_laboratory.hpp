#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/models/experiments/experiment_rounds.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/mpi/messenger.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>

namespace tombolo {

struct LaboratoryOptions {
  bool serial = false;  ///< one experiment at a time on the whole platform; else one at a time on each host
  double seconds = std::numeric_limits<double>::infinity();  ///< Laboratory::time_given()
  /// Called on every rank: after each of its own experiments with the number that the rank knows to be complete, and
  /// after a batch with the number made by all ranks.
  std::function<void(std::int64_t)> progress = {};
};

/// Makes experiments with MPI on the ranks of a communicator, in rounds of experiments that do not share a host. Rounds
/// are not synchronized: each rank processes its own experiments, and the participants of an experiment meet at its
/// start. On real machines the first timing of a series is discarded.
class MpiLaboratory final : public Laboratory {
 public:
  /// The largest message size of an experiment, in bytes.
  static constexpr Bytes largest_message = Bytes{1} << 26;

  /// `platform` determines the ranks that share a host. The communicator must return errors and carry no other
  /// messages meanwhile. Throws Error if the platform has a different number of ranks. Collective.
  MpiLaboratory(MPI_Comm communicator, const Platform& platform, LaboratoryOptions options = {});

  /// All ranks pass the same experiments. Throws Error, on all ranks, for an experiment that cannot be made.
  std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) override;
  ExperimentCost cost() const override { return cost_; }
  double time_given() const override { return options_.seconds; }
  bool exact() const override;

 private:
  struct Part;  // the results of one rank
  std::optional<Measured> take_part(const Experiment& experiment, const Repeat& repeat, Picoseconds longest,
                                    Part& part);
  std::vector<Measured> collect(std::span<const Experiment> experiments, const ExperimentRounds& rounds, Part part);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  int ranks_ = 1;
  ExperimentPlaces places_;
  LaboratoryOptions options_;
  MessageBuffer buffer_;
  Messenger messenger_;
  ExperimentCost cost_;
  std::int64_t made_ = 0;  // experiments of complete batches
};

/// Estimates models of `kinds` one after the other, by experiments between the ranks of the communicator, which are the
/// ranks of the platform, each in its share of the time that is left. Returns the same on all ranks. `progress` is
/// called on rank 0 before each estimation. Collective.
Estimates estimate_models(MPI_Comm communicator, const Platform& platform, std::span<const ModelKind* const> kinds,
                          const LaboratoryOptions& options, const std::function<void(const ModelKind&)>& progress = {});

}  // namespace tombolo
