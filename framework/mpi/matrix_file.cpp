#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/files/npy_shared_file.hpp>
#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/framework/mpi/arrays/shared_file.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr Bytes at_once = Bytes{128} << 20;   // limit of a collective call and of a line of a view
constexpr Bytes tile_bytes = Bytes{8} << 20;  // of a transposed tile
constexpr std::int64_t widest_tile = 16384;   // elements of a line in a transposed tile
constexpr std::int64_t most_lines = 1 << 16;  // ROMIO takes about 40 bytes for each during a call

/// The steps of a transfer: each line is cut into bands, and a step transfers lines_at_once lines of a band. All ranks
/// take the same number of steps, the last ones possibly empty.
struct Walk {
  Strided lines;
  std::int64_t band = 0;  ///< width of this rank's bands, in elements
  std::int64_t bands = 0;
  std::int64_t lines_at_once = 1;
  std::int64_t steps = 0;  ///< per band
  bool all_apart = false;  ///< no rank has exactly one line
};

Walk walk_of(MPI_Comm communicator, const Strided& lines, bool turned, Bytes element) {
  Walk walk;
  walk.lines = lines.lines == 0 || lines.width == 0 ? Strided{} : turned ? lines : joined(lines);
  walk.band = std::min(walk.lines.width, turned ? widest_tile : at_once / element);
  const std::int64_t bands = walk.band == 0 ? 0 : (walk.lines.width - 1) / walk.band + 1;
  const bool alone = walk.lines.lines == 1;
  std::array<std::int64_t, 4> most{bands, walk.band, walk.lines.lines, alone ? 1 : 0};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, most.data(), most.size(), MPI_INT64_T, MPI_MAX, communicator), "MPI_Allreduce");
  walk.bands = most[0];
  const Bytes room = turned ? tile_bytes : at_once;
  walk.lines_at_once = std::clamp<std::int64_t>(room / element / std::max<std::int64_t>(most[1], 1), 1, most_lines);
  walk.steps = most[2] == 0 ? 0 : (most[2] - 1) / walk.lines_at_once + 1;
  walk.all_apart = most[3] == 0;
  return walk;
}

/// The buffer range of one step: elements [first, first + width) of lines [line, line + lines) of the part.
struct Piece {
  std::int64_t line = 0;
  std::int64_t lines = 0;
  std::int64_t first = 0;
  std::int64_t width = 0;
};

template <class Transfer>
void in_steps(SharedFile& file, Bytes data_offset, const Walk& walk, Bytes element, Transfer transfer) {
  const Strided& all = walk.lines;
  for (std::int64_t b = 0; b < walk.bands; ++b) {
    const std::int64_t first = std::min(b * walk.band, all.width);
    const std::int64_t width = std::min(walk.band, all.width - first);
    const std::int64_t stride = all.lines == 1 ? width : all.stride;
    file.view({data_offset + (all.offset + first) * element, width * element, stride * element}, walk.all_apart);
    for (std::int64_t s = 0; s < walk.steps; ++s) {
      const std::int64_t line = std::min(s * walk.lines_at_once, all.lines);
      const std::int64_t lines = width == 0 ? 0 : std::min(walk.lines_at_once, all.lines - line);
      transfer(Piece{line, lines, first, width});
    }
  }
}

/// Allocates the tile for the transposed elements of a step.
template <Element T>
std::unique_ptr<T[]> tile_for(const Walk& walk) {
  const std::int64_t lines = std::min(walk.lines_at_once, walk.lines.lines);
  return std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(lines * walk.band));
}

template <Element T>
void read_lines(SharedFile& file, Bytes data_offset, const Walk& walk, T* to) {
  in_steps(file, data_offset, walk, sizeof(T), [&](const Piece& piece) {
    file.read(piece.line, piece.lines, to + piece.line * walk.lines.width + piece.first);
  });
}

