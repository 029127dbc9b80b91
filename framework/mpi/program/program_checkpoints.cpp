// Checkpoints of a program: saving its state at a point of a run, and going on from one.
#include <algorithm>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <tombolo/framework/mpi/program/array_file.hpp>
#include <tombolo/framework/mpi/program/checkpoints.hpp>
#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

constexpr Bytes largest_text = Bytes{1} << 28;

void sum_up(std::vector<std::uint64_t>& hashes, MPI_Comm members) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, hashes.data(), static_cast<int>(hashes.size()), MPI_UINT64_T, MPI_SUM, members),
            "MPI_Allreduce");
}

std::string text_at(const fs::path& folder) {
  const fs::path path = folder / saved_text;
  std::error_code error;
  if (!fs::exists(path, error) && !error) return {};
  return read_text(path, largest_text, "checkpoint");
}

/// Removes a generation; first its text, without which nothing takes it for a checkpoint.
void remove_generation(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder / saved_text, ignored);
  fs::remove_all(folder, ignored);
}

}  // namespace

void Program::State::checkpoint(CheckpointOptions options) {
  if (runs_ > 0) throw std::logic_error(fmt::format("program {}: checkpoint() after a run; call it before", name()));
  own_checkpoints_ = std::move(options);
}

// Finds out, before the first run, whether and where the program is saved, and what there is to go on from.
void Program::State::begin_saving() {
  const CheckpointOptions options = own_checkpoints_ ? *own_checkpoints_ : session_.checkpoints();
  if (options.folder.empty()) {
    if (options.resume) throw AgreedError("a run to resume without a folder of checkpoints; name it by --checkpoint");
    return;
  }
  const auto note = [&](const std::string& words) {
    if (session_.rank() == 0) say(fmt::format("tombolo: {}: {}\n", name(), words));
  };
  if (session_.phantom()) return note("not saved, as phantom memory holds no values");
  if (check_) return note("not saved, as TOMBOLO_CHECK runs it twice");
  if (body_.declared.loops.empty()) {
    return note("not saved, as it has no loop between whose passes it could be; a restart does it again");
  }
  agree(session_.communicator(), [&] { check_can_be_saved(body_.declared, *newest_); });
  checkpoints_ = std::make_unique<Checkpoints>();
  checkpoints_->options = options;
  checkpoints_->folder = options.folder / session_.checkpoint_name(name());
  check_same_call(session_.communicator(),
                  fmt::format("saves program {} in {}", name(), tombolo::quoted(checkpoints_->folder.string())));
  find_checkpoints();
  if (checkpoints_->found.empty() && options.resume) {
    note(fmt::format("no checkpoint in {}, so it begins anew", printable(checkpoints_->folder)));
  }
}

void Program::State::find_checkpoints() {
  Checkpoints& all = *checkpoints_;
  std::vector<std::string> damaged;
  for (int g = 0; g < Checkpoints::generations; ++g) {
    std::string text;
    std::string words;
    if (session_.rank() == 0) words = attempt([&] { text = text_at(all.generation(g)); });
    text = text_from(session_.communicator(), 0, std::move(text));
    words = text_from(session_.communicator(), 0, std::move(words));
    if (words.empty() && text.empty()) continue;
    Checkpoints::Found found{.generation = g};
    if (words.empty()) {
      words = attempt([&] { found.state = saved_state_from(text, printable(all.generation(g) / saved_text)); });
    }
    if (words.empty()) {
      all.found.push_back(std::move(found));
    } else {
      damaged.push_back(words);
    }
  }
  std::sort(all.found.begin(), all.found.end(),
            [](const auto& one, const auto& other) { return one.state.number > other.state.number; });
  agree(session_.communicator(), [&] {
    if (all.found.empty() && damaged.empty()) {
      if (session_.rank() != 0) return;
      std::error_code error;
      fs::create_directories(all.folder, error);
      if (error) throw_file_error("write", all.folder, error.value());
      return;
    }
    if (!all.options.resume) {
      throw Error(fmt::format("{} holds a checkpoint of program {}", printable(all.folder), name()),
                  "go on from it by --resume, or remove it to begin anew");
    }
    if (all.found.empty()) throw std::runtime_error(damaged.front());
    for (const Checkpoints::Found& found : all.found) {
      check_suits(found.state, body_.declared, printable(all.generation(found.generation)));
    }
  });
  if (all.found.empty()) return;
  all.number = all.found.front().state.number;
  if (damaged.empty() || session_.rank() != 0) return;
  say(fmt::format("tombolo: {}: {}\n", name(), printable(damaged.front())));
}

