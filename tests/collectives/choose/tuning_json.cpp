#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/units.hpp>

#include "collectives/tunings.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::flat;
using test::hosts;

namespace {

std::vector<Rank> some_roots(Operation operation, int ranks) {
  return is_rooted(operation) ? std::vector<Rank>{0, ranks - 1} : std::vector<Rank>{0};
}

}  // namespace

TEST_CASE("a tuning is read as it was written, and the same whatever the order in which it was made") {
  std::mt19937 random(1);
  for (const int ranks : {1, 2, 5, 64}) {
    std::vector<Decision> all;
    for (const Operation operation : all_operations()) {
      for (const Rank root : some_roots(operation, ranks)) {
        for (const Bytes bytes : {0, 64, 1 << 20}) {
          all.push_back(flat(operation, root, bytes));
          if (bytes == 64) all.back().measured = 0;
          if (bytes == 64) all.back().native = 7;
          if (bytes == 0) all.back().backend = Backend::native;
        }
      }
    }
    all[1].parameters = {.segment_bytes = 4096, .window = 3, .channels = Channels::per_rank, .radix = 3, .delay = 2};
    Tuning tuning(hosts(ranks));
    Tuning shuffled(hosts(ranks));
    for (const Decision& each : all) tuning.keep(each);
    std::shuffle(all.begin(), all.end(), random);
    for (const Decision& each : all) shuffled.keep(each);
    // With root 0 and the last one the same on one rank, one of both stays.
    CHECK(tuning.decisions().size() <= all.size());
    CHECK(tuning == shuffled);
    CHECK(tuning_from_json(to_json(tuning), "t") == tuning);
    CHECK(to_json(tuning_from_json(to_json(tuning), "t")) == to_json(tuning));
  }
}

TEST_CASE("a decision is a line, and a tree does not hurt") {
  Tuning tuning(hosts(3));
  tuning.keep({.operation = Operation::bcast,
               .root = 1,
               .bytes = 64,
               .backend = Backend::native,
               .algorithm = "chain",
               .parameters = {.segment_bytes = 32},
               .predicted = 5,
               .measured = 9,
               .native = 8});
  tuning.keep({.algorithm = "dissemination", .predicted = 3});
  const std::string text = to_json(tuning);
  CHECK_THAT(text, Catch::Contains(R"(
  {"operation": "barrier", "bytes": 0, "carrier": "plan", "algorithm": "dissemination", "predicted_ps": 3},
  {"operation": "bcast", "root": 1, "bytes": 64, "carrier": "native", "algorithm": "chain", "segment_bytes": 32, )"
                                   R"("predicted_ps": 5, "measured_ps": 9, "native_ps": 8}
)"));
  tuning.keep({.operation = Operation::bcast,
               .root = 1,
               .bytes = 128,
               .algorithm = "mapped",
               .parameters = {.trees = {"two", {{RankTree({1, 0, 2}, {-1, 0, 0}), 1}}}}});
  CHECK(tuning_from_json(to_json(tuning), "t") == tuning);
}

TEST_CASE("text that is no tuning is refused in one line that says where") {
  const std::string good =
      R"({"operation":"bcast","root":1,"bytes":64,"carrier":"plan","algorithm":"flat","predicted_ps":5})";
  const auto document = [](const std::string& decisions, const std::string& rest = R"("ranks":3,"hosts":"x")") {
    return R"({"format":"tombolo tuning","version":1,)" + rest + R"(,"decisions":)" + decisions + "}";
  };
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string changed = good;
    changed.replace(changed.find(old), old.size(), now);
    return document("[" + changed + "]");
  };
  CHECK_NOTHROW(tuning_from_json(document("[" + good + "]"), "t.json"));
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "t.json: it is empty"},
      {document("[" + good + "]").substr(0, 90), "t.json: it is cut short"},
      {"[]", "is a list, not an object"},
      {"{}", "t.json: it is no tuning file"},
      {R"({"format":"tombolo platform"})", "t.json: it is no tuning file"},
      {R"({"format":"tombolo tuning","version":2})", "version is 2; this tombolo reads version 1"},
      {R"({"format":"tombolo tuning","version":1})", "has no member \"ranks\""},
      {document("[]", R"("ranks":0,"hosts":"x")"), "ranks is 0, not within 1"},
      {document("[]", R"("ranks":3)"), "has no member \"hosts\""},
      {document("7"), "decisions is 7"},
      {document("[1]"), "decisions[0] is 1, not an object"},
      {document("[{}]"), "has no member \"operation\""},
      {with("\"bcast\"", "\"broadcast\""), "which is no operation"},
      {with("\"root\":1,", ""), "has no member \"root\""},
      {with(":1,", ":3,"), "decisions[0].root is 3, not within 0 to 2"},
      {with("64", "-1"), "bytes is -1"},
      {with("64", "1e300"), "too large a number"},
      {with("\"plan\"", "\"nobody\""), R"(is "nobody", neither "plan" nor "native")"},
      {with("\"flat\"", "\"teleport\""), "decisions[0] holds no plan: there is no algorithm 'teleport'"},
      {with("\"flat\"", R"("flat","window":-1)"), "window of -1"},
      {with("\"flat\"", R"("flat","order":[0,1,2])"), "decisions[0] holds no plan: "},
      {with("5", "-5"), "predicted_ps is -5"},
      {with("5", R"(5,"measured_ps":"fast")"), "measured_ps is \"fast\""},
      {with("5", R"(5,"winow":3)"), "has a member \"winow\""},
      {document("[" + good + "," + good + "]"), "decisions[1] is about the same"},
  };
  for (const auto& [text, says] : bad) {
    INFO(text);
    try {
      tuning_from_json(text, "t.json");
      FAIL_CHECK("was read");
    } catch (const Error& error) {
      CHECK_THAT(error.what(), Catch::Contains(says));
      CHECK_THAT(error.what(), Catch::Matchers::StartsWith("t.json"));
      CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
    }
  }
}

