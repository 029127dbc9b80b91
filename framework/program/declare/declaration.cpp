#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/platform/stable_hash.hpp>

namespace tombolo {

namespace {

void add(StableHash& hash, const std::vector<std::int64_t>& numbers) {
  hash.add_bytes(std::as_bytes(std::span(numbers)));
  hash.add_number(static_cast<std::int64_t>(numbers.size()));
}

void add(StableHash& hash, const std::vector<int>& numbers) {
  for (const int number : numbers) hash.add_number(number);
  hash.add_text("");
}

void add(StableHash& hash, double number) {
  hash.add_bytes(std::as_bytes(std::span(&number, 1)));
}

/// Adds the owners and offsets of all blocks to a hash.
void add(StableHash& hash, const Distribution& placed) {
  for (const int number : {placed.ranks(), placed.by_columns() ? 1 : 0, placed.blocks()}) hash.add_number(number);
  for (int number = 0; number < placed.blocks(); ++number) {
    const Part block = placed.block(number);
    hash.add_number(placed.owner(number, -1));
    for (const std::int64_t at : {block.first_row, block.rows, block.first_column, block.columns}) hash.add_number(at);
  }
  for (const int group : placed.groups()) hash.add_number(group);
}

StableHash of(const DeclaredDomain& d) {
  StableHash hash;
  hash.add_text(d.name);
  for (const std::int64_t number : {d.items, d.grain, d.inner[0], d.inner[1]}) hash.add_number(number);
  hash.add_number(d.adapts ? 1 : 0);
  add(hash, d.weights);
  add(hash, d.given);
  return hash;
}

StableHash of(const DeclaredArray& a) {
  StableHash hash;
  for (const std::string& text : {a.name, a.reduction, a.type}) hash.add_text(text);
  for (const std::int64_t number : {a.shape.rows, a.shape.columns, a.element, a.halo}) hash.add_number(number);
  for (const int number : {a.slices, a.root.value_or(-1), a.everywhere ? 1 : 0, a.placed ? 1 : 0, a.in_order ? 1 : 0}) {
    hash.add_number(number);
  }
  if (a.placed) add(hash, *a.placed);
  return hash;
}

StableHash of(const DeclaredTask& t) {
  StableHash hash;
  hash.add_text(t.name);
  hash.add_text(name(t.kind));
  hash.add_text(t.kernel);
  for (const int number :
       {t.array, t.to, t.transposed ? 1 : 0, t.partly ? 1 : 0, t.spends ? 1 : 0, t.commutative ? 1 : 0, t.slices}) {
    hash.add_number(number);
  }
  hash.add_number(t.size);
  hash.add_number(t.bytes);
  hash.add_number(t.parts);
  add(hash, t.operations);
  for (const auto* accesses : {&t.reads, &t.around, &t.wholes, &t.writes, &t.updates, &t.combines}) {
    add(hash, *accesses);
  }
  return hash;
}

StableHash of(const DeclaredLoop& l) {
  StableHash hash;
  hash.add_text(l.name);
  for (const int number : {l.first, l.end, l.stops ? 1 : 0}) hash.add_number(number);
  hash.add_number(l.most);
  add(hash, l.watches);
  return hash;
}

}  // namespace

std::string_view name(TaskKind kind) {
#define TOMBOLO_TASK(NAME) std::string_view(#NAME),
  constexpr std::array names{
#include <tombolo/framework/program/declare/tasks/tasks.def>
  };
#undef TOMBOLO_TASK
  return names.at(static_cast<std::size_t>(kind));
}

bool DeclaredTask::communicates() const {
  return rules(kind).activity() != Activity::computation;
}

bool goes_in_order(const Declaration& program, const DeclaredTask& task) {
  return std::any_of(task.combines.begin(), task.combines.end(),
                     [&](int array) { return program.arrays[static_cast<std::size_t>(array)].in_order; });
}

std::vector<Fingerprint> fingerprints(const Declaration& program) {
  StableHash whole;
  whole.add_text(program.name);
  for (const std::size_t parts :
       {program.slices.size(), program.arrays.size(), program.tasks.size(), program.loops.size()}) {
    whole.add_number(static_cast<std::int64_t>(parts));
  }
  std::vector<Fingerprint> all{{"program " + program.name, whole.value()}};
  for (const DeclaredDomain& d : program.slices) all.push_back({"domain " + d.name, of(d).value()});
  for (const DeclaredArray& a : program.arrays) all.push_back({"array " + a.name, of(a).value()});
  for (const DeclaredTask& t : program.tasks) all.push_back({"task " + t.name, of(t).value()});
  for (const DeclaredLoop& l : program.loops) all.push_back({"loop " + l.name, of(l).value()});
  return all;
}

std::vector<Section> sections_of(const Declaration& program) {
  std::vector<Section> sections;
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    const int loop = program.tasks[i].loop;
    if (sections.empty() || sections.back().loop != loop) sections.push_back({static_cast<int>(i), 0, loop});
    sections.back().end = static_cast<int>(i) + 1;
  }
  return sections;
}

}  // namespace tombolo
