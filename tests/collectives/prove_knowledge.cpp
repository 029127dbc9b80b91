// A rank plans with what it knows; a plan in which it knows more is caught.

#include <algorithm>

#include <catch2/catch.hpp>

#include <tombolo/collectives/prove/prove.hpp>

using namespace tombolo;

namespace {

void peek(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  if (rank == request.root) {
    bcast_flat.write(request, {}, rank, writer);
    return;
  }
  writer.receive(request.root, {{Buffer::output, 0, request.blocks.count(0) + request.blocks.count(rank)}});
}

}  // namespace

TEST_CASE("a rank that uses a count it cannot know is caught") {
  const Algorithm peeking{.name = "peek", .operation = Operation::scatterv, .summary = "", .write = peek};
  const Request request = Request::scatterv(0, Blocks({1, 2, 3}), 8).knowing(Knowledge::as_in_mpi);
  const Proof proof = prove(Plan(request, peeking));
  CHECK_THAT(*proof.fault, Catch::Contains("on rank 1, the count of block 0"));

  Algorithm forgetful = scatterv_binomial;
  forgetful.learn = nullptr;
  const Request wide = Request::scatterv(0, Blocks({1, 2, 3, 4}), 8).knowing(Knowledge::as_in_mpi);
  CHECK(prove(Plan(wide, scatterv_binomial)).holds());
  CHECK_THAT(*prove(Plan(wide, forgetful)).fault, Catch::Contains("not known"));
}

namespace {

// Of rank 1's own working in place only rank 1 can know; here all ranks act on it.
void tell_all(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  if (request.in_place && rank != request.root) writer.signal(request.root, {});
  if (request.in_place && rank == request.root) writer.await(1 - rank, {});
  reduce_binomial.write(request, parameters, rank, writer);
}

void learn_wrong(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  if (rank == request.root) writer.send(2, {{Buffer::counts, 0, 1}});
  if (rank == 2) writer.receive(request.root, {{Buffer::counts, 1, 1}});
}

void learn_by_peeking(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  if (request.blocks.count(2) > 0 && rank > 100) writer.signal(0, {});
}

void peek_at_matrix(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  if (request.exchange.sends((rank + 1) % request.ranks).total() < 0) return;
  alltoallv_direct.write(request, parameters, rank, writer);
}

void learn_nothing(const Request&, const Parameters&, Rank, ScheduleWriter&) {}

}  // namespace

TEST_CASE("a plan in which ranks know too much is caught") {
  const Algorithm telling{.name = "t", .operation = Operation::reduce, .summary = "", .write = tell_all};
  CHECK_FALSE(prove(Plan(Request::reduce(2, 1, 4, 8).with_in_place(true), telling)).holds());

  Algorithm wrong = scatterv_flat;
  wrong.learn = learn_wrong;
  const Request scatter = Request::scatterv(0, Blocks({1, 2, 3}), 8).knowing(Knowledge::as_in_mpi);
  CHECK_THAT(*prove(Plan(scatter, wrong)).fault, Catch::Contains("rank 2 learns a wrong count of rank 1"));
  wrong.learn = learn_by_peeking;
  CHECK_THAT(*prove(Plan(scatter, wrong)).fault, Catch::Contains("not known"));

  const Algorithm matrix{
      .name = "m", .operation = Operation::alltoallv, .summary = "", .write = peek_at_matrix, .learn = learn_nothing};
  const Request exchange = Request::alltoallv(3, AlltoallCounts::matrix({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}), 8);
  CHECK_THAT(*prove(Plan(exchange.knowing(Knowledge::as_in_mpi), matrix)).fault, Catch::Contains("not known"));

  // Those that forward what others exchange are refused from the outset, and are no candidates.
  const Request own = exchange.knowing(Knowledge::as_in_mpi);
  for (const Algorithm* algorithm : {&alltoallv_bruck, &alltoallv_clusters}) {
    CHECK(prove(Plan(exchange, *algorithm)).holds());
    CHECK_THROWS_WITH(Plan(own, *algorithm), Catch::Contains("own counts only"));
    const auto eligible = algorithms_for(own);
    CHECK(std::find(eligible.begin(), eligible.end(), algorithm) == eligible.end());
  }
}
