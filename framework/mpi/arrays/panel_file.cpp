#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/arrays/panel_file.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace fs = std::filesystem;

fs::path journal_of(const fs::path& target) {
  fs::path path = partial_of(target);
  path += ".journal";
  return path;
}

namespace {

constexpr Bytes largest_journal = Bytes{1} << 30;

/// Returns the text of a journal; empty if there is no finished panel: without a journal, without its file, or without
/// a second line.
std::string journal_at(const fs::path& target) {
  std::error_code error;
  if (!fs::exists(partial_of(target), error) || !fs::exists(journal_of(target), error)) return {};
  std::string text = read_text(journal_of(target), largest_journal, "a journal of panels");
  return std::count(text.begin(), text.end(), '\n') > 1 ? text : std::string();
}

/// Throws Error if something has the name of a partial file that no run of Tombolo has left, as it has no journal.
void check_ours(const fs::path& target) {
  std::error_code error;
  const fs::path partial = partial_of(target);
  if (!fs::exists(partial, error) || fs::exists(journal_of(target), error)) return;
  if (fs::is_regular_file(partial, error) && fs::is_empty(partial, error)) return;
  throw Error(fmt::format("{} is there, and no record of finished panels beside it: no run of this command has left it",
                          printable(partial)),
              "move it away, or give the result another path");
}

void remove_remains(const fs::path& target) {
  std::error_code ignored;
  fs::remove(partial_of(target), ignored);
  fs::remove(journal_of(target), ignored);
}

std::string how_to_begin_anew(const fs::path& target) {
  return fmt::format("remove {} to begin anew", printable(partial_of(target)));
}

void check_facts(const std::vector<Fact>& earlier, const std::vector<Fact>& now, const fs::path& target) {
  const std::string name = printable(partial_of(target));
  for (std::size_t i = 0; i < std::max(earlier.size(), now.size()); ++i) {
    const Fact before = i < earlier.size() ? earlier[i] : Fact{now[i].name, "not stated"};
    const Fact after = i < now.size() ? now[i] : Fact{before.name, "not stated"};
    if (before == after) continue;
    throw Error(fmt::format("{} is of a run whose {} is {}, and here {} is {}", name, before.name, before.value,
                            after.name, after.value),
                fmt::format("resume it with those of the first run, or {}", how_to_begin_anew(target)));
  }
}

/// Pieces of a part of at most `room` elements, in the order of the file.
std::vector<Part> pieces_of(const Part& part, bool fortran_order, std::int64_t room) {
  const Part lines = fortran_order ? part.transposed() : part;
  std::vector<Part> pieces;
  const std::int64_t wide = std::min(lines.columns, room);
  const std::int64_t high = wide == 0 ? 0 : std::max<std::int64_t>(room / wide, 1);
  for (std::int64_t left = 0; left < lines.columns; left += wide) {
    for (std::int64_t top = 0; top < lines.rows; top += high) {
      const Part piece{lines.first_row + top, std::min(high, lines.rows - top), lines.first_column + left,
                       std::min(wide, lines.columns - left)};
      pieces.push_back(fortran_order ? piece.transposed() : piece);
    }
  }
  return pieces;
}

std::vector<WrittenPart> of_all_ranks(MPI_Comm communicator, const std::vector<WrittenPart>& mine) {
  int ranks = 1;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  const auto bytes = static_cast<int>(mine.size() * sizeof(WrittenPart));
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  check_mpi(MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator), "MPI_Allgather");
  std::vector<int> begins(counts.size(), 0);
  for (std::size_t r = 1; r < counts.size(); ++r) begins[r] = begins[r - 1] + counts[r - 1];
  std::vector<WrittenPart> all(static_cast<std::size_t>(begins.back() + counts.back()) / sizeof(WrittenPart));
  check_mpi(
      MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), begins.data(), MPI_BYTE, communicator),
      "MPI_Allgatherv");
  return all;
}

}  // namespace

PanelFile::PanelFile(MPI_Comm communicator, const fs::path& target, Content content, Records records, Rank rank)
    : communicator_(communicator),
      target_(target),
      records_(records),
      rank_(rank),
      fortran_order_(content.fortran_order) {
  check_mpi(MPI_Comm_rank(communicator, &self_), "MPI_Comm_rank");
  const auto [type, shape, fortran_order] = std::tuple(content.type, content.shape, content.fortran_order);
  if (records == Records::nothing) {
    journal_.division = content.division;
    file_ = std::make_unique<MatrixFileWriter>(communicator, target, type, shape, fortran_order);
    return;
  }
  find_earlier(std::move(content));
  const bool goes_on = !journal_.panels.empty();
  file_ = std::make_unique<MatrixFileWriter>(communicator, target, type, shape, fortran_order, goes_on);
  recorded_ = journal_.panels.size();
  try {
    rewrite_journal();
  } catch (...) {
    remove_if_useless();
    throw;
  }
}

