#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/topology/radix_groups.hpp>

using namespace tombolo;

namespace {

int rounds(int places, int radix) {
  int count = 0;
  for (std::int64_t reach = 1; reach < places; reach *= radix) ++count;
  return count;
}

}  // namespace

TEST_CASE("groups split into almost equal ones, down to single places, in as few levels as the radix allows") {
  for (const int radix : {2, 3, 4, 7, 100}) {
    for (int places = 1; places <= 70; ++places) {
      for (int place = 0; place < places; ++place) {
        INFO(place << " of " << places << ", radix " << radix);
        const auto levels = radix_groups(places, radix, place);
        CHECK(static_cast<int>(levels.size()) <= rounds(places, radix));
        Group around{0, places};
        for (const GroupLevel& level : levels) {
          CHECK(level.count() <= radix);
          int next = around.first;
          for (const Group& group : level.groups) {
            CHECK(group.first == next);
            CHECK((group.size == around.size / level.count() || group.size == around.size / level.count() + 1));
            next = group.end();
          }
          CHECK(next == around.end());
          around = level.own();
          CHECK((place >= around.first && place < around.end()));
          CHECK(level.further(level.count()) == around);
        }
        CHECK(around == Group{place, 1});
      }
    }
  }
}

TEST_CASE("every place has a partner in every other group, and is told whose partner it is") {
  for (int ours = 1; ours <= 9; ++ours) {
    for (int theirs = 1; theirs <= 9; ++theirs) {
      const Group own{3, ours};
      const Group other{3 + ours, theirs};
      std::multiset<int> served;
      for (int index = 0; index < ours; ++index) {
        const int serves = partner(other, index);
        CHECK((serves >= other.first && serves < other.end()));
        const auto places = partnered(own, index, other);
        served.insert(places.begin(), places.end());
        for (const int place : places) CHECK(partner(own, place - other.first) == own.first + index);
      }
      CHECK(served.size() == static_cast<std::size_t>(theirs));  // each of the others once
      CHECK(std::set<int>(served.begin(), served.end()).size() == served.size());
    }
  }
}
