#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/planner.hpp>
#include <tombolo/collectives/tuning.hpp>
#include <tombolo/framework/blas.hpp>
#include <tombolo/framework/mpi/clusters_attribute.hpp>
#include <tombolo/framework/npy_header.hpp>
#include <tombolo/framework/storage.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/platform.hpp>
#include <tombolo/platform/platform_cache.hpp>

namespace tombolo {

/// The name and version of the MPI library, on one line.
std::string mpi_library();

/// One run of a program under MPI: who the ranks are, what their processors are and can do, and the collectives between
/// them. Everything it returns is the same on all ranks, bit for bit, unless it says otherwise.
///
///     Session session(argc, argv);
///     session.use_threads();                                   // cores shared out among the ranks of each host
///     const auto speeds = session.measure_gemm<double>(shape); // all ranks at once
///     const auto rows = proportional_shares(m, speeds);
class Session {
 public:
  /// Starts MPI unless it has been started. Errors that MPI reports become exceptions (check_mpi).
  Session(int& argc, char**& argv);
  /// Ends MPI if this session started it.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  MPI_Comm communicator() const { return communicator_; }
  MPI_Comm on_host();                  ///< the ranks of this rank's host; collective on first use
  MPI_Comm sharing_memory();           ///< those whose memory is one: on_host(), or in a simulation all
  Rank rank() const { return rank_; }  ///< this rank's own
  int ranks() const { return ranks_; }

  /// Finds hosts and cores on first use. Collective then.
  const std::vector<Processor>& processors();

  /// Lets BLAS use as many threads on each rank as its cores have room for beside the other ranks: threads x ranks
  /// stays within the cores, and at least one. `threads` above 0 states the number instead. Collective.
  void use_threads(int threads = 0);

  /// The speed of the gemm kernel on every rank, for calls as they occur in such a product, in flop/s; measured on all
  /// ranks at the same time, as they will run. Kept in processors() too. Collective; some tenths of a second.
  template <class T>
  std::vector<FlopsPerSecond> measure_gemm(GemmShape product);

  /// The speed of transpose() on every rank, for such slices of a matrix, in bytes of elements per second, each counted
  /// once; in the same way. In a simulation an element takes one operation. Collective; some tenths of a second.
  template <Element T>
  std::vector<BytesPerSecond> measure_transpose(MatrixShape slice);

  /// What `kernel` measures on each rank, at the same time, in some unit per second; in a simulation the speed at which
  /// so many units pass while this rank's processor does so many operations. What it throws on one rank is for it to
  /// agree on. Collective.
  std::vector<std::int64_t> measure_rate(double units, double operations, const std::function<std::int64_t()>& kernel);

  /// From now on, in a simulation, buffers and the scratch of collectives are phantom: address space that holds nothing
  /// (machine::phantom), the same for all. `largest` is the size of the largest buffer of this rank. Throws AgreedError
  /// where there is not so much address space. Collective.
  void use_phantom_memory(Bytes largest);
  bool phantom() const { return !phantom_.empty(); }

  /// Room for so many elements of this rank, phantom where that is in use.
  template <class T>
  Storage<T> storage(std::int64_t size) const {
    return phantom() ? Storage<T>(size, phantom_) : Storage<T>(size);
  }

  /// Does `work`, which takes so many floating point operations. In a simulation they take the time that this rank's
  /// simulated processor needs for them and the work itself takes none; on phantom memory it is not done.
  void compute(double operations, const std::function<void()>& work);

  /// The platform of this run is read from a file. Throws AgreedError where it cannot be read, or was made for other
  /// hosts. Collective.
  void use_platform(const std::string& path);

  /// Measures the platform anew: network and speeds, which takes about options.budget. Collective.
  Platform discover(const DiscoveryOptions& options);

  /// Keeps a platform for later runs on these hosts; returns where, empty where there is no place for it. Collective.
  std::string keep(const Platform& platform);

  /// The platform of this run: the one in use; else the one that a discovery kept for these hosts; else what about a
  /// second of measuring finds, which is kept for later runs, but not in a simulation. Collective on first use.
  const Platform& platform();
  /// Where that came from, in a few words for reports; empty before.
  const std::string& platform_source() const { return platform_source_; }
  /// Puts a section (JSON text, the same on all ranks) into the platform of this run, and keeps that for later runs,
  /// unless it was read from a file or is simulated. Collective.
  void remember(const std::string& section, std::string json);

  /// Planned collectives keep to the decisions in this file (tuning.hpp). Throws AgreedError where it cannot be read,
  /// or was made for other hosts. Collective.
  void use_tuning(const std::string& path);
  /// The decisions in use: those, else those of the file that TOMBOLO_TUNING names in the environment of rank 0; null
  /// where there are none. Collective on first use.
  const Tuning* tuning();

  /// Chooses plans for this platform, as was tuned, else by the models that are believed there. In a simulation all
  /// ranks share one. Collective on first use.
  const std::shared_ptr<Planner>& planner();

  /// MPI's own collectives, or planned ones.
  enum class Kind { native, tombolo };
  /// Collective.
  std::unique_ptr<Collectives> collectives(Kind kind);
  /// The same on a communicator of ranks of the session, any of them in any order, however it was made (MPI_Comm_split,
  /// ...). Plans are for those ranks; the communicator gets its clusters as an attribute (clusters_attribute.hpp).
  /// Throws Error on all its ranks where it has others, and for planned ones on part of the ranks before planner() has
  /// been called, which takes all of them. Collective over the communicator.
  std::unique_ptr<Collectives> collectives(Kind kind, MPI_Comm communicator);
  /// The clusters among the ranks of such a communicator, which become an attribute of it. Throws Error as above.
  /// Local, but for a communicator of all ranks before the platform is known.
  const ClustersAttribute& clusters(MPI_Comm communicator);

 private:
  std::vector<Rank> plannable(MPI_Comm communicator);  // its members, once what is known will do to plan for them
  void find_processors();
  void measure_speeds(double budget);  // seconds that the whole discovery may take
  CacheKey cache_key();
  std::vector<std::string> hosts_by_rank();
  std::int64_t speed_of(double units, double operations, const std::function<std::int64_t()>& kernel);  // on this rank

  bool started_mpi_ = false;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Comm on_host_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  int ranks_ = 1;
  std::vector<Processor> processors_;
  std::optional<Platform> platform_;
  std::string platform_source_;
  bool platform_is_file_ = false;
  std::optional<Tuning> tuning_;
  bool sought_tuning_ = false;
  std::shared_ptr<Planner> planner_;
  std::span<std::byte> phantom_;
};

}  // namespace tombolo