// Goes on from the newest usable checkpoint of this call of run(). Collective over the session.
void Program::State::resume() {
  Checkpoints& all = *checkpoints_;
  all.constants.assign(body_.arrays.size(), std::nullopt);
  if (all.found.empty() || all.found.front().state.run != runs_) return;
  std::string failed;
  for (const Checkpoints::Found& found : all.found) {
    if (found.state.run != runs_) continue;
    check_constants(found.state);
    failed = attempt([&] { restore(found.state, all.generation(found.generation)); });
    if (!failed.empty()) {
      if (session_.rank() == 0) say(fmt::format("tombolo: {}: {}\n", name(), printable(failed)));
      continue;
    }
    all.next = 1 - found.generation;
    all.newest = describe(body_.declared, found.state.point);
    all.resumed = true;
    all.resumed_from = fmt::format("{}, made on {} ranks at {}", all.newest, found.state.ranks, found.state.made);
    all.found.clear();
    return;
  }
  throw AgreedError(fmt::format("program {} has no checkpoint that can be used in {}; remove it to begin anew", name(),
                                printable(all.folder)));
}

// Throws AgreedError if arrays that no task changes have other values than when the program was saved.
void Program::State::check_constants(const SavedState& state) {
  std::vector<std::uint64_t> mine(body_.arrays.size(), 0);
  const std::string failed = takes_part() ? attempt([&] {
    for (std::size_t a = 0; a < mine.size(); ++a) {
      if (state.arrays[a].as == SavedAs::constant) mine[a] = constant_hash(static_cast<int>(a));
    }
  })
                                          : std::string();
  agree(session_.communicator(), [&] {
    if (!failed.empty()) throw std::runtime_error(failed);
    for (std::size_t a = 0; a < mine.size() && takes_part(); ++a) {
      if (state.arrays[a].as != SavedAs::constant || mine[a] == state.arrays[a].hash) continue;
      throw Error(
          fmt::format("program {}: {} has other values than in the run to resume", name(), state.arrays[a].name),
          "give the input that the run began with");
    }
  });
}

// Returns the hash of an array that no task changes. Collective over the members.
std::uint64_t Program::State::constant_hash(int array) {
  std::optional<std::uint64_t>& known = checkpoints_->constants[static_cast<std::size_t>(array)];
  if (known) return *known;
  const DeclaredArray& declared = body_.array(array).declared();
  const Copies& copies = newest_->of(array);
  const Distribution held = distribution_in(AnyArray{array, serial_}, copies);
  Storage<std::byte> packed;
  agree(members_, [&] { packed = packed_items(AnyArray{array, serial_}, copies); });
  const std::byte* const elements = packed.size() > 0 ? packed.data() : body_.array(array).data();
  std::vector<std::uint64_t> hash{ArrayFile(declared, members_).hash(held, elements)};
  sum_up(hash, members_);
  known = hash[0];
  return *known;
}

