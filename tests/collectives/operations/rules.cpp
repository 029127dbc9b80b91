#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/operations/rules.hpp>
#include <tombolo/collectives/plan/plan.hpp>

#include "collectives/requests.hpp"

using namespace tombolo;
using test::Spread;

namespace {

using Inside = std::vector<bool>;

Among among(const Inside& inside) {
  return [&inside](Rank rank) { return inside[static_cast<std::size_t>(rank)]; };
}

// What the results of the others hold of what these ranks bring: each element, combined as far as it can be, once.
std::int64_t needed_outside(const Request& request, const Inside& inside, bool from) {
  std::set<std::pair<std::int64_t, std::vector<Rank>>> parts;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    if (inside[static_cast<std::size_t>(rank)] == from) continue;
    for (const Content& content : contract(request, rank).after) {
      std::vector<Rank> theirs;
      for (const RankRange& range : content.first.ranks) {
        for (Rank r = range.first; r <= range.last; ++r) {
          if (inside[static_cast<std::size_t>(r)] == from) theirs.push_back(r);
        }
      }
      if (theirs.empty()) continue;
      for (std::int64_t i = 0; i < content.piece.count; ++i) parts.insert({content.first.index + i, theirs});
    }
  }
  return static_cast<std::int64_t>(parts.size());
}

Crossing sent(const Plan& plan, const Inside& inside) {
  Crossing found;
  for (Rank rank = 0; rank < plan.request().ranks; ++rank) {
    const Schedule schedule = plan.schedule(rank);
    for (const Step& step : schedule.steps()) {
      if (step.kind != Step::Kind::send) continue;
      const bool from = inside[static_cast<std::size_t>(rank)];
      if (from == inside[static_cast<std::size_t>(step.peer)]) continue;
      (from ? found.out : found.in) += step.count * plan.request().element_bytes;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("what crosses is what the others need, and every algorithm sends at least that") {
  std::mt19937 random(3);
  for (const Operation operation : all_operations()) {
    for (int round = 0; round < 40; ++round) {
      const int ranks = 1 + static_cast<int>(random() % 9);
      const Rank root = is_rooted(operation) ? static_cast<Rank>(random()) & 0x7fff : 0;
      const Request request = test::request(operation, ranks, root % ranks, Spread::uneven, random);
      Inside inside(static_cast<std::size_t>(ranks));
      for (std::size_t r = 0; r < inside.size(); ++r) inside[r] = random() % 2 == 0;
      const Crossing found = crossing(request, among(inside));
      const std::int64_t out = needed_outside(request, inside, true) * request.element_bytes;
      const std::int64_t in = needed_outside(request, inside, false) * request.element_bytes;
      INFO(name(operation) << " over " << ranks << " ranks");
      if (operation == Operation::scan || operation == Operation::exscan) {
        // Each rank needs another prefix; the bound looks at one of them.
        CHECK((found.out <= out && found.in <= in));
        CHECK(((found.out > 0) == (out > 0) && (found.in > 0) == (in > 0)));
      } else {
        CHECK(found == Crossing{.out = out, .in = in});
      }
      for (const Algorithm* algorithm : algorithms_for(request)) {
        const Crossing moved = sent(Plan(request, *algorithm), inside);
        INFO(algorithm->name);
        CHECK((moved.out >= found.out && moved.in >= found.in));
      }
    }
  }
}

TEST_CASE("a rank needs those whose contributions its result holds") {
  std::mt19937 random(4);
  for (const Operation operation : all_operations()) {
    if (operation == Operation::barrier) continue;  // without data
    for (const Spread spread : {Spread::equal, Spread::uneven, Spread::one}) {
      const int ranks = 7;
      const Request request = test::request(operation, ranks, 2, spread, random);
      for (Rank to = 0; to < ranks; ++to) {
        std::set<Rank> holds;
        for (const Content& content : contract(request, to).after) {
          for (const RankRange& range : content.first.ranks) {
            for (Rank r = range.first; content.piece.count > 0 && r <= range.last; ++r) holds.insert(r);
          }
        }
        for (Rank from = 0; from < ranks; ++from) {
          INFO(name(operation) << " from " << from << " to " << to);
          if (from != to) CHECK(rules(operation).needs(request, to, from) == holds.contains(from));
        }
      }
    }
  }
}
