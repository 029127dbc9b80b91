// Says of plans what `tombolo plan --algorithm` does, many in one run: for the test of the table in docs/algorithms.md.
#include <exception>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/units.hpp>

namespace {

using namespace tombolo;

// Lines `OPERATION ALGORITHM RANKS BYTES` from standard input; for each its steps, messages, bytes over links and
// predicted seconds.
void measure(const Hockney& links) {
  std::string operation;
  std::string algorithm;
  int ranks = 0;
  Bytes bytes = 0;
  while (std::cin >> operation >> algorithm >> ranks >> bytes) {
    const Request request = regular_request(find_operation(operation).value(), ranks, 0, bytes);
    const Plan plan(request, find_algorithm(request.operation, algorithm), {});
    const Proof proof = prove(plan);
    if (!proof.holds()) throw std::runtime_error(*proof.fault);
    fmt::print("{} {} {} {}\n", longest_chain(plan), proof.messages, proof.elements_moved * request.element_bytes,
               seconds(makespan(plan, links)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: measured_plans LATENCY_US RATE_MB < PLANS\n");
    return 2;
  }
  try {
    measure(Hockney({.latency = std::stoll(argv[1]) * 1'000'000, .rate = std::stoll(argv[2]) * 1'000'000}));
  } catch (const std::exception& error) {
    fmt::print(stderr, "measured_plans: {}\n", error.what());
    return 1;
  }
  return 0;
}
