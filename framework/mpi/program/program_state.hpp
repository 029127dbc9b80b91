#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/mpi/program/checkpoints.hpp>
#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>
#include <tombolo/framework/program/plan/arrange.hpp>
#include <tombolo/framework/program/plan/array_room.hpp>
#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/program.hpp>

namespace tombolo {

struct RunContext;

/// A program's declaration with its bodies and memory, and what planning and runs have made of it. Program's own
/// methods have the documentation of those that are here too.
class Program::State {
 public:
  State(Session& session, std::string name, ProgramOptions options);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void communicate(TaskKind kind, AnyArray array);
  void allreduce(AnyArray partial);
  void swap(AnyArray one, AnyArray other);
  void repeat(const std::string& name, std::int64_t most, const std::function<void()>& body, LoopRule rule);
  void plan();
  static std::vector<ProgramForecast> predict(const std::vector<State*>& programs);
  void prepare();
  bool takes_part() const { return member_ >= 0; }
  const Arrangement& arrangement() const;
  Range mine(Domain domain) const;
  std::string explain() const;
  const RunReport& predicted() const;
  RunReport run();
  const std::string& name() const { return body_.declared.name; }
  Session& session() const { return session_; }
  const Declaration& declaration() const { return body_.declared; }
  std::uint64_t serial() const { return serial_; }
  void use_phantom_memory() { phantom_ = true; }
  void checkpoint(CheckpointOptions options);

  Domain add_domain(std::string name, std::vector<std::int64_t> extents, DomainOptions options);
  AnyArray add_array(std::string name, std::vector<std::int64_t> extents, const Distributed& distributed,
                     const Type& type, Reduction reduction = {});
  void add_work(TaskKind kind, const std::string& name, Domain over, const Cost& cost, BoundBody<const Range&> body);
  void add_custom(const std::string& name, const Cost& cost, BoundBody<Collectives&> body);
  void add_move(AnyArray from, AnyArray to, bool transposed, const MoveOptions& options);
  int number_of(Domain domain) const;
  int number_of(AnyArray array) const;
  std::pair<std::byte*, std::int64_t> local_memory(AnyArray array, const char* what) const;
  AnyArray renewed(AnyArray array);
  void call_for_mine(Domain domain, const BoundBody<const Range&>& body);
  void read(AnyArray array, const std::filesystem::path& path, ElementType type);
  void write(AnyArray array, const std::filesystem::path& path, ElementType type);

