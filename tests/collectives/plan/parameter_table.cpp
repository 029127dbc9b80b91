#include <set>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/parameter_table.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>

using namespace tombolo;

TEST_CASE("every row gets what it sets, and no other, and has names of its own") {
  std::set<std::string> names;
  for (const ParameterRow& row : parameter_rows()) {
    INFO(row.name);
    CHECK(&row_of(row.parameter) == &row);
    CHECK(names.insert(row.name).second);
    CHECK(names.insert("column " + std::string(row.column)).second);
    if (row.option != nullptr) CHECK(names.insert(row.option).second);
    CHECK((row.option != nullptr) == (row.plan_help != nullptr));
    CHECK((row.bench_help == nullptr || row.option != nullptr));
    Parameters parameters;
    CHECK(row.get(parameters) == 0);
    row.set(parameters, 1);
    CHECK_FALSE(parameters == Parameters());
    for (const ParameterRow& other : parameter_rows()) CHECK(other.get(parameters) == (&other == &row ? 1 : 0));
  }
}

TEST_CASE("every scalar parameter comes back from JSON, and negative ones are refused") {
  const Request request = Request::bcast(3, 0, 1000, 8);
  for (const ParameterRow& row : parameter_rows()) {
    INFO(row.name);
    Parameters parameters;
    row.set(parameters, row.is_flag() ? 1 : 7);
    const Plan plan(request, bcast_k_nomial, parameters);
    const std::vector<Plan> read = plans_from_json(request, "[" + to_json(plan) + "]", "here");
    CHECK(read.front().parameters() == parameters);
    if (row.is_flag()) continue;
    row.set(parameters, -1);
    CHECK_THROWS_WITH(Plan(request, bcast_k_nomial, parameters), Catch::Contains(std::string(row.name) + " of -1"));
  }
}

TEST_CASE("text names the parameters that are not 0, those of the pattern first; CSV has all") {
  CHECK(text_of_scalars({}).empty());
  CHECK(text_of_scalars({.segment_bytes = 8, .window = 2, .channels = Channels::per_rank, .radix = 4, .delay = 3}) ==
        ", radix 4, delay 3, segments of 8 B, window 2 per rank");
  CHECK(text_of_scalars({.window = 2}) == ", window 2");
  CHECK(text_of_scalars({.channels = Channels::per_rank}).empty());
  CHECK_THAT(parameter_columns(), Catch::StartsWith("segment,window,lanes,radix,delay"));
  CHECK_THAT(parameter_values({}), Catch::StartsWith("0,0,link,0,0"));
  CHECK_THAT(
      parameter_values({.segment_bytes = 8, .window = 2, .channels = Channels::per_rank, .radix = 4, .delay = 3}),
      Catch::StartsWith("8,2,rank,4,3"));
}

TEST_CASE("an algorithm heeds the parameters that it states, and the radix if it has one") {
  CHECK(bcast_postal.heeds(Parameter::segment_bytes));
  CHECK(bcast_postal.heeds(Parameter::delay));
  CHECK_FALSE(bcast_postal.heeds(Parameter::radix));
  CHECK(bcast_k_nomial.heeds(Parameter::radix));
  CHECK_FALSE(bcast_flat.heeds(Parameter::segment_bytes));
}
