#pragma once

// A run of an MPI program: ranks, speeds, the platform, collectives, main().

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

class Planner;
class Tuning;
struct RunPlatform;
struct DiscoveryOptions;

/// Checkpoints of programs (docs/checkpoints.md): where, how often, and whether a run goes on from one.
struct CheckpointOptions {
  std::filesystem::path folder = {};  ///< empty: no checkpoints; all hosts must see it
  double every_minutes = 10;          ///< 0: none by time
  std::int64_t every_passes = 0;      ///< by passes instead of time, if above 0
  bool resume = false;                ///< go on from the newest checkpoint, if there is one
};

/// Sets how often, from words: "10m", "90s", "2h", "50 passes". Throws Error for others.
void set_interval(CheckpointOptions& options, const std::string& words);

/// Throws AgreedError unless all ranks have the same command line, apart from the program's name. Different options
/// would send ranks into different collectives, a deadlock. Collective.
void check_same_arguments(MPI_Comm communicator, int argc, const char* const* argv);

/// The clusters of a communicator's ranks, as a communicator attribute for plain MPI code:
///
///     const ClustersAttribute* clusters = nullptr;
///     int found = 0;
///     MPI_Comm_get_attr(comm, clusters_keyval(), &clusters, &found);
///     if (found) MPI_Comm_split(comm, clusters->colors[rank][1], rank, &near);
///
/// `depths` and `colors` equal MPICHX_TOPOLOGY_DEPTHS and MPICHX_TOPOLOGY_COLORS of MPICH-G2 (Karonis, Toonen and
/// Foster 2003): ranks of one color at a level are in the same one. Valid until the attribute is replaced or deleted;
/// MPI deletes the attribute with the communicator. A duplicate communicator gets an attribute of its own.
struct ClustersAttribute {
  int ranks = 0;
  const int* depths = nullptr;                ///< number of levels of each rank, at least 1
  const int* const* colors = nullptr;         ///< by rank and level; level 0 is the whole platform
  const Level::Kind* const* kinds = nullptr;  ///< kinds of the levels, same order: clusters, hosts, ...
};

/// Returns the attribute's key, one for all communicators of this process. MPI must be running.
int clusters_keyval();

/// Returns the attribute of a communicator, null if none. Local.
const ClustersAttribute* find_clusters(MPI_Comm communicator);

/// A run of an MPI program: its ranks, their processors, the platform and the collectives. All ranks get the same
/// results, bit for bit, unless stated otherwise.
///
///     Session session(argc, argv);
///     session.use_threads();                                   // cores shared out among the ranks of each host
///     const auto speeds = session.measure_gemm<double>(shape); // all ranks at once
///     const auto rows = proportional_shares(m, speeds);
class Session {
 public:
  /// Starts MPI unless already started, and finds hosts and cores. MPI errors become exceptions (check_mpi).
  /// Collective.
  Session(int& argc, char**& argv);
  /// Imagines a run on all ranks of a platform, which need not be here: programs of this session can be declared and
  /// planned, so that explain() and predicted() tell what to expect, and cannot be prepared. Nothing is measured:
  /// speeds are given (ProgramOptions::speeds) or stored in the platform (kernels). `source` names the platform in
  /// reports. MPI must be running. Local: this process is rank 0, and its communicator holds no other.
  ///
  ///     Session grid(platform, "grid.json");
  ///     Program program(grid, "heat");
  ///     declare(program);
  ///     program.plan();
  ///     std::cout << program.explain();
  Session(Platform platform, std::string source);
  /// Imagines a run on some of the ranks of an imagined session: rank r is members[r]. Local.
  Session(const Session& imagined, const std::vector<Rank>& members);
  /// Ends MPI if this session started it. Collective.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Getters are local and const. A getter throws std::logic_error if the value is not available yet.

  MPI_Comm communicator() const { return communicator_; }
  Rank rank() const { return rank_; }  ///< the calling rank, different on every rank
  int ranks() const { return ranks_; }
  bool imagined() const;                             ///< true if the ranks need not be here
  const std::vector<Processor>& processors() const;  ///< by rank

  /// Sets the number of BLAS threads of each rank: its cores divided by the ranks that share them (threads x ranks
  /// stays within the cores), at least one. `threads` above 0 sets the number directly. Throws AgreedError if BLAS
  /// supports fewer threads. Collective.
  void use_threads(int threads = 0);

