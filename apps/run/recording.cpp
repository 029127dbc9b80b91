#include "run/recording.hpp"

#include <array>

#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

PanelFile::Records RecordingOptions::records() const {
  return resume ? PanelFile::Records::and_resumes : wanted() ? PanelFile::Records::panels : PanelFile::Records::nothing;
}

void add_recording(CLI::App& command, RecordingOptions& options, const std::string& every, const std::string& resume) {
  OptionGroup group(command, "Checkpoints");
  const auto set = [&options](const std::string& words) {
    CheckpointOptions interval;
    bool is_time = false;
    try {
      set_interval(interval, words);
      is_time = interval.every_passes == 0;  // panels are no passes
    } catch (const Error&) {                 // of which the remedy names passes
    }
    if (!is_time) {
      throw CLI::ValidationError(
          "--checkpoint-every",
          fmt::format("{} is no interval of time; state one such as 90s, 10m or 2h", tombolo::quoted(words)));
    }
    constexpr double seconds = 60;  // of a minute
    options.every_s = interval.every_minutes * seconds;
  };
  group.function<std::string>("--checkpoint-every", set, every, "TIME");
  group.flag("--resume", options.resume, resume);
}

void check_result(const std::string& path, Bytes bytes, const RecordingOptions& options) {
  if (!options.resume) make_way(path);
  if (options.wanted()) {
    check_panels_writable(path, bytes);
  } else {
    check_writable(path, bytes);
  }
}

std::string rows_and_columns(const Part& part) {
  const auto range = [](const char* what, std::int64_t first, std::int64_t count) {
    return fmt::format("{}s {} to {}", what, first, first + count - 1);
  };
  return range("row", part.first_row, part.rows) + " and " + range("column", part.first_column, part.columns);
}

Error did_not_get_its_name(const std::string& cause) {
  return Error(cause + ", so its file did not get its name",
               "--resume does what is wrong again; if it stays so, please report this with the machine's BLAS and MPI");
}

std::string words_of(const PanelFile::Wrong& wrong, const std::string& matrix) {
  return fmt::format("the file does not hold {} of {} as rank {} wrote them; --resume does {} again",
                     rows_and_columns(wrong.part.part), matrix, wrong.part.rank,
                     wrong.panels == 1 ? "their panel" : fmt::format("{} panels", wrong.panels));
}

void add_recorded(std::int64_t panels, std::int64_t finished_before, double seconds, Report& report) {
  report.remarks.push_back(
      fmt::format("panels: {}, {} of which earlier runs have finished; recorded and read again in {:.3f} s", panels,
                  finished_before, seconds));
  report.more["panels"] = {{"all", panels},
                           {"finished_before", finished_before},
                           {"done", panels - finished_before},
                           {"recording_s", seconds}};
}

BetweenPanels::BetweenPanels(Session& session, const RecordingOptions& options)
    : session_(session), options_(options), recorded_at_(MPI_Wtime()) {
  if (options.wanted()) signals_.emplace();
}

BetweenPanels::~BetweenPanels() {
  if (signals_) EndingSignals::keep_catching();
}

void BetweenPanels::begin(const std::string& result, std::int64_t finished, const std::string& panels) {
  is_due();
  end_if_told(result, finished, panels);
}

bool BetweenPanels::is_due() {
  if (!options_.wanted()) return false;
  const double now = MPI_Wtime();
  const bool by_time = session_.rank() == 0 && now - recorded_at_ >= options_.every_s;
  std::array<int, 2> words{EndingSignals::arrived(), by_time ? 1 : 0};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, words.data(), words.size(), MPI_INT, MPI_MAX, session_.communicator()),
            "MPI_Allreduce");
  signal_ = words[0];
  if (signal_ == 0 && words[1] == 0) return false;
  recorded_at_ = now;
  return true;
}

void BetweenPanels::end_if_told(const std::string& result, std::int64_t finished, const std::string& panels) const {
  if (signal_ == 0) return;
  if (finished == 0) {
    throw AgreedError(
        fmt::format("ended by signal {}; none of {} was finished, so the same command begins anew", signal_, panels));
  }
  throw AgreedError(fmt::format("ended by signal {}; --resume goes on from {}, where {} of {} {} finished", signal_,
                                printable(partial_of(result)), finished, panels, finished == 1 ? "is" : "are"));
}

}  // namespace tombolo
