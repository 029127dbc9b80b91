#include "between_runs.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo::fuzz {

namespace {

void demand(bool holds, int array, const std::string& what) {
  if (!holds) throw std::runtime_error(fmt::format("a{} {}", array, what));
}

}  // namespace

// Of the elements of local(), those of the whole array.
std::vector<std::int64_t> BetweenRuns::places(int number, bool all) {
  const AbstractArray& array = abstract_.array(number);
  std::vector<std::int64_t> places;
  const auto add = [&](std::int64_t row, std::int64_t column) { places.push_back(row * array.columns() + column); };
  if (array.placed != Placing::none) {
    const Distribution distribution = declared_.program().distribution(declared_.array(number));
    for (const Part& part : distribution.parts(session_.rank())) {
      const bool turned = distribution.by_columns();
      for (std::int64_t i = 0; i < (turned ? part.columns : part.rows); ++i) {
        for (std::int64_t j = 0; j < (turned ? part.rows : part.columns); ++j) {
          add(part.first_row + (turned ? j : i), part.first_column + (turned ? i : j));
        }
      }
    }
    return places;
  }
  if (all) {
    places.resize(static_cast<std::size_t>(array.size()));
    std::iota(places.begin(), places.end(), 0);
    return places;
  }
  if (array.domain < 0 || !declared_.program().takes_part()) return places;
  const Division& division = declared_.program().division(declared_.domain(array.domain));
  const Rank member = declared_.program().arrangement().member(session_.rank());
  for (int panel = 0; panel < division.panels(); ++panel) {
    const Slice slice = division.slice(panel, member);
    for (std::int64_t r = slice.first; r < slice.first + slice.count; ++r) {
      for (std::int64_t c = 0; c < array.columns(); ++c) add(r, c);
    }
  }
  return places;
}

template <class T>
void BetweenRuns::fill_local(const AbstractArray& array, int number, std::uint64_t seed, std::span<T> here) {
  const bool items = array.root < 0 && !array.everywhere;
  const std::vector<std::int64_t> at = places(number, !items);
  const bool anywhere = array.everywhere && array.root < 0 && array.domain < 0 && array.size() == 1;
  const bool nothing = anywhere          ? false
                       : array.root >= 0 ? declared_.root(array) != session_.rank()
                                         : !declared_.program().takes_part();
  demand(here.size() == (nothing ? 0 : at.size()), number, fmt::format("has {} elements to fill", here.size()));
  for (std::size_t i = 0; i < here.size(); ++i) {
    here[i] = element_of<T>(filling(seed, array, at[i] / array.columns(), at[i] % array.columns()));
  }
}

void BetweenRuns::fill(int number, std::uint64_t seed) {
  const AbstractArray& array = abstract_.array(number);
  Program& program = declared_.program();
  const bool by_items = array.domain >= 0 && array.root < 0 && !array.everywhere && seed % 2 == 0;
  if (by_items) {
    const std::vector<AbstractAccess> accesses{{AccessKind::writes, number}};
    const auto body = [&](const Range& range, std::span<const ViewedMemory> memory) {
      Views views(abstract_, accesses, memory, nullptr);
      for (std::int64_t r = range.first(); r < range.end(); ++r) {
        for (std::int64_t c = 0; c < array.columns(); ++c) views.put(0, r, c, filling(seed, array, r, c));
      }
    };
    program.each_of_mine(declared_.domain(array.domain),
                         BoundBody<const Range&>{{{AccessKind::writes, declared_.array(number)}}, body});
    return;
  }
  with_type_and_dimensions(array, [&](auto element, auto dimensions) {
    using T = decltype(element);
    const Array<T, dimensions> handle{declared_.array(number)};
    if constexpr (dimensions == 0) {
      program.fill(handle, element_of<T>(filling(seed, array, 0, 0)));
    } else {
      fill_local<T>(array, number, seed, program.refill(handle));
    }
  });
}

template <class T>
void BetweenRuns::compare_local(int number, const Copies& copies, const std::vector<std::uint64_t>& values,
                                std::span<T> here) {
  const AbstractArray& array = abstract_.array(number);
  const bool at_root = copies.root && declared_.root(array) == session_.rank();
  const bool all = at_root || (copies.everywhere && declared_.program().takes_part());
  const bool none = !all && (copies.root || copies.everywhere);
  const std::vector<std::int64_t> at = none ? std::vector<std::int64_t>() : places(number, all);
  const bool number_anywhere = array.everywhere && array.root < 0 && array.domain < 0 && array.size() == 1;
  if (number_anywhere) {
    demand(here.size() == 1 && number_of(here[0]) == values[0], number, "is another number");
    return;
  }
  demand(here.size() == at.size(), number, fmt::format("has {} elements here instead of {}", here.size(), at.size()));
  for (std::size_t i = 0; i < here.size(); ++i) {
    const std::uint64_t wanted = values[static_cast<std::size_t>(at[i])];
    demand(number_of(here[i]) == wanted, number,
           fmt::format("differs in element {}: {} instead of {}", at[i], number_of(here[i]), wanted));
  }
}

