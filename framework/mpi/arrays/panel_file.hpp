#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/arrays/files/panel_journal.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>

namespace tombolo {

/// Returns the path of the record of finished panels, which is beside them.
std::filesystem::path journal_of(const std::filesystem::path& target);

/// A .npy file that is written panel by panel, and from which a later run goes on if this one ends before commit(),
/// however it ends: the elements lie in partial_of(target), the record of finished panels (PanelJournal) beside them. A
/// run that ends by itself before a panel is recorded leaves neither. All functions but finished() are collective;
/// failures throw AgreedError.
class PanelFile {
 public:
  /// What is recorded: nothing, so that the file is as any other; panels; or panels, going on from what an earlier run
  /// has left, if anything.
  enum class Records { nothing, panels, and_resumes };
  /// The matrix in the file, and what its elements depend on beside that.
  struct Content {
    ElementType type = ElementType::float64;
    MatrixShape shape;
    bool fortran_order = false;
    std::vector<Fact> facts;    ///< on rank 0 only
    MatrixShape division = {};  ///< of panels, for users that keep to that of the first run
  };
  /// `rank`: what the journal calls this rank. Throws for what an earlier run has left unless this one resumes; for one
  /// with other facts; for a damaged journal; and as MatrixFileWriter.
  PanelFile(MPI_Comm communicator, const std::filesystem::path& target, Content content, Records records, Rank rank);
  ~PanelFile();
  PanelFile(const PanelFile&) = delete;
  PanelFile& operator=(const PanelFile&) = delete;

  /// The panels that are finished, those of earlier runs first. The same on all ranks.
  const std::vector<FinishedPanel>& finished() const { return journal_.panels; }
  /// The shape of panels of the first run.
  const MatrixShape& division() const { return journal_.division; }

  /// Writes a part of the panel that is next to be finished. `hash`: its hash_part, of all parts with the same
  /// `transposed`.
  template <Element T>
  void write(const Part& part, bool column_major, const T* from, std::uint64_t hash);
  /// Ends a panel, of which all ranks have written their parts. It is finished if panels are recorded.
  void finish(const Part& panel, bool judged = true);
  /// Makes the panels that are finished durable: they are on the disk before the journal says so.
  void record();

  /// What the disk holds in place of what was written.
  struct Wrong {
    WrittenPart part;         ///< the first one
    std::int64_t panels = 0;  ///< that hold such parts
  };
  /// Reads the file once more, in pieces of at most buffer.size() elements, and compares the hashes of all parts.
  /// Panels with wrong parts are finished no longer. Nothing is wrong if panels are not recorded.
  template <Element T>
  std::optional<Wrong> find_wrong(std::span<T> buffer, bool transposed);

  /// Gives the file its name and removes the journal.
  void commit();

 private:
  void find_earlier(Content content);
  void rewrite_journal();
  void remove_if_useless() const;

  MPI_Comm communicator_;
  std::filesystem::path target_;
  Records records_;
  Rank rank_;
  Rank self_ = 0;  // in the communicator
  bool fortran_order_;
  PanelJournal journal_;
  std::size_t recorded_ = 0;  // panels
  bool has_its_name_ = false;
  Bytes journal_bytes_ = 0;        // on rank 0
  std::vector<WrittenPart> mine_;  // of the panel under way
  std::unique_ptr<MatrixFileWriter> file_;
};

/// Throws Error if an earlier run has left finished panels of this file, which a run that does not resume must not
/// ignore, or if something else has the name of the partial file. Removes what an earlier run has left without a
/// finished panel, and says so.
void make_way(const std::filesystem::path& target);

/// Returns the Fact of a file to be read: its path, size, time of change and a hash of samples of it. Throws Error if
/// there is no such file.
Fact fact_of_file(const std::string& name, const std::filesystem::path& path);

/// Throws Error as check_writable(). The bytes that an earlier run has reserved for the file count as free.
void check_panels_writable(const std::filesystem::path& target, Bytes bytes);

}  // namespace tombolo
