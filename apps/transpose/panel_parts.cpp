#include "transpose/panel_parts.hpp"

#include <cstddef>

#include <tombolo/framework/shares.hpp>

namespace tombolo::transposition {

Part in_matrix(const Part& lines, bool fortran_order) {
  return fortran_order ? lines.transposed() : lines;
}

Part lines_of_file(const Problem& problem) {
  return in_matrix({0, problem.a.rows, 0, problem.a.columns}, problem.header.fortran_order);
}

PanelShares::PanelShares(const Session& session, const Part& panel, bool fortran_order)
    : lines(equal_shares(panel.rows, session.ranks())), width(equal_shares(panel.columns, session.ranks())) {
  const auto rank = static_cast<std::size_t>(session.rank());
  const std::int64_t line = panel.first_row + first_of(lines)[rank];
  const std::int64_t column = panel.first_column + first_of(width)[rank];
  read = in_matrix({line, lines[rank], panel.first_column, panel.columns}, fortran_order);
  written = in_matrix({column, width[rank], panel.first_row, panel.rows}, fortran_order);
}

}  // namespace tombolo::transposition