PanelFile::~PanelFile() {
  remove_if_useless();
}

// Leaves nothing of a run that has finished no panel.
void PanelFile::remove_if_useless() const {
  if (self_ == 0 && records_ != Records::nothing && recorded_ == 0 && !has_its_name_) remove_remains(target_);
}

void PanelFile::find_earlier(Content content) {
  std::string text;
  content.facts.push_back(
      {"result", fmt::format("{} x {} {} in {} order", content.shape.rows, content.shape.columns,
                             element_info(content.type).name, content.fortran_order ? "Fortran" : "C")});
  const std::string name = printable(journal_of(target_));
  agree(communicator_, [&] {
    if (self_ != 0) return;
    if (records_ != Records::and_resumes) make_way(target_);
    check_ours(target_);
    text = journal_at(target_);
    if (text.empty()) {
      text = to_text({std::move(content.facts), content.division});
      return;
    }
    const std::string head = text.substr(0, text.find('\n') + 1);  // panels may be of a matrix of another shape
    check_facts(panel_journal_from(head, content.shape, name, how_to_begin_anew(target_)).facts, content.facts,
                target_);
  });
  text = text_from(communicator_, 0, std::move(text));
  journal_ = panel_journal_from(text, content.shape, name, how_to_begin_anew(target_));
}

void PanelFile::rewrite_journal() {
  agree(communicator_, [&] {
    if (self_ != 0) return;
    const std::string text = to_text(journal_);
    write_text(journal_of(target_), text);
    journal_bytes_ = std::ssize(text);
  });
  recorded_ = journal_.panels.size();
}

template <Element T>
void PanelFile::write(const Part& part, bool column_major, const T* from, std::uint64_t hash) {
  file_->write(part, column_major, from);
  if (part.elements() > 0 && records_ != Records::nothing) mine_.push_back({part, rank_, hash});
}

void PanelFile::finish(const Part& panel, bool judged) {
  if (records_ == Records::nothing) return;
  journal_.panels.push_back({panel, of_all_ranks(communicator_, mine_), judged});
  mine_.clear();
}

void PanelFile::record() {
  if (recorded_ == journal_.panels.size()) return;
  file_->sync();
  agree(communicator_, [&] {
    if (self_ != 0) return;
    std::string lines;
    for (std::size_t p = recorded_; p < journal_.panels.size(); ++p) lines += line_of(journal_.panels[p]);
    PosixFile file = PosixFile::open_to_write(journal_of(target_), journal_of(target_));
    file.write_at(lines.data(), std::ssize(lines), journal_bytes_);
    file.sync_and_close();
    journal_bytes_ += std::ssize(lines);
  });
  recorded_ = journal_.panels.size();
}

