#include "run/options.hpp"

#include <limits>

#include <tombolo/framework/shares.hpp>

#include "validators.hpp"

namespace tombolo {

void add_run_options(CLI::App& command, RunOptions& options) {
  add_choice<Shares>(command, "--shares", options.shares, {{"speed", Shares::speed}, {"equal", Shares::equal}},
                     "Rows per rank: in proportion to measured speed (default), or equal")
      ->type_name("speed|equal")
      ->group(how_it_runs);
  add_choice<Session::Kind>(command, "--collectives", options.collectives,
                            {{"tombolo", Session::Kind::tombolo}, {"native", Session::Kind::native}},
                            "Planned collectives (default), or the MPI library's own")
      ->type_name("tombolo|native")
      ->group(how_it_runs);
  command
      .add_option("--threads", options.threads,
                  "BLAS threads per rank; default: the cores of each host, shared out among its ranks")
      ->type_name("INT")
      ->transform(whole_number(1, std::numeric_limits<int>::max()))
      ->group(how_it_runs);
  command.add_option("--report", options.report, "Write everything that is shown, and more, as JSON")
      ->transform(file_name())
      ->type_name("FILE.json")
      ->group(how_it_runs);
  command
      .add_flag("--phantom", options.phantom,
                "In a simulation: hold no matrices and compute nothing, in the same simulated time; default: where "
                "they would not fit in memory")
      ->group(how_it_runs);
}

Blocks shares_of_rows(Shares shares, std::int64_t rows, std::span<const std::int64_t> speeds) {
  return Blocks(shares == Shares::speed ? proportional_shares(rows, speeds)
                                        : equal_shares(rows, static_cast<int>(speeds.size())));
}

}  // namespace tombolo
