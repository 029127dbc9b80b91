#include <catch2/catch.hpp>

#include <tombolo/framework/program/declare/tasks/halo_rows.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;

TEST_CASE("every row that is needed is given by its owner, and nothing else") {
  std::mt19937 random(1);
  for (const int ranks : {1, 2, 3, 5, 8, 17}) {
    for (const std::int64_t rows : {0, 1, 2, 5, 40}) {
      for (const std::int64_t halo : {1, 2, 7, 100}) {
        const Division division = test::random_division(rows, 1, ranks, random);
        std::vector<std::vector<HaloRows>> given;
        for (Rank rank = 0; rank < ranks; ++rank) given.push_back(halo_given(division, halo, rank));
        std::size_t parts_needed = 0;
        for (Rank rank = 0; rank < ranks; ++rank) {
          const Slice mine = division.slice(0, rank);
          std::vector<bool> there(static_cast<std::size_t>(rows), false);
          for (const HaloRows& part : halo_needed(division, halo, rank)) {
            ++parts_needed;
            const Slice owners = division.slice(0, part.with);
            REQUIRE(part.with != rank);
            REQUIRE(part.count > 0);
            REQUIRE(part.first >= owners.first);
            REQUIRE(part.first + part.count <= owners.first + owners.count);
            const HaloRows other{rank, part.first, part.count};
            const auto& gives = given[static_cast<std::size_t>(part.with)];
            REQUIRE(std::count(gives.begin(), gives.end(), other) == 1);
            for (std::int64_t i = 0; i < part.count; ++i) there[static_cast<std::size_t>(part.first + i)] = true;
          }
          for (std::int64_t row = 0; row < rows; ++row) {
            const bool own = row >= mine.first && row < mine.first + mine.count;
            const bool near = row >= mine.first - halo && row < mine.first + mine.count + halo;
            REQUIRE(there[static_cast<std::size_t>(row)] == (mine.count > 0 && near && !own));
          }
        }
        std::size_t parts_given = 0;
        for (const auto& parts : given) parts_given += parts.size();
        REQUIRE(parts_given == parts_needed);
      }
    }
  }
}

TEST_CASE("the exchange of a halo is what is given and needed, known to all or to each") {
  std::mt19937 random(2);
  for (const int ranks : {1, 2, 5, 13, 256, 257}) {
    const std::int64_t columns = 3;
    const Division division = test::random_division(std::int64_t{2} * ranks, 1, ranks, random);
    for (const Rank rank : {0, ranks / 2, ranks - 1}) {
      const AlltoallCounts exchange = halo_exchange(division, 3, columns, rank);
      CHECK(exchange.knows((rank + 1) % ranks) == (ranks <= 256));
      std::vector<std::int64_t> sends(static_cast<std::size_t>(ranks), 0);
      std::vector<std::int64_t> receives = sends;
      for (const HaloRows& part : halo_given(division, 3, rank)) {
        sends[static_cast<std::size_t>(part.with)] += part.count * columns;
      }
      for (const HaloRows& part : halo_needed(division, 3, rank)) {
        receives[static_cast<std::size_t>(part.with)] += part.count * columns;
      }
      CHECK(exchange.sends(rank) == Blocks(sends));
      CHECK(exchange.receives(rank) == Blocks(receives));
    }
  }
}
