#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// What the elements of a file depend on, in words: a name such as "A", and a value such as "a.npy, 800128 bytes".
struct Fact {
  std::string name;
  std::string value;
  bool operator==(const Fact&) const = default;
};

/// A part of a file that one rank has written.
struct WrittenPart {
  Part part;
  Rank rank = 0;
  std::uint64_t hash = 0;  ///< hash_part
  bool operator==(const WrittenPart&) const = default;
};

/// A panel of a file, complete on the disk.
struct FinishedPanel {
  Part panel;
  std::vector<WrittenPart> written;
  bool judged = true;  ///< its verification could decide
  bool operator==(const FinishedPanel&) const = default;
};

/// The record of a file that is written panel by panel: a text of lines, each with a checksum of its own. The first
/// line has facts and division, each further line a panel; so a line is appended for each panel.
struct PanelJournal {
  std::vector<Fact> facts;
  MatrixShape division = {};  ///< shape of the panels, for applications that keep to it
  std::vector<FinishedPanel> panels = {};
  bool operator==(const PanelJournal&) const = default;
};

std::string line_of(const FinishedPanel& panel);
std::string to_text(const PanelJournal& journal);

/// Reads the text of to_text(), whose last line is left out if it is cut short: its writer ended meanwhile. `name` and
/// `remedy` are for messages. Throws Error for a text that is damaged or no journal, and for panels outside a matrix of
/// this shape.
PanelJournal panel_journal_from(std::string_view text, const MatrixShape& shape, const std::string& name,
                                const std::string& remedy);

}  // namespace tombolo