TEST_CASE("any change of a file is refused in one line, or read and written as it is") {
  Tuning tuning(hosts(4));
  tuning.keep({.operation = Operation::bcast,
               .root = 1,
               .bytes = 64,
               .algorithm = "mapped",
               .parameters = {.segment_bytes = 7, .trees = {"x", {{RankTree({1, 0, 2, 3}, {-1, 0, 1, 0}), 1}}}}});
  tuning.keep(
      {.operation = Operation::gatherv,
       .root = 2,
       .algorithm = "chain",
       .parameters = {.window = 2, .channels = Channels::per_rank, .order = {2, 1, 0, 3}, .rates = {1, 2, 3, 4}}});
  tuning.keep({.operation = Operation::alltoallv, .bytes = 8, .algorithm = "pairwise", .measured = 3, .native = 4});
  const std::string good = to_json(tuning);
  const std::vector<std::string> words = {"-1",   "0",  "9",   "1e18",    "4611686018427387904",
                                          "null", "[]", "{}",  R"("\n")", "\"",
                                          ",",    ":",  "1.5", "true",    "\\"};
  std::mt19937 random(5);
  int read = 0;
  for (int turn = 0; turn < (test::sanitized() ? 5000 : 20000); ++turn) {
    std::string text = good;
    for (int change = 0; change < 1 + turn % 3; ++change) {
      const std::size_t at = random() % text.size();
      const std::size_t length = random() % 4 == 0 ? random() % 30 : 1;
      text.replace(at, std::min(length, text.size() - at), random() % 3 == 0 ? "" : words[random() % words.size()]);
    }
    INFO(text);
    try {
      const Tuning changed = tuning_from_json(text, "t");
      ++read;
      if (tuning_from_json(to_json(changed), "t") != changed) FAIL_CHECK("not the same again");
    } catch (const Error& error) {
      if (std::string_view(error.what()).find('\n') != std::string_view::npos) FAIL_CHECK(error.what());
    }
  }
  CHECK(read > 100);
}