  /// Measures the gemm kernel on all ranks simultaneously, in calls shaped as within this product. Returns the speeds
  /// by rank, in flop/s, and stores them in processors(). Collective; takes a few tenths of a second.
  template <class T>
  std::vector<FlopsPerSecond> measure_gemm(GemmShape product);

  /// Measures transpose() on all ranks simultaneously, in calls shaped as for this slice of a matrix. Returns the
  /// speeds by rank, in bytes of elements per second, each element counted once. In a simulation an element takes one
  /// operation. Collective; takes a few tenths of a second.
  template <Element T>
  std::vector<BytesPerSecond> measure_transpose(MatrixShape slice);

  /// Runs `kernel` on all ranks simultaneously and returns its results by rank, in units per second. In a simulation
  /// `kernel` is not called: the result is `units` divided by the time of `operations` on the rank's simulated
  /// processor. An exception of `kernel` is not shared: the caller must let ranks agree() on it. Collective.
  std::vector<std::int64_t> measure_rate(double units, double operations, const std::function<std::int64_t()>& kernel);

  /// Makes buffers and the scratch of collectives phantom in a simulation: address space without content
  /// (docs/simulation.md), shared by all ranks. `largest` is the size of this rank's largest buffer. Throws AgreedError
  /// if the address space is too small. Collective.
  void use_phantom_memory(Bytes largest);
  bool phantom() const { return !phantom_.empty(); }

  /// Allocates `size` elements on this rank, in phantom memory if in use. Local.
  template <class T>
  Storage<T> storage(std::int64_t size) const {
    return phantom() ? Storage<T>(size, phantom_) : Storage<T>(size);
  }

  /// Runs `work`, which takes `operations` floating-point operations. In a simulation the rank's simulated processor is
  /// charged for the operations and the work itself takes no time; on phantom memory the work is skipped. Local.
  void compute(double operations, const std::function<void()>& work);

  /// Reads the platform of this run from a file. Throws AgreedError if the file cannot be read or describes other
  /// hosts. An existing planner is rebuilt. Collective.
  void use_platform(const std::string& path);

  /// Measures the platform, network and speeds; takes about options.budget. Collective.
  Platform discover(const DiscoveryOptions& options);

  /// Caches a platform for later runs on these hosts. Returns the path, empty if there is no place for the file. Never
  /// caches in a simulation. Collective.
  std::string keep(const Platform& platform);

  /// Returns the platform of this run: the one in use; else the platform cached for these hosts; else the result of a
  /// discovery of about one second, which is cached for later runs, except in a simulation. A cached platform from a
  /// quick measurement on a busy machine is measured again. Collective.
  const Platform& find_platform();
  /// Calls find_platform(), loads the tuning file named by TOMBOLO_TUNING in the environment of rank 0 unless a tuning
  /// is in use, and makes a planner. Later calls do nothing. Throws AgreedError for a tuning as use_tuning().
  /// Collective.
  ///
  ///     session.discover_or_load();
  ///     const Plan plan = session.planner()->plan(request);
  const Platform& discover_or_load();

  /// Returns the platform of this run; requires find_platform(), discover_or_load() or use_platform() before.
  const Platform& platform() const;
  /// Source of the platform, in a few words for reports; empty if there is no platform.
  const std::string& platform_source() const;
  /// Stores a section (JSON text, the same on all ranks) in the platform of this run, and caches the platform for later
  /// runs unless it was read from a file or is simulated. Calls find_platform(). Collective.
  void remember(const std::string& section, std::string json);

  /// Keeps the times that blocking planned collectives on all ranks have taken in this run, for later runs on these
  /// hosts: a plan that takes longer than predicted gives way to a better one there, never in this run. Does nothing in
  /// a simulation, in a run of less than a hundred times the exchange among ranks that this takes, and if the
  /// environment of rank 0 has TOMBOLO_LEARN=no. run_main() calls it at the end of a run that succeeds. Plans that were
  /// chosen are kept by the destructor of rank 0, in any case. Collective.
  void keep_experience();

  /// Reads the tuning of planned collectives from a file (docs/tuning.md), and ignores TOMBOLO_TUNING. Throws
  /// AgreedError if the file cannot be read or is for other hosts. An existing planner is rebuilt. Collective.
  void use_tuning(const std::string& path);
  /// Returns the tuning in use, null if none; requires use_tuning() or discover_or_load() before.
  const Tuning* tuning() const;

