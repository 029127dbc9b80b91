// Whether all ranks get the same bits of an allreduce, by carrying out its steps with numbers whose sum depends on the
// order of additions.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/plan/matching.hpp>
#include <tombolo/collectives/plan/plan.hpp>

#include "collectives/random_trees.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;

namespace {

const int most_ranks = test::sanitized() ? 11 : 33;

using Numbers = std::vector<double>;

/// The ranks of a plan, which add up their inputs.
class Ranks {
 public:
  Ranks(const Plan& plan, std::mt19937& random) {
    const Request& request = plan.request();
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      schedules_.push_back(plan.schedule(rank));
      Numbers input(static_cast<std::size_t>(request.count));
      for (double& number : input) {
        number =
            std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 40)) * (random() % 2 == 0 ? 1 : -1);
      }
      memory_.push_back(
          {input, Numbers(input.size()), Numbers(static_cast<std::size_t>(schedules_.back().scratch())), {}});
      done_.emplace_back(schedules_.back().steps().size(), false);
      sent_.emplace_back(done_.back().size());
    }
  }

  /// Carries out all steps, each once those before it are done.
  void run() {
    const Matching matching(schedules_);
    for (bool moved = true; std::exchange(moved, false);) {
      for (std::size_t rank = 0; rank < schedules_.size(); ++rank) {
        for (StepId id = 0; id < schedules_[rank].size(); ++id) moved |= carry_out(rank, id, matching);
      }
    }
    for (const std::vector<bool>& all : done_) REQUIRE(std::ranges::all_of(all, [](bool done) { return done; }));
  }

  const Numbers& output(std::size_t rank) const { return memory_[rank][static_cast<std::size_t>(Buffer::output)]; }
  bool differ() const {
    for (std::size_t rank = 1; rank < memory_.size(); ++rank) {
      if (output(rank) != output(0)) return true;
    }
    return false;
  }

 private:
  Numbers read(std::size_t rank, std::span<const BufferRange> ranges) const {
    Numbers numbers;
    for (const auto& [buffer, offset, count] : ranges) {
      const Numbers& all = memory_[rank][static_cast<std::size_t>(buffer)];
      numbers.insert(numbers.end(), all.begin() + offset, all.begin() + offset + count);
    }
    return numbers;
  }
  void write(std::size_t rank, std::span<const BufferRange> ranges, const Numbers& numbers) {
    auto from = numbers.begin();
    for (const auto& [buffer, offset, count] : ranges) {
      std::copy_n(from, count, memory_[rank][static_cast<std::size_t>(buffer)].begin() + offset);
      from += count;
    }
  }

  bool carry_out(std::size_t rank, StepId id, const Matching& matching) {
    const auto at = static_cast<std::size_t>(id);
    const Schedule& schedule = schedules_[rank];
    const Step& step = schedule.step(id);
    const auto is_done = [&](StepId before) { return done_[rank][static_cast<std::size_t>(before)]; };
    if (done_[rank][at] || !std::ranges::all_of(schedule.after(step), is_done)) return false;
    Numbers numbers = read(rank, schedule.from(step));
    if (step.kind == Step::Kind::send) {
      sent_[rank][at] = numbers;
    } else if (step.kind == Step::Kind::receive) {
      const StepOf from = matching.partner(static_cast<Rank>(rank), id);
      const auto sender = static_cast<std::size_t>(from.rank);
      if (!done_[sender][static_cast<std::size_t>(from.step)]) return false;
      write(rank, schedule.into(step), sent_[sender][static_cast<std::size_t>(from.step)]);
    } else {
      if (step.kind == Step::Kind::reduce) {
        std::ranges::transform(numbers, read(rank, schedule.into(step)), numbers.begin(), std::plus<>());
      }
      write(rank, schedule.into(step), numbers);
    }
    done_[rank][at] = true;
    return true;
  }

  std::vector<Schedule> schedules_;
  std::vector<std::array<Numbers, buffer_kinds>> memory_;  // by rank and buffer
  std::vector<std::vector<bool>> done_;                    // by rank and step
  std::vector<std::vector<Numbers>> sent_;
};

bool ranks_differ(const Request& request, const Algorithm& algorithm, const Parameters& parameters,
                  std::mt19937& random) {
  Ranks ranks(Plan(request, algorithm, parameters), random);
  ranks.run();
  return ranks.differ();
}

}  // namespace

TEST_CASE("all ranks get the same bits of an allreduce, unless its algorithm says that they may differ") {
  std::mt19937 random(11);
  for (const Algorithm* algorithm : all_algorithms()) {
    if (algorithm->operation != Operation::allreduce || algorithm->baseline) continue;
    DYNAMIC_SECTION(algorithm->name) {
      bool any = false;
      for (int ranks = 1; ranks <= most_ranks; ++ranks) {
        for (const std::int64_t count : {1, 40, 300}) {
          for (const int radix : {0, algorithm->least_radix, 3, 5}) {
            Parameters parameters{.segment_bytes = random() % 2 == 0 ? 0 : 64};
            if (algorithm->radix > 0) parameters.radix = radix;
            const int roots = 1 + static_cast<int>(random() % 7);
            if (algorithm->follows_groups()) {
              parameters.groups = test::random_groups(ranks, random);
            } else if (algorithm->is_mapped()) {
              const int trees = algorithm->follows_several_trees() ? 1 + static_cast<int>(random() % 4) : 1;
              parameters.trees = test::random_trees(trees, ranks, 0, algorithm->follows_leaders() ? roots : 1, random);
            }
            const Request request = Request::allreduce(ranks, count, 8);
            if (!algorithm->suits(request)) continue;
            const bool differ = ranks_differ(request, *algorithm, parameters, random);
            INFO(ranks << " ranks, " << count << " numbers, radix " << parameters.radix);
            if (!algorithm->ranks_differ) CHECK_FALSE(differ);
            any |= differ;
          }
        }
      }
      CHECK(any == algorithm->ranks_differ);
    }
  }
}
