// The record of finished panels: written, read, cut short, damaged.
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/files/panel_journal.hpp>

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

const MatrixShape shape{10, 6};
const PanelJournal journal{
    {{"A", "a.npy of 8 bytes, \"so\""}, {"result", "10 x 6"}},
    {5, 3},
    {{{0, 5, 0, 3}, {{{0, 5, 0, 2}, 1, 0xfedcba9876543210}, {{0, 5, 2, 1}, 0, 0}}, true}, {{5, 5, 3, 3}, {}, false}}};

PanelJournal read(const std::string& text) {
  return panel_journal_from(text, shape, "c.journal", "remove it");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("panel journal: what is written is read, line by line") {
  CHECK(read(to_text(journal)) == journal);
  CHECK(to_text(journal) ==
        to_text({journal.facts, journal.division}) + line_of(journal.panels[0]) + line_of(journal.panels[1]));
}

TEST_CASE("panel journal: a last line that is cut short is left out") {
  const std::string whole = to_text(journal);
  const std::size_t last = line_of(journal.panels[1]).size();
  for (std::size_t cut = 1; cut <= last; ++cut) {
    PanelJournal left = journal;
    left.panels.pop_back();
    CHECK(read(whole.substr(0, whole.size() - cut)) == left);
  }
}

TEST_CASE("panel journal: any changed byte is found") {
  const std::string whole = to_text(journal);
  for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    INFO(i);
    CHECK_THAT(refusal(changed), Contains("c.journal") && Contains("; remove it"));
  }
}

TEST_CASE("panel journal: what is no journal of this matrix is refused") {
  CHECK_THAT(refusal(""), Contains("c.journal has no complete first line; remove it"));
  CHECK_THAT(refusal("1 2 3\n"), Contains("the checksum of line 1"));
  CHECK_THAT(refusal(to_text({journal.facts, {}, {{{6, 5, 0, 1}, {}}}})),
             Contains("c.journal line 2: panel is no part of a matrix of 10 x 6; remove it"));
  CHECK_THAT(refusal(line_of(journal.panels[0])), Contains("c.journal line 1") && Contains("version 1"));
}
