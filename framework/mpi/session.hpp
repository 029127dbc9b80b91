#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/choose/tuning.hpp>
#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/blas.hpp>
#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/mpi/clusters_attribute.hpp>
#include <tombolo/framework/part.hpp>
#include <tombolo/framework/storage.hpp>
#include <tombolo/platform/description/platform.hpp>
#include <tombolo/platform/file/platform_cache.hpp>
#include <tombolo/platform/mpi/discover.hpp>

namespace tombolo {

/// Returns the name and version of the MPI library, on one line.
std::string mpi_library();

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
  /// Ends MPI if this session started it. Collective.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Getters are local and const. A getter throws std::logic_error if the value is not available yet.

  MPI_Comm communicator() const { return communicator_; }
  Rank rank() const { return rank_; }  ///< the calling rank, different on every rank
  int ranks() const { return ranks_; }
  const std::vector<Processor>& processors() const { return processors_; }  ///< by rank

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
  /// processor. An exception of `kernel` is not shared: the caller must let ranks agree on it (agree.hpp). Collective.
  std::vector<std::int64_t> measure_rate(double units, double operations, const std::function<std::int64_t()>& kernel);

  /// Makes buffers and the scratch of collectives phantom in a simulation: address space without content
  /// (machine::phantom), shared by all ranks. `largest` is the size of this rank's largest buffer. Throws AgreedError
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
  const std::string& platform_source() const { return platform_source_; }
  /// Stores a section (JSON text, the same on all ranks) in the platform of this run, and caches the platform for later
  /// runs unless it was read from a file or is simulated. Calls find_platform(). Collective.
  void remember(const std::string& section, std::string json);

  /// Reads the tuning of planned collectives from a file (tuning.hpp), and ignores TOMBOLO_TUNING. Throws AgreedError
  /// if the file cannot be read or is for other hosts. An existing planner is rebuilt. Collective.
  void use_tuning(const std::string& path);
  /// Returns the tuning in use, null if none; requires use_tuning() or discover_or_load() before.
  const Tuning* tuning() const;

  /// Returns the planner for this platform, which chooses plans by the tuning, else by the models that its calibration
  /// trusts. Requires discover_or_load() before. In a simulation all ranks share one planner.
  const std::shared_ptr<Planner>& planner() const;

  /// Native collectives of the MPI library, or planned collectives.
  enum class Kind { native, tombolo };
  /// Returns collectives on all ranks. Calls discover_or_load() for planned ones. Collective.
  std::unique_ptr<Collectives> make_collectives(Kind kind);
  /// Returns collectives on a communicator of the session's ranks: any subset in any order, made in any way
  /// (MPI_Comm_split, ...). Plans are for these ranks. Planned collectives set the communicator's clusters as an
  /// attribute (clusters_attribute.hpp). Throws Error, on all its ranks, if the communicator has ranks outside the
  /// session, and std::logic_error for planned collectives on a subset of the ranks before discover_or_load(), which
  /// needs all ranks. Collective over the communicator.
  std::unique_ptr<Collectives> make_collectives(Kind kind, MPI_Comm communicator);
  /// Finds the clusters of the ranks of a communicator and sets these as its attribute. Throws Error if the
  /// communicator has ranks outside the session, and as platform().
  const ClustersAttribute& clusters(MPI_Comm communicator) const;

 private:
  void find_processors();
  void make_planner();
  void seek_tuning();
  void measure_speeds(double budget);  // of the whole discovery, in seconds
  CacheKey cache_key() const;
  std::vector<std::string> hosts_by_rank() const;
  std::int64_t speed_of(double units, double operations, const std::function<std::int64_t()>& kernel);  // on this rank

  bool started_mpi_ = false;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  int ranks_ = 1;
  std::vector<Processor> processors_;
  std::optional<Platform> platform_;
  std::string platform_source_;
  bool platform_is_file_ = false;
  std::optional<Tuning> tuning_;
  std::shared_ptr<Planner> planner_;
  std::span<std::byte> phantom_;
};

}  // namespace tombolo