 private:
  std::vector<int> accessed(const std::vector<DeclaredAccess>& accesses, AccessKind kind) const;
  void declare_accesses(DeclaredTask& task, const std::vector<DeclaredAccess>& accesses) const;
  void add_task(DeclaredTask task, ProgramBody::Work work = {});
  void with_members(const std::string& what, AnyArray array, const std::filesystem::path& path,
                    const std::function<void(MPI_Comm)>& work);
  void need_prepared(const char* what) const;
  Distribution filled_distribution(AnyArray array) const;
  Distribution newest_distribution(AnyArray array) const;
  Distribution distribution_in(AnyArray array, const Copies& copies) const;
  NewestValues values_here() const;
  std::byte* file_memory(AnyArray array) const;
  bool in_panels(AnyArray array, const Copies& copies) const;
  Storage<std::byte> packed_items(AnyArray array, const Copies& copies) const;
  void unpack_items(AnyArray array, const std::byte* from) const;
  void agree_on_values();
  static void check_alike(const std::vector<State*>& programs);
  static void begin_planning(const std::vector<State*>& programs);
  static void choose(const std::vector<State*>& programs);
  SpeedsByKernel find_speeds();
  Chosen choice(const std::vector<double>& memory) const;
  void take_choice();
  void take_plans();
  void join();
  void provide_room(const std::vector<ArrayRoom>& rooms);
  void hold_arrays(const std::vector<ArrayRoom>& rooms, bool checked);
  RunReport draft() const;
  /// Progress of a run: completed sections, and passes of loops.
  struct Progress {
    std::size_t section = 0;
    std::vector<std::int64_t> passes = {};
    std::vector<std::int64_t> changes = {};  ///< changes of shares, by loop
    double slowdown = 0;                     ///< slowdown that stopped the run for a rejoin; 0: the run is complete
    int signal = 0;                          ///< signal that has ended the run after a last checkpoint; 0: none
  };
  /// Measurements before left-out ranks rejoined.
  struct RecordedBefore {
    Recorded recorded;
    std::vector<Rank> members;
  };
  static bool is_number(const DeclaredArray& array) {
    return array.everywhere && array.shape == MatrixShape{1, 1} && !array.sliced() && !array.root;
  }
  Recorded run_here();
  std::string run_as_member(Recorded& recorded);
  double slowdown(const RunContext& run, const Section& section, const std::vector<double>& before) const;
  double told(double verdict) const;
  bool can_move(const NewestValues& values) const;
  void move_values(const NewestValues& values, const Arrangement& before, Rank member_before);
  void come_back(double slowdown, Recorded& recorded);
  Recorded run_checked();
  void begin_saving();
  void find_checkpoints();
  void resume();
  void restore(const SavedState& state, const std::filesystem::path& folder);
  std::uint64_t restore_array(int array, const Copies& copies, const SavedArray& saved,
                              const std::filesystem::path& folder);
  void check_constants(const SavedState& state);
  std::uint64_t constant_hash(int array);
  bool reached(CheckpointSchedule& schedule, const SavedPoint& point);
  void save(const SavedPoint& point);
  std::uint64_t save_array(int array, const Copies& copies, const std::filesystem::path& file) const;
  std::string how_saved() const;
  std::string how_ended() const;
  void forget_checkpoints();
  void tell_numbers();
  std::vector<std::string> belied_kernels(const Recorded& recorded) const;
  RunReport report_of(const Recorded& recorded) const;
  void write_trace();

  Session& session_;
  std::uint64_t serial_;
  ProgramOptions options_;
  ProgramBody body_;
  int loop_ = DeclaredTask::none;  // under declaration

  SpeedsByKernel speeds_;
  std::optional<Rank> chosen_by_;  // the rank that has chosen for all
  std::optional<Chosen> choice_;   // there, until all take it
  std::optional<Arrangement> arrangement_;
  RunReport expected_;              // without measurements
  std::vector<std::string> plans_;  // by task, as in Chosen
  Rank member_ = -1;
  MPI_Comm members_ = MPI_COMM_NULL;
  std::unique_ptr<Collectives> collectives_;
  std::shared_ptr<Planner> planner_;
  std::unique_ptr<CheckMode> check_;                  // null without TOMBOLO_CHECK
  std::vector<Done> done_;                            // actions of this rank in the last run
  Progress progress_;                                 // of this run
  std::optional<RecordedBefore> recorded_before_;     // in this run
  std::optional<CheckpointOptions> own_checkpoints_;  // of checkpoint()
  std::unique_ptr<Checkpoints> checkpoints_;          // null: none
  std::vector<std::int64_t> passes_before_;           // by loop: of the run that this one goes on from
  std::int64_t runs_ = 0;                             // calls of run()
  bool ran_ = false;                                  // the last run() is complete
  int exceptions_ = 0;                                // in flight at the construction
  std::optional<NewestValues> newest_;                // agreed among all ranks
  std::vector<int> renewed_;                          // by array: 1 if this rank has filled the array since
  bool phantom_ = false;
  bool prepared_ = false;
  bool running_ = false;
  /// Sets running_ during bodies, in which calls of this program throw; resets it on all exits.
  class Running {
   public:
    explicit Running(State& program) : running_(program.running_) { running_ = true; }
    ~Running() { running_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    bool& running_;
  };
};

}  // namespace tombolo