template <Element T>
void read_turned(SharedFile& file, Bytes data_offset, const Walk& walk, T* to) {
  const auto tile = tile_for<T>(walk);
  const std::int64_t stride = walk.lines.lines;
  in_steps(file, data_offset, walk, sizeof(T), [&](const Piece& piece) {
    file.read(piece.line, piece.lines, tile.get());
    transpose(piece.lines, piece.width, tile.get(), piece.width, to + piece.first * stride + piece.line, stride);
  });
}

template <Element T>
void write_lines(SharedFile& file, Bytes data_offset, const Walk& walk, const T* from) {
  in_steps(file, data_offset, walk, sizeof(T), [&](const Piece& piece) {
    file.write(piece.line, piece.lines, from + piece.line * walk.lines.width + piece.first);
  });
}

template <Element T>
void write_turned(SharedFile& file, Bytes data_offset, const Walk& walk, const T* from) {
  const auto tile = tile_for<T>(walk);
  const std::int64_t stride = walk.lines.lines;
  in_steps(file, data_offset, walk, sizeof(T), [&](const Piece& piece) {
    transpose(piece.width, piece.lines, from + piece.first * stride + piece.line, stride, tile.get(), piece.width);
    file.write(piece.line, piece.lines, tile.get());
  });
}

MatrixShape agreed_shape(MPI_Comm communicator, const NpyHeader& header, const std::filesystem::path& path) {
  MatrixShape shape;
  agree(communicator, [&] { shape = matrix_shape(header, path); });
  return shape;
}

void check_type(ElementType in_file, ElementType wanted, const std::filesystem::path& path) {
  if (in_file == wanted) return;
  const ElementInfo& info = element_info(wanted);
  throw Error(fmt::format("{} holds {} where {} is needed", printable(path), element_info(in_file).name, info.name),
              fmt::format("save it again as a.astype('{}')", info.descr));
}

/// Returns true if the element orders in memory and in the file differ.
bool is_turned(bool column_major, bool fortran_order) {
  return column_major != fortran_order;
}

}  // namespace

struct MatrixFileReader::State {
  // ROMIO does not report a short read, so the file size is checked.
  void check_size() const {
    agree(communicator, [&] {
      const Bytes needed = header.data_offset + header.bytes();
      const Bytes size = file.size();
      if (size >= needed) return;
      throw Error(fmt::format("{} has become shorter: it needs {} bytes and has {}", printable(path), needed, size),
                  "make sure that nobody changes the file meanwhile, and start again");
    });
  }

  MPI_Comm communicator;
  std::filesystem::path path;
  NpyHeader header;
  MatrixShape shape;
  SharedFile file;
};

MatrixFileReader::MatrixFileReader(MPI_Comm communicator, const std::filesystem::path& path, const NpyHeader& header)
    : state_(new State{communicator,
                       path,
                       header,
                       agreed_shape(communicator, header, path),
                       {communicator, path, path, SharedFile::Access::read}}) {
  state_->check_size();
}

MatrixFileReader::~MatrixFileReader() = default;

template <Element T>
void MatrixFileReader::read(const Part& part, bool column_major, T* to) {
  State& in = *state_;
  Strided lines;
  agree(in.communicator, [&] {
    check_type(in.header.type, element_type_of<T>, in.path);
    lines = lines_of(part, in.shape, in.header.fortran_order);
  });
  const bool turned = is_turned(column_major, in.header.fortran_order);
  const Walk walk = walk_of(in.communicator, lines, turned, sizeof(T));
  if (turned) {
    read_turned(in.file, in.header.data_offset, walk, to);
  } else {
    read_lines(in.file, in.header.data_offset, walk, to);
  }
  in.file.check();
  in.check_size();
}