// Sets all values and the progress to those of a checkpoint. Collective over the session.
void Program::State::restore(const SavedState& state, const fs::path& folder) {
  newest_.emplace(body_.declared);
  for (std::size_t a = 0; a < state.begins.size(); ++a) newest_->set(static_cast<int>(a), state.begins[a]);
  const NewestValues values = values_at(body_.declared, *newest_, state.point);
  const std::string failed = takes_part() ? attempt([&] {
    std::vector<std::uint64_t> hashes(body_.arrays.size(), 0);
    for (std::size_t a = 0; a < hashes.size(); ++a) {
      if (state.arrays[a].as != SavedAs::file) continue;
      hashes[a] = restore_array(static_cast<int>(a), values.of(static_cast<int>(a)), state.arrays[a], folder);
    }
    sum_up(hashes, members_);
    for (std::size_t a = 0; a < hashes.size(); ++a) {
      if (state.arrays[a].as != SavedAs::file || hashes[a] == state.arrays[a].hash) continue;
      throw Error(fmt::format("{} is damaged: its values are not those that were saved",
                              printable(folder / state.arrays[a].file)),
                  "an older checkpoint or a new start goes on");
    }
  })
                                          : std::string();
  agree(session_.communicator(), [&] {
    if (!failed.empty()) throw std::runtime_error(failed);
    for (std::size_t a = 0; a < body_.arrays.size(); ++a) {
      ArrayMemory& array = *body_.arrays[a];
      array.set_combining(false);
      if (state.arrays[a].as != SavedAs::bits) continue;
      bytes_from_hex(state.arrays[a].bits, array.data(), static_cast<std::size_t>(array.declared().element));
    }
  });
  progress_.section = state.point.section;
  progress_.passes = state.point.passes;
  passes_before_ = state.point.passes;
}

// Reads the copies of an array that were up to date, and returns this member's part of the hash. Collective over the
// members.
std::uint64_t Program::State::restore_array(int number, const Copies& copies, const SavedArray& saved,
                                            const fs::path& folder) {
  const AnyArray array{number, serial_};
  ArrayMemory& memory = body_.array(number);
  const ArrayFile array_file(memory.declared(), members_);
  const auto read = [&](const Copies& some) {
    const Distribution held = distribution_in(array, some);
    const bool packed = in_panels(array, some);
    Storage<std::byte> ordered;
    agree(members_, [&] {
      memory.have_own(session_);
      if (packed) ordered = Storage<std::byte>(held.elements(member_) * memory.declared().element);
    });
    std::byte* const to = packed ? ordered.data() : memory.data();
    const std::uint64_t hash = array_file.read(folder / saved.file, held, saved.fortran_order, to);
    if (packed) unpack_items(array, ordered.data());
    return hash;
  };
  if (copies.everywhere) return read({.everywhere = true});
  if (copies.root && copies.items) (void)read({.items = true});
  return copies.root ? read({.root = true}) : read({.items = true});
}

// Saves the program if that is due; returns true if the run ends here. Collective over the members.
bool Program::State::reached(CheckpointSchedule& schedule, const SavedPoint& point) {
  const CheckpointSchedule::Due due = schedule.at_point();
  if (due == CheckpointSchedule::Due::nothing) return false;
  if (checkpoints_->found.empty()) {  // else a later run goes on from them
    const bool now = attempt([&] {
                       const auto all = static_cast<int>(body_.arrays.size());
                       for (int a = 0; a < all; ++a) saved_as(body_.declared, *newest_, point, a);
                     }).empty();
    if (!now) {
      schedule.put_off();
      return false;
    }
    const double begin = MPI_Wtime();
    const std::string failed = attempt([&] { save(point); });
    checkpoints_->seconds += MPI_Wtime() - begin;
    if (!failed.empty() && member_ == 0) {
      attempt([&] { remove_generation(checkpoints_->generation(checkpoints_->next)); });
      say(fmt::format("tombolo: {}: not saved {}: {}; {}\n", name(), describe(body_.declared, point), printable(failed),
                      checkpoints_->newest.empty() ? "there is no older checkpoint"
                                                   : "the checkpoint " + checkpoints_->newest + " stays"));
    }
  }
  schedule.saved();
  if (due != CheckpointSchedule::Due::save_and_end) return false;
  EndingSignals::keep_catching();
  progress_.signal = schedule.signal();
  return true;
}

