#include <cstring>

#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>
#include <tombolo/framework/program/declare/tasks/halo_rows.hpp>

namespace tombolo {

namespace {

/// Rows of an array that this rank sends or receives, and a buffer for the rows in member order.
class HaloBuffer {
 public:
  using Rows = std::vector<HaloRows>(const Division& rows, std::int64_t halo, Rank member);

  HaloBuffer(const RunContext& run, int array, Rows& rows)
      : array_(run.body.array(array)),
        mine_(run.arrangement.division(array_.declared().slices).slice(0, run.member)),
        rows_(rows(run.arrangement.division(array_.declared().slices), array_.declared().halo, run.member)) {
    std::int64_t count = 0;
    for (const HaloRows& part : rows_) count += part.count;
    storage_ = run.session.storage<std::byte>(count * array_.row_bytes());
  }

  std::byte* data() const { return storage_.data(); }
  void pack() const {
    for_each([](std::byte* row, std::byte* packed, std::size_t bytes) { std::memcpy(packed, row, bytes); });
  }
  void unpack() const {
    for_each([](std::byte* row, const std::byte* packed, std::size_t bytes) { std::memcpy(row, packed, bytes); });
  }

 private:
  template <class Copy>
  void for_each(Copy copy) const {
    if (array_.phantom()) return;
    std::byte* packed = data();
    for (const HaloRows& part : rows_) {
      const std::int64_t bytes = part.count * array_.row_bytes();
      copy(array_.at(mine_) + (part.first - mine_.first) * array_.row_bytes(), packed, static_cast<std::size_t>(bytes));
      packed += bytes;
    }
  }

  const ArrayMemory& array_;
  Slice mine_;
  std::vector<HaloRows> rows_;
  Storage<std::byte> storage_;
};

class HaloRunner : public CollectiveRunner {
 public:
  HaloRunner(const RunContext& run, const Action& action)
      : CollectiveRunner(run, action), sent_(run, task_.array, halo_given), received_(run, task_.array, halo_needed) {}

 private:
  Buffers buffers() override {
    sent_.pack();
    return {sent_.data(), received_.data()};
  }
  void finish() override { received_.unpack(); }

  HaloBuffer sent_;
  HaloBuffer received_;
};

}  // namespace

std::unique_ptr<TaskRunner> halo_runner(const RunContext& run, const Action& action) {
  return std::make_unique<HaloRunner>(run, action);
}

void exchange_halo(const RunContext& run, int array) {
  const ArrayMemory& memory = run.body.array(array);
  const DeclaredArray& declared = memory.declared();
  const HaloBuffer sent(run, array, halo_given);
  const HaloBuffer received(run, array, halo_needed);
  sent.pack();
  run.collectives.run(halo_request(declared, run.arrangement.division(declared.slices), run.member), sent.data(),
                      received.data(), memory.type());
  received.unpack();
}

}  // namespace tombolo
