#include "collectives/cells.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

#include "algorithm_options.hpp"
#include "option_group.hpp"

namespace tombolo::timing {

namespace {

std::vector<Operation> operations_of(const std::string& words) {
  if (words == "all") return all_operations();
  std::vector<Operation> operations;
  for (const std::string& word : split(words, ',')) {
    const auto operation = find_operation(word);
    if (!operation) {
      throw Error(fmt::format("there is no operation '{}'", printable(word)),
                  "choose from " + listed(operation_names()) + ", or all");
    }
    operations.push_back(*operation);
  }
  return operations;
}

std::vector<Rank> roots_of(const std::string& root, int ranks) {
  if (root == "rotate" || root == "turns") return {0};
  std::vector<Rank> roots;
  if (root == "all") {
    for (Rank rank = 0; rank < ranks; ++rank) roots.push_back(rank);
    return roots;
  }
  std::string digits = root;
  const bool good = whole_number(0, ranks - 1)(digits).empty();
  if (!good) {
    throw Error(fmt::format("--root {} of {} ranks", printable(root), ranks),
                fmt::format("give 0 to {}, all, rotate or turns", ranks - 1));
  }
  return {std::stoi(digits)};
}

}  // namespace

std::vector<Cell> cells_of(const std::string& operations, const std::string& bytes, const std::string& root,
                           int ranks) {
  std::vector<Cell> cells;
  const std::vector<Rank> roots = roots_of(root, ranks);
  for (const Operation operation : operations_of(operations)) {
    const auto sizes_of = sizes(operation) == Sizes::none ? std::vector<Bytes>{0} : sizes_in(bytes);
    for (const Bytes size : sizes_of) {
      for (const Rank each : is_rooted(operation) ? roots : std::vector<Rank>{0})
        cells.push_back({operation, size, each});
    }
  }
  return cells;
}

Request request_of(const Cell& cell, int ranks, Counts counts) {
  const Bytes element = combines(cell.operation) ? sizeof(double) : 1;
  return with_counts(regular_request(cell.operation, ranks, cell.root, cell.bytes, element), counts);
}

void require_room(Session& session, const std::vector<Cell>& cells, Counts counts, int copies) {
  if (machine::simulated()) return;
  double most = 0;
  for (const Cell& cell : cells) {
    const Request request = request_of(cell, session.ranks(), counts);
    const Contract promised = contract(request, session.rank());
    const double elements = static_cast<double>(promised.input_size) + static_cast<double>(promised.output_size);
    most = std::max(most, elements * static_cast<double>(request.element_bytes));
  }
  // Buffers are equally large on all ranks.
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, session.communicator()), "MPI_Allreduce");
  require_memory(session, most * copies);
}

}  // namespace tombolo::timing