void BetweenRuns::visit(int number, AccessKind kind, const std::vector<std::uint64_t>& values) {
  const AbstractArray& array = abstract_.array(number);
  const std::int64_t halo = kind == AccessKind::around ? array.halo : 0;
  const std::vector<AbstractAccess> accesses{{kind, number}};
  const auto body = [&](const Range& range, std::span<const ViewedMemory> memory) {
    Views views(abstract_, accesses, memory, nullptr);
    if (range.count() == 0) return;
    const std::int64_t end = std::min(array.rows(), range.end() + halo);
    for (std::int64_t r = std::max<std::int64_t>(0, range.first() - halo); r < end; ++r) {
      for (std::int64_t c = 0; c < array.columns(); ++c) {
        const std::uint64_t wanted = values[static_cast<std::size_t>(r * array.columns() + c)];
        demand(views.get(0, r, c) == wanted, number,
               fmt::format("visited differs at {}, {}: {} instead of {}", r, c, views.get(0, r, c), wanted));
      }
    }
  };
  declared_.program().each_of_mine(declared_.domain(array.domain),
                                   BoundBody<const Range&>{{{kind, declared_.array(number)}}, body});
}

void BetweenRuns::compare(int number, const Copies& copies, const std::vector<std::uint64_t>& values) {
  const AbstractArray& array = abstract_.array(number);
  Program& program = declared_.program();
  const bool unreadable = copies.combined || copies == Copies{};
  const bool whole_here = array.everywhere || (array.root >= 0 && declared_.root(array) == session_.rank());
  const bool in_ranges = !copies.root && !copies.everywhere && array.domain >= 0 && whole_here &&
                         program.takes_part() && program.division(declared_.domain(array.domain)).panels() > 1;
  bool refused = false;
  with_type_and_dimensions(array, [&](auto element, auto dimensions) {
    using T = decltype(element);
    const Array<T, dimensions> handle{declared_.array(number)};
    std::span<T> here;
    try {
      if constexpr (dimensions == 0) {
        here = {&program.local(handle), 1};
      } else {
        here = program.local(handle);
      }
    } catch (const Error&) {
      refused = true;
    }
    if (!refused) compare_local<T>(number, copies, values, here);
  });
  demand(refused == (unreadable || in_ranges), number,
         refused ? "cannot be read" : "can be read though it has no value");
  if (array.domain >= 0 && copies.items) visit(number, AccessKind::reads, values);
  if (array.domain >= 0 && copies.items && copies.halo) visit(number, AccessKind::around, values);
}

void BetweenRuns::compare_counts() {
  for (std::size_t d = 0; d < abstract_.domains.size(); ++d) {
    const AbstractDomain& domain = abstract_.domains[d];
    std::int64_t items = 0;
    const auto body = [&](const Range& range, std::span<const ViewedMemory> /*memory*/) {
      std::int64_t points = 1;
      for (std::size_t e = 1; e < domain.extents.size(); ++e) points *= domain.extents[e];
      items += range.size() == range.count() * points ? range.count() : 1'000'000;
    };
    declared_.program().each_of_mine(declared_.domain(static_cast<int>(d)), BoundBody<const Range&>{{}, body});
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &items, 1, MPI_INT64_T, MPI_SUM, session_.communicator()), "MPI_Allreduce");
    if (items == domain.extents.front()) continue;
    throw AgreedError(fmt::format("d{} has {} items instead of {}", d, items, domain.extents.front()));
  }
}

void BetweenRuns::write(int number, const std::string& path) {
  with_type_and_dimensions(abstract_.array(number), [&](auto element, auto dimensions) {
    using T = decltype(element);
    if constexpr (Element<T>) declared_.program().write(Array<T, dimensions>{declared_.array(number)}, path);
  });
}

void BetweenRuns::read(int number, const std::string& path) {
  with_type_and_dimensions(abstract_.array(number), [&](auto element, auto dimensions) {
    using T = decltype(element);
    if constexpr (Element<T>) declared_.program().read(Array<T, dimensions>{declared_.array(number)}, path);
  });
}

}  // namespace tombolo::fuzz