  /// Sets the checkpoints of programs that do not state their own (Program::checkpoint). The same on all ranks.
  void use_checkpoints(CheckpointOptions options);
  /// Returns what use_checkpoints() has set, else what the environment of rank 0 says: TOMBOLO_CHECKPOINT (folder),
  /// TOMBOLO_CHECKPOINT_EVERY, TOMBOLO_RESUME=yes. Throws AgreedError for other values. Collective.
  const CheckpointOptions& checkpoints();
  /// Returns a folder name for the checkpoints of a program, different for each call: "jacobi", "jacobi-2", ...
  std::string checkpoint_name(const std::string& program);

  /// Returns the planner for this platform, which chooses plans by the tuning, else by the models that its calibration
  /// trusts. Requires discover_or_load() before. In a simulation all ranks share one planner.
  const std::shared_ptr<Planner>& planner() const;

  /// Native collectives of the MPI library, or planned collectives.
  enum class Kind { native, tombolo };
  /// Returns collectives on all ranks. Calls discover_or_load() for planned ones. Collective.
  std::unique_ptr<Collectives> make_collectives(Kind kind);
  /// Returns collectives on a communicator of the session's ranks: any subset in any order, made in any way
  /// (MPI_Comm_split, ...). Plans are for these ranks. Planned collectives set the communicator's clusters as an
  /// attribute (ClustersAttribute). Throws Error, on all its ranks, if the communicator has ranks outside the
  /// session, and std::logic_error for planned collectives on a subset of the ranks before discover_or_load(), which
  /// needs all ranks. Collective over the communicator.
  std::unique_ptr<Collectives> make_collectives(Kind kind, MPI_Comm communicator);
  /// Finds the clusters of the ranks of a communicator and sets these as its attribute. Throws Error if the
  /// communicator has ranks outside the session, and as platform().
  const ClustersAttribute& clusters(MPI_Comm communicator) const;

 private:
  struct State;
  friend RunPlatform& machines_of(Session& session);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  int ranks_ = 1;
  std::span<std::byte> phantom_;
  std::unique_ptr<State> state_;
};

/// Default measuring time at each size, in seconds.
constexpr double kernel_seconds = 0.1;

/// Measures the speeds of a kernel on every rank: each size on all ranks simultaneously, for about seconds_per_size. A
/// rank that took more than twice that time for a size skips larger sizes. In a simulation, the speed of the rank's
/// processor: an operation of the kernel is an operation of the processor. Returns the same on all ranks. Throws
/// AgreedError for no sizes, for sizes that do not ascend from 1 on, and if measuring fails on a rank. Collective.
std::vector<SpeedFunction> measure_kernel(Session& session, const Kernel& kernel, std::span<const std::int64_t> sizes,
                                          double seconds_per_size = kernel_seconds);

/// Returns the speeds of a kernel by name. Stored speeds in the platform of this run are used if they were measured for
/// the same version at the same sizes, with the threads and the CPU quotas that ranks have now. Else the
/// kernel is measured, for a few tenths of a second, and the speeds are remembered in the platform for later runs
/// (Session::remember). For a kernel that is not registered, version and sizes are not checked. Returns the same on all
/// ranks. Throws AgreedError if no stored speeds hold and no kernel is registered under this name, and for a malformed
/// section of the platform. Collective.
std::vector<SpeedFunction> speeds_of(Session& session, const std::string& kernel);

/// Returns the date of the stored speeds of a kernel in the platform of this run, for people: "dgemm: measured
/// 2026-11-20"; empty if there are none. Throws as Session::platform(). Local.
std::string when_measured(const Session& session, const std::string& kernel);

/// Drops the speeds of a kernel from the platform of this run and of later runs, so that the next use measures again:
/// after a run that contradicted the speeds (RunReport::belied). A platform file that the user named is not changed.
/// Collective.
void forget_speeds_of(Session& session, const std::string& kernel);

/// Implements main() of an MPI program: starts a session, calls `program` and ends MPI. Returns the exit status, 0 on
/// success. An exception prints one line on stderr, "NAME: cause; remedy", and gives status 1. An AgreedError, known to
/// all ranks, is printed once; any other exception is printed by the rank that threw, which then ends all ranks, since
/// these may be waiting for it.
///
///     int main(int argc, char** argv) { return tombolo::run_main(argc, argv, "waves", waves); }
int run_main(int argc, char** argv, const std::string& name, const std::function<void(Session&)>& program);

}  // namespace tombolo