template <Element T>
std::optional<PanelFile::Wrong> PanelFile::find_wrong(std::span<T> buffer, bool transposed) {
  if (records_ == Records::nothing) return std::nullopt;
  int ranks = 1;
  check_mpi(MPI_Comm_size(communicator_, &ranks), "MPI_Comm_size");
  file_->sync();
  NpyHeader header;
  agree(communicator_, [&] { header = read_npy_header(partial_of(target_)); });
  MatrixFileReader reader(communicator_, partial_of(target_), header);

  std::vector<WrittenPart> parts;
  std::vector<std::size_t> panel_of_part;
  for (std::size_t p = 0; p < journal_.panels.size(); ++p) {
    for (const WrittenPart& part : journal_.panels[p].written) {
      parts.push_back(part);
      panel_of_part.push_back(p);
    }
  }
  // Ranks take parts in turn; a part's pieces are read one after the other.
  std::vector<std::pair<std::size_t, Part>> pieces;
  for (auto i = static_cast<std::size_t>(self_); i < parts.size(); i += static_cast<std::size_t>(ranks)) {
    for (const Part& piece : pieces_of(parts[i].part, fortran_order_, std::ssize(buffer)))
      pieces.emplace_back(i, piece);
  }
  std::int64_t steps = std::ssize(pieces);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &steps, 1, MPI_INT64_T, MPI_MAX, communicator_), "MPI_Allreduce");
  std::vector<std::uint64_t> hashes(parts.size(), 0);
  for (std::size_t s = 0; s < static_cast<std::size_t>(steps); ++s) {
    const Part piece = s < pieces.size() ? pieces[s].second : Part{};
    reader.read(piece, fortran_order_, buffer.data());
    if (s < pieces.size()) hashes[pieces[s].first] += hash_part(buffer.data(), piece, fortran_order_, transposed);
  }
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, hashes.data(), static_cast<int>(hashes.size()), MPI_UINT64_T, MPI_SUM, communicator_),
      "MPI_Allreduce");

  std::optional<Wrong> wrong;
  std::vector<bool> bad(journal_.panels.size(), false);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (hashes[i] == parts[i].hash) continue;
    if (!wrong) wrong = Wrong{parts[i]};
    bad[panel_of_part[i]] = true;
  }
  if (!wrong) return wrong;
  std::vector<FinishedPanel> good;
  for (std::size_t p = 0; p < bad.size(); ++p) {
    if (!bad[p]) good.push_back(std::move(journal_.panels[p]));
  }
  wrong->panels = std::ssize(bad) - std::ssize(good);
  journal_.panels = std::move(good);
  rewrite_journal();
  return wrong;
}

void PanelFile::commit() {
  file_->commit();
  has_its_name_ = true;
  if (self_ != 0 || records_ == Records::nothing) return;
  std::error_code ignored;
  fs::remove(journal_of(target_), ignored);
}

void make_way(const fs::path& target) {
  check_ours(target);
  std::error_code ignored;
  std::optional<AtomicFile> held;  // so that no other run writes it
  if (fs::exists(partial_of(target), ignored)) held.emplace(target, AtomicFile::Begin::with_what_is_left);
  if (!journal_at(target).empty()) {
    throw Error(fmt::format("{} holds finished panels of an earlier run", printable(partial_of(target))),
                fmt::format("go on from it by --resume, or {}", how_to_begin_anew(target)));
  }
  const bool was_begun = held && !fs::is_empty(partial_of(target), ignored);
  remove_remains(target);
  if (!was_begun) return;
  say(fmt::format("tombolo: {} of an earlier run held no finished panel and was removed\n",
                  printable(partial_of(target))));
}

namespace {

// A hash of pieces from all over a file: another file of the same size may have the same time of change, as a copy has.
std::string hash_of_samples(const fs::path& path, Bytes bytes) {
  constexpr Bytes piece = 4096;
  constexpr Bytes most_pieces = 64;
  const PosixFile file = PosixFile::open_to_read(path);
  const Bytes pieces = std::clamp<Bytes>(bytes / piece, 1, most_pieces);
  std::vector<std::byte> content(static_cast<std::size_t>(std::min(piece, bytes)));
  StableHash hash;
  for (Bytes i = 0; i < pieces; ++i) {
    const Bytes last = bytes - std::ssize(content);
    const Bytes parts = std::max<Bytes>(pieces - 1, 1);
    file.read_at(content.data(), std::ssize(content), last / parts * i + last % parts * i / parts);
    hash.add_bytes(content);
  }
  return hash.text();
}

}  // namespace

Fact fact_of_file(const std::string& name, const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw_file_error("read", path, errno);
  std::error_code error;
  const fs::path whole = fs::canonical(path, error);
  return {name, fmt::format("{} of {} bytes, changed {:%Y-%m-%d %H:%M:%S}.{:09}, samples {}",
                            printable(error ? path : whole), status.st_size, fmt::gmtime(status.st_mtim.tv_sec),
                            status.st_mtim.tv_nsec, hash_of_samples(path, status.st_size))};
}

void check_panels_writable(const fs::path& target, Bytes bytes) {
  struct stat status {};
  constexpr Bytes block = 512;  // of st_blocks
  const Bytes reserved = ::stat(partial_of(target).c_str(), &status) == 0 ? status.st_blocks * block : 0;
  check_writable(target, std::max<Bytes>(bytes - reserved, 0));
}

#define TOMBOLO_FOR(T)                                                        \
  template void PanelFile::write(const Part&, bool, const T*, std::uint64_t); \
  template std::optional<PanelFile::Wrong> PanelFile::find_wrong(std::span<T>, bool);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
