#pragma once

#include <string>
#include <vector>

namespace tombolo {

/// A text table; each column is as wide as its widest word.
///
///     Table table({"host", "rows"}, "<>");       host      rows
///     table.add({"node1.lan", "12"});            node1.lan   12
class Table {
 public:
  /// Each column is aligned to the left (<) or to the right (>).
  Table(std::vector<std::string> headings, std::string alignment);

  /// Adds a row, one word for each column.
  void add(std::vector<std::string> words);

  std::string text() const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tombolo
