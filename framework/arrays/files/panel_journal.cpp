#include <charconv>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/framework/arrays/files/panel_journal.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr const char* format_name = "tombolo_panels";
constexpr int format_version = 1;

std::string with_checksum(const Json& json) {
  const std::string text = json.dump();
  return text_hash(text) + ' ' + text + '\n';
}

Json to_json(const Part& part) {
  return {part.first_row, part.rows, part.first_column, part.columns};
}

Part part_from(const JsonNode& node, const MatrixShape& shape) {
  const std::vector<JsonNode> numbers = node.list();
  if (numbers.size() != 4) node.refuse("has not the four numbers of a part");
  const Part part{numbers[0].natural(), numbers[1].natural(), numbers[2].natural(), numbers[3].natural()};
  const auto within = [](std::int64_t first, std::int64_t count, std::int64_t all) {
    return first <= all && count <= all - first;
  };
  if (within(part.first_row, part.rows, shape.rows) && within(part.first_column, part.columns, shape.columns)) {
    return part;
  }
  node.refuse(fmt::format("is no part of a matrix of {} x {}", shape.rows, shape.columns));
}

std::uint64_t hash_from(const JsonNode& node) {
  const std::string digits = node.text();
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) node.refuse("is no hash");
  return hash;
}

PanelJournal head_from(const JsonNode& line) {
  if (line.integer(format_name, 0) != format_version) {
    line.refuse(fmt::format("is not of version {} of this format", format_version));
  }
  PanelJournal journal;
  for (const JsonNode& fact : line.member("of").list()) {
    journal.facts.push_back({fact.member("name").text(), fact.member("value").text()});
  }
  journal.division = {line.member("high").natural(), line.member("wide").natural()};
  return journal;
}

FinishedPanel panel_from(const JsonNode& line, const MatrixShape& shape) {
  FinishedPanel panel{part_from(line.member("panel"), shape), {}, line.member("judged").flag()};
  for (const JsonNode& written : line.member("written").list()) {
    panel.written.push_back({part_from(written.member("part"), shape), written.member("rank").small_integer(),
                             hash_from(written.member("hash"))});
  }
  return panel;
}

}  // namespace

std::string line_of(const FinishedPanel& panel) {
  Json written = Json::array();
  for (const WrittenPart& part : panel.written) {
    written.push_back({{"part", to_json(part.part)}, {"rank", part.rank}, {"hash", fmt::format("{:016x}", part.hash)}});
  }
  return with_checksum({{"panel", to_json(panel.panel)}, {"judged", panel.judged}, {"written", std::move(written)}});
}

std::string to_text(const PanelJournal& journal) {
  Json of = Json::array();
  for (const Fact& fact : journal.facts) of.push_back({{"name", fact.name}, {"value", fact.value}});
  std::string text = with_checksum({{format_name, format_version},
                                    {"of", std::move(of)},
                                    {"high", journal.division.rows},
                                    {"wide", journal.division.columns}});
  for (const FinishedPanel& panel : journal.panels) text += line_of(panel);
  return text;
}

PanelJournal panel_journal_from(std::string_view text, const MatrixShape& shape, const std::string& name,
                                const std::string& remedy) {
  PanelJournal journal;
  for (int number = 1; text.find('\n') != std::string_view::npos; ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || text_hash(line.substr(space + 1)) != line.substr(0, space)) {
      throw Error(fmt::format("{}: the checksum of line {} is not that of its content", name, number), remedy);
    }
    const JsonDocument document = parse_json(line.substr(space + 1), fmt::format("{} line {}", name, number), remedy);
    const JsonNode node(document);
    if (number == 1) {
      journal = head_from(node);
    } else {
      journal.panels.push_back(panel_from(node, shape));
    }
  }
  if (journal.facts.empty()) throw Error(fmt::format("{} has no complete first line", name), remedy);
  return journal;
}

}  // namespace tombolo
