#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/distribution.hpp>
#include <tombolo/framework/mpi/array.hpp>
#include <tombolo/framework/mpi/distributed_file.hpp>
#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/program/arrange.hpp>
#include <tombolo/framework/program/run_report.hpp>

namespace tombolo {

/// How a program is to run. What is left out is chosen.
struct ProgramOptions {
  SharePolicy shares = SharePolicy::best;
  Session::Kind collectives = Session::Kind::tombolo;
  int panels = 0;          ///< in which slices that can be cut are done; 0: as predicted to be best
  bool overlap = true;     ///< collectives beside computation
  bool adapt = true;       ///< shares in mid-run, of slices that allow it
  bool progress = true;    ///< a line on the terminal
  std::string trace = {};  ///< Chrome trace events of all ranks go there, or a picture where it ends in .svg
  std::map<std::string, std::vector<std::int64_t>> speeds = {};  ///< of kernels, of each rank, where they are known
};

/// How slices are shared out and cut.
struct SlicesOptions {
  std::vector<std::int64_t> weights = {};  ///< the work of each item; empty: all alike
  std::int64_t grain = 1;                  ///< items that are worth a call of their own
  std::vector<std::int64_t> given = {};    ///< items of each rank; empty: chosen
  /// Whether shares may change in a loop when a processor has slowed down: then nothing but arrays of the program may
  /// depend on who has which items.
  bool adapts = false;
};

/// What a computation over slices takes, and touches. Operations count an item of weight 1, in the unit of the kernel.
struct ComputeOptions {
  Slices over = {};
  std::string kernel = {};  ///< whose speed it has
  double operations = 0;    ///< of an item
  std::int64_t size = 0;    ///< that an item adds to the problem, as the kernel counts sizes; 0: the problem is large
  std::vector<AnyArray> reads = {};
  std::vector<AnyArray> around = {};  ///< of which rows next to its own are read too: halo() before
  std::vector<AnyArray> writes = {};
  /// Held everywhere, zeros before the first slice: what this rank adds, or finds, there is its part of what an
  /// allreduce() then combines.
  std::vector<AnyArray> partial = {};
};

/// How an array is moved.
struct MoveOptions {
  /// The array that is moved is gone then: its memory and the other one's take turns, and a move takes no memory of its
  /// own. Packing, the collective and unpacking are three tasks. Both arrays are held in one way, without a halo.
  bool spends_source = false;
  /// By whose speed packing and unpacking are predicted where they are tasks; its operations are elements.
  std::string kernel = {};
};

/// What the program does by itself in its own way.
struct OwnOptions {
  std::string kernel = {};
  double operations = 0;  ///< of each rank
  Bytes bytes = 0;        ///< that pass between ranks
  std::vector<AnyArray> reads = {};
  std::vector<AnyArray> writes = {};
};

/// An application, declared as data and tasks. From the declaration it is predicted, shares and plans are chosen, what
/// is independent overlaps, and it is measured while it runs:
///
///     Program program(session, "matmul");
///     const Slices rows = program.slices("rows", m);
///     const auto a = program.array<double>("A", {m, k}, Held::by(rows).and_at(0));
///     const auto b = program.array<double>("B", {k, n}, Held::everywhere().and_at(0));
///     const auto c = program.array<double>("C", {m, n}, Held::by(rows).and_at(0));
///     program.scatterv(a);
///     program.bcast(b);
///     program.compute("multiply", {.over = rows, .kernel = "dgemm", .operations = 2.0 * n * k, .reads = {a, b},
///                     .writes = {c}}, [=](const Slice& s) { gemm<double>({s.count, n, k}, a.at(s), b.data(), c.at(s));
///                     });
///     program.gatherv(c);
///     program.prepare();            // shares, plans, memory: fill a and b now
///     std::cout << program.explain();
///     const RunReport report = program.run();
///
/// All ranks of the session declare the same, in the same order. Tasks are done in the order in which they are
/// declared, as far as one needs what another has written. Throws Error for what contradicts itself; on all ranks
/// alike.
class Program {
 public:
  /// The session outlives it.
  Program(Session& session, std::string name, ProgramOptions options = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// So many independent items.
  Slices slices(std::string name, std::int64_t items, SlicesOptions options = {});
  /// A matrix; a vector is one of one column. Row i of an array in slices is item i.
  template <class T>
  Array<T> array(std::string name, MatrixShape shape, const Held& held) {
    const int number = add_array(std::move(name), shape, held, sizeof(T), mpi_type_of<T>());
    return Array<T>(number, body_.arrays[static_cast<std::size_t>(number)]);
  }

  /// One number that every rank holds.
  template <class T>
  Array<T> number(std::string name) {
    return array<T>(std::move(name), {1, 1}, Held::everywhere());
  }

  void scatterv(AnyArray array);              ///< from its root to the slices
  void gatherv(AnyArray array);               ///< from the slices to its root
  void bcast(AnyArray array);                 ///< from its root to everybody
  void allgatherv(AnyArray array);            ///< from the slices to everybody
  void allreduce(AnyArray array, MPI_Op op);  ///< what everybody holds, combined
  void halo(AnyArray array);                  ///< rows next to each rank's own
  /// The array, in the way the other one is held; an alltoallv as a rule.
  void move(AnyArray from, AnyArray to, const MoveOptions& options = {});
  /// The same, and the other one becomes the transpose.
  void transpose(AnyArray from, AnyArray to, const MoveOptions& options = {});
  /// Two arrays that are declared alike change places: pointers do.
  void swap(AnyArray one, AnyArray other);
  /// `work` is called for slices of this rank, any number of them, which together are all of its items.
  void compute(const std::string& name, const ComputeOptions& options, std::function<void(const Slice&)> work);
  /// The same for items whose times nobody knows: whoever is ready gets the next ones. `results` are in the same slices
  /// and at a root, which gets them; `work` writes there, to results.at(slice).
  void farm(const std::string& name, const ComputeOptions& options, AnyArray results,
            std::function<void(const Slice&)> work);
  /// Anything else, with the collectives of the members; all of them call it.
  void task(const std::string& name, const OwnOptions& options, std::function<void(Collectives&)> work);

  /// The tasks that `body` declares are done again and again, `most` times or until `enough` is true after one, as rank
  /// 0 of the members finds it. Loops do not contain each other.
  void repeat(const std::string& name, std::int64_t most, const std::function<void()>& body,
              std::function<bool()> enough = {});

  /// Checks the declaration and chooses who takes part, shares, panels and plans. Collective.
  void plan();
  /// plan(), and memory for arrays. Throws AgreedError where they do not fit. Collective.
  void prepare();
  /// Before prepare(), in a simulation: arrays hold nothing, in the same simulated time.
  void use_phantom_memory() { phantom_ = true; }

  /// The array from a .npy file, by all ranks that take part at a time: all of it where a rank or every rank holds
  /// that, else each rank's slices. prepare() before, if it has not been called. Nothing happens on phantom memory.
  /// Throws AgreedError: see distributed_file.hpp. Collective.
  template <Element T>
  void read(const Array<T>& array, const std::filesystem::path& path) {
    with_members([&](MPI_Comm members) { read_distributed(members, path, in_file(array), array.data()); });
  }
  /// The same to a file, which stands under its name once it is complete.
  template <Element T>
  void write(const Array<T>& array, const std::filesystem::path& path) {
    with_members([&](MPI_Comm members) { write_distributed(members, path, in_file(array), array.data()); });
  }

  /// Whether this rank takes part. Those that do not hold nothing of arrays.
  bool takes_part() const { return member_ >= 0; }
  /// How items are shared out, once it is planned: by members.
  const Division& division(Slices slices) const { return arrangement_->division(slices.number); }
  const Arrangement& arrangement() const { return *arrangement_; }
  /// This rank's items of the first panel, of which there is only one where nothing was cut; none where it takes no
  /// part.
  Slice mine(Slices slices) const { return takes_part() ? division(slices).slice(0, member_) : Slice{}; }
  /// Who of the members has which of its elements: slices where it is in some, else the whole.
  Distribution distribution(AnyArray array) const;

  /// What it will do and how long that is predicted to take: tasks, plans, shares, bound. The same on all ranks.
  std::string explain();
  /// Does it. May be called again. Collective.
  RunReport run();

  /// That it runs in.
  Session& session() { return session_; }
  const Declaration& declaration() const { return body_.declared; }

 private:
  int add_array(std::string name, MatrixShape shape, const Held& held, Bytes element, MPI_Datatype type);
  void add_task(DeclaredTask task, ProgramBody::Work work = {});
  void add_move(AnyArray from, AnyArray to, bool transposed, const MoveOptions& options);
  void with_members(const std::function<void(MPI_Comm)>& work);
  Distribution in_file(AnyArray array) const;
  void check_alike();
  void check_adapting() const;
  SpeedsByKernel find_speeds();
  void choose();
  void join();
  RunReport draft() const;
  std::string attempt(const std::function<void()>& work) const;
  Recorded run_here();
  RunReport report_of(const Recorded& recorded) const;
  void write_trace();

  Session& session_;
  ProgramOptions options_;
  ProgramBody body_;
  int loop_ = DeclaredTask::none;  // that is being declared

  SpeedsByKernel speeds_;
  std::optional<Arrangement> arrangement_;
  RunReport expected_;  // without what is measured
  Rank member_ = -1;
  MPI_Comm members_ = MPI_COMM_NULL;
  std::unique_ptr<Collectives> collectives_;
  std::shared_ptr<Planner> planner_;
  std::vector<Done> done_;  // by this rank, in the last run
  bool phantom_ = false;
  bool prepared_ = false;
};

}  // namespace tombolo
