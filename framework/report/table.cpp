
#include <algorithm>
#include <stdexcept>

#include <tombolo/framework/report/table.hpp>

namespace tombolo {

Table::Table(std::vector<std::string> headings, std::string alignment) : alignment_(std::move(alignment)) {
  add(std::move(headings));
}

void Table::add(std::vector<std::string> words) {
  if (words.size() != alignment_.size()) throw std::logic_error("a row with another number of columns");
  rows_.push_back(std::move(words));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string fill(widths[c] - row[c].size(), ' ');
      line += (c == 0 ? "" : "  ") + (alignment_[c] == '<' ? row[c] + fill : fill + row[c]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace tombolo