// Writes a checkpoint over the older generation. Throws AgreedError on all members. Collective over the members.
void Program::State::save(const SavedPoint& point) {
  Checkpoints& all = *checkpoints_;
  const fs::path folder = all.generation(all.next);
  SavedState state{.program = name(),
                   .number = all.number + 1,
                   .run = runs_,
                   .ranks = session_.ranks(),
                   .made = fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(std::time(nullptr))),
                   .point = point,
                   .begins = newest_->all(),
                   .parts = saved_parts(body_.declared)};
  agree(members_, [&] {
    if (member_ != 0) return;
    remove_generation(folder);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw_file_error("write", folder, error.value());
  });
  const NewestValues values = values_at(body_.declared, *newest_, point);
  std::vector<std::uint64_t> hashes(body_.arrays.size(), 0);
  all.bytes = 0;
  for (std::size_t a = 0; a < body_.arrays.size(); ++a) {
    const auto number = static_cast<int>(a);
    const DeclaredArray& declared = body_.array(number).declared();
    SavedArray saved{.name = declared.name, .type = declared.type, .shape = declared.shape};
    saved.as = saved_as(body_.declared, *newest_, point, number);
    if (saved.as == SavedAs::file) {
      const ArrayFile array_file(declared, members_);
      saved.file = fmt::format("{}-{}.{}", a, file_name_of(declared.name), array_file.ending());
      saved.fortran_order = distribution_in(AnyArray{number, serial_}, values.of(number)).by_columns();
      hashes[a] = save_array(number, values.of(number), folder / saved.file);
      all.bytes += array_file.bytes();
    } else if (saved.as == SavedAs::constant) {
      saved.hash = constant_hash(number);
    } else if (saved.as == SavedAs::bits) {
      saved.bits = hex_of(body_.array(number).data(), static_cast<std::size_t>(declared.element));
    }
    state.arrays.push_back(std::move(saved));
  }
  sum_up(hashes, members_);
  for (std::size_t a = 0; a < hashes.size(); ++a) {
    if (state.arrays[a].as == SavedAs::file) state.arrays[a].hash = hashes[a];
  }
  agree(members_, [&] {
    if (member_ == 0) write_text(folder / saved_text, to_text(state));
  });
  all.number = state.number;
  all.next = 1 - all.next;
  all.newest = describe(body_.declared, point);
  ++all.saves;
}

// Writes an array and returns this member's part of the hash. Collective over the members.
std::uint64_t Program::State::save_array(int number, const Copies& copies, const fs::path& file) const {
  const AnyArray array{number, serial_};
  const ArrayMemory& memory = body_.array(number);
  const Distribution held = distribution_in(array, copies);
  Storage<std::byte> packed;
  agree(members_, [&] { packed = packed_items(array, copies); });
  return ArrayFile(memory.declared(), members_).write(file, held, packed.size() > 0 ? packed.data() : memory.data());
}

std::string Program::State::how_ended() const {
  const Checkpoints& all = *checkpoints_;
  return fmt::format("program {} was ended by signal {}; {}", name(), progress_.signal,
                     all.newest.empty() ? "there is no checkpoint, so start it again"
                                        : fmt::format("--resume goes on from its checkpoint {} in {}", all.newest,
                                                      printable(all.folder)));
}

std::string Program::State::how_saved() const {
  const Checkpoints& all = *checkpoints_;
  return fmt::format("saved {} in {}, {:.3f} GB each, {:.3f} s in all{}", counted(all.saves, "time"),
                     printable(all.folder), static_cast<double>(all.bytes) * 1e-9, all.seconds,
                     all.resumed ? "; went on " + all.resumed_from : "");
}

// Removes the checkpoints of a program that has come to its end. Local.
void Program::State::forget_checkpoints() {
  if (checkpoints_ == nullptr || !ran_ || session_.rank() != 0 || std::uncaught_exceptions() > exceptions_) return;
  for (int g = 0; g < Checkpoints::generations; ++g) remove_generation(checkpoints_->generation(g));
  std::error_code ignored;
  fs::remove(checkpoints_->folder, ignored);  // unless something else lies in it
}

}  // namespace tombolo