struct MatrixFileWriter::State {
  MPI_Comm communicator = MPI_COMM_NULL;
  std::filesystem::path target;
  ElementType type = ElementType::float64;
  MatrixShape shape;
  bool fortran_order = false;
  std::optional<NpySharedFile> made = {};  // on rank 0; outlives `file`; removes an uncommitted file
  Bytes data_offset = 0;
  std::unique_ptr<SharedFile> file = {};

  /// Lets rank 0 make the file, and tells the others where it is.
  NpySharedPlace make(FileForm form, const std::function<void()>& make_it) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
    agree(communicator, [&] {
      if (rank == 0) make_it();
    });
    const std::string temporary = text_from(communicator, 0, made ? made->temporary().string() : std::string());
    return NpySharedPlace::of(target, temporary, type, shape, fortran_order, form);
  }
  void open(const NpySharedPlace& place) {
    data_offset = place.data_offset;
    agree(communicator, [&] { place.check_seen(); });
    file = std::make_unique<SharedFile>(communicator, place.temporary, target, SharedFile::Access::write);
  }
};

namespace {

/// Returns true if all ranks are on one host and see the file. In containers, they may not see each other's processes
/// and open files.
bool all_see(MPI_Comm communicator, const NpySharedPlace& place) {
  int seen = attempt([&] { place.check_seen(); }).empty() ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return seen != 0;
}

}  // namespace

MatrixFileWriter::MatrixFileWriter(MPI_Comm communicator, const std::filesystem::path& target, ElementType type,
                                   const MatrixShape& shape, bool fortran_order, FileForm form)
    : state_(new State{communicator, target, type, shape, fortran_order}) {
  State& out = *state_;
  const auto make = [&](AtomicFile::Writers writers) {
    return out.make(form, [&] { out.made.emplace(target, type, shape, fortran_order, form, writers); });
  };
  NpySharedPlace place;
  const bool one_host = on_one_host(communicator);
  if (one_host) place = make(AtomicFile::Writers::this_host);
  if (!one_host || !all_see(communicator, place)) place = make(AtomicFile::Writers::all_hosts);
  out.open(place);
}

MatrixFileWriter::MatrixFileWriter(MPI_Comm communicator, const std::filesystem::path& target, ElementType type,
                                   const MatrixShape& shape, bool fortran_order, bool goes_on)
    : state_(new State{communicator, target, type, shape, fortran_order}) {
  using Begin = AtomicFile::Begin;
  State& out = *state_;
  out.open(out.make(FileForm::npy, [&] {
    out.made.emplace(target, type, shape, fortran_order, goes_on ? Begin::with_what_is_left : Begin::anew);
  }));
}

MatrixFileWriter::~MatrixFileWriter() = default;

template <Element T>
void MatrixFileWriter::write(const Part& part, bool column_major, const T* from) {
  State& out = *state_;
  Strided lines;
  agree(out.communicator, [&] {
    check_type(out.type, element_type_of<T>, out.target);
    lines = lines_of(part, out.shape, out.fortran_order);
  });
  const bool turned = is_turned(column_major, out.fortran_order);
  const Walk walk = walk_of(out.communicator, lines, turned, sizeof(T));
  if (turned) {
    write_turned(*out.file, out.data_offset, walk, from);
  } else {
    write_lines(*out.file, out.data_offset, walk, from);
  }
  out.file->check();
}

void MatrixFileWriter::sync() {
  state_->file->sync();
}

void MatrixFileWriter::commit() {
  State& out = *state_;
  out.file->close();
  agree(out.communicator, [&] {
    if (out.made) out.made->commit();
  });
}

#define TOMBOLO_FOR(T)                                         \
  template void MatrixFileReader::read(const Part&, bool, T*); \
  template void MatrixFileWriter::write(const Part&, bool, const T*);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

MatrixShape shape_in_file(MPI_Comm communicator, const std::filesystem::path& path) {
  MatrixShape shape;
  agree(communicator, [&] { shape = matrix_shape(read_npy_header(path), path); });
  return shape;
}

}  // namespace tombolo
