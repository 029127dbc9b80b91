// Values that are asked for too early or in a body, what another program has made, and ranks that declare different
// programs: one clear line each.
#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/platform/system/posix_file.hpp>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

// All ways to get at the values of an array between runs.
std::vector<std::string> attempts(Program& program, Domain rows, const Array<double, 1>& a, const Number<double>& n) {
  return {words_of([&] { program.local(a); }),
          words_of([&] { program.local(n) = 1; }),
          words_of([&] { program.fill(a, 3.0); }),
          words_of([&] { program.fill(n, 3.0); }),
          words_of([&] { program.refill(a); }),
          words_of([&] { program.each_of_mine(rows, reads(a), [](const Range&, auto) {}); })};
}

bool all_contain(const std::vector<std::string>& words, const std::string& part) {
  return std::ranges::all_of(words, [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("before there is memory, and in a body, there are no values between runs") {
  Session session = make_session();
  Program program(session, "early", options(session));
  const Domain rows = program.domain("rows", 10);
  const auto a = program.array<double>("a", {10}, Distributed::over(rows));
  const auto n = program.number<double>("n");
  std::vector<std::string> in_body;
  program.compute("work", rows, any(), updates(a),
                  [&](const Range&, auto) { in_body = attempts(program, rows, a, n); });
  for (const auto& words :
       {words_of([&] { (void)program.division(rows); }), words_of([&] { (void)program.arrangement(); }),
        words_of([&] { (void)program.mine(rows); }), words_of([&] { (void)program.distribution(a); })}) {
    CHECK(words == "program early is not planned yet; plan() before");
  }
  CHECK(all_contain(attempts(program, rows, a, n), "before there is memory; prepare() first"));
  program.plan();
  CHECK(all_contain(attempts(program, rows, a, n), "before there is memory; prepare() first"));
  program.prepare();
  CHECK(all_contain({attempts(program, rows, a, n)[1]}, ""));
  program.run();
  const bool had_items = program.mine(rows).count() > 0;
  CHECK(agreed(in_body.empty() != had_items));
  CHECK(agreed(all_contain(in_body, "while it runs; declare an access to the array, and the body gets a view")));
  CHECK(agreed(words_of([&] { program.local(a); }).empty()));
}

TEST_CASE("a body that fills items calls nothing of its program") {
  Session session = make_session();
  Program program(session, "filling", options(session));
  const Domain rows = program.domain("rows", 2);  // not for every rank
  const auto a = program.array<double>("a", {2}, Distributed::over(rows));
  program.compute("work", rows, any(), updates(a), [](const Range&, auto) {});
  program.prepare();
  std::string words;
  program.each_of_mine(rows, updates(a), [&](const Range&, auto) { words = words_of([&] { program.run(); }); });
  const bool had_items = program.mine(rows).count() > 0;
  CHECK(agreed(had_items == (words.find("run() while it runs") != std::string::npos)));
  program.run();
}

TEST_CASE("negative numbers of panels and passes are refused") {
  Session session = make_session();
  CHECK(words_of([&] {
          ProgramOptions how = options(session);
          how.panels = -2;
          Program(session, "cut", how);
        }) == "program cut in -2 panels; give 1 or more, or 0 for a choice");
  Program program(session, "looped", options(session));
  CHECK(words_of([&] { program.repeat("pass", -3, [] {}); }) ==
        "program looped: loop pass of at most -3 passes; state 0 or more");
}

TEST_CASE("arrays and domains that none has made, or another program, are refused") {
  Session session = make_session();
  Program other(session, "other", options(session));
  const Domain others = other.domain("rows", 10);
  const auto foreign = other.array<double>("a", {10}, Distributed::over(others).and_everywhere());
  Program program(session, "mine", options(session));
  const Domain rows = program.domain("rows", 10);
  const auto a = program.array<double>("a", {10}, Distributed::over(rows).and_everywhere());
  const auto work = [](const Range&, auto) {};
  const auto refused = [&](const Domain& domain, const Array<double, 1>& array, const std::string& who) {
    const std::string of_array = "program mine: an array that " + who + " has made; take what array(), number() or";
    const std::string of_domain =
        "program mine: a domain that " + who + " has made; take what domain() of this program";
    CHECK_THAT(words_of([&] { program.allgatherv(array); }), Contains(of_array));
    CHECK_THAT(words_of([&] { program.swap(a, array); }), Contains(of_array));
    CHECK_THAT(words_of([&] { program.move(array, a); }), Contains(of_array));
    CHECK_THAT(words_of([&] { program.compute("work", rows, any(), updates(array), work); }), Contains(of_array));
    CHECK_THAT(words_of([&] {
                 program.repeat(
                     "loop", 1, [] {}, until(array, [](auto) { return true; }));
               }),
               Contains(of_array));
    CHECK_THAT(words_of([&] { program.local(array); }), Contains(of_array));
    CHECK_THAT(words_of([&] { program.compute("work", domain, any(), updates(a), work); }), Contains(of_domain));
    CHECK_THAT(words_of([&] { program.array<double>("b", {10}, Distributed::over(domain)); }), Contains(of_domain));
  };
  refused(Domain(), Array<double, 1>(), "none");
  refused(others, foreign, "another program");
  // Nothing of it is declared.
  CHECK(program.declaration().tasks.empty());
  program.prepare();
  for (const auto& array : {Array<double, 1>(), foreign}) {
    CHECK_THAT(agreed_error([&] { program.write(array, "none.npy"); }), Contains("an array that "));
    CHECK_THAT(words_of([&] { program.fill(array, 1.0); }), Contains("an array that "));
    CHECK_THAT(words_of([&] { program.each_of_mine(rows, reads(array), work); }), Contains("an array that "));
    CHECK_THAT(words_of([&] { (void)program.distribution(array); }), Contains("an array that "));
  }
  CHECK_THAT(words_of([&] { (void)program.division(others); }), Contains("a domain that another program has made"));
  CHECK_THAT(words_of([&] { (void)program.mine(Domain()); }), Contains("a domain that none has made"));
}

TEST_CASE("a program of another one's place is not that one") {
  Session session = make_session();
  std::optional<Program> program;
  program.emplace(session, "first", options(session));
  const Domain rows = program->domain("rows", 10);
  program.emplace(session, "second", options(session));
  program->domain("rows", 10);
  CHECK_THAT(words_of([&] { program->array<double>("a", {10}, Distributed::over(rows)); }),
             Contains("a domain that another program has made"));
}

TEST_CASE("what is declared once the program is planned is refused") {
  Session session = make_session();
  Program program(session, "late", options(session));
  const Domain rows = program.domain("rows", 10);
  const auto a = program.array<double>("a", {10}, Distributed::over(rows).with_halo(1));
  std::vector<std::string> in_body;
  const auto declare = [&] {
    return std::vector<std::string>{
        words_of([&] { program.domain("more", 3); }),
        words_of([&] { program.array<double>("b", {10}, Distributed::over(rows)); }),
        words_of([&] { program.number<double>("n"); }),
        words_of([&] { program.halo(a); }),
        words_of([&] { program.compute("more", rows, any(), updates(a), [](const Range&, auto) {}); }),
        words_of([&] { program.repeat("loop", 1, [] {}); })};
  };
  program.compute("work", rows, any(), updates(a), [&](const Range&, auto) { in_body = declare(); });
  program.plan();
  const std::string words =
      "program late is planned already; declare all of it before plan(), prepare(), read() and run()";
  CHECK(agreed(declare() == std::vector<std::string>(6, words)));
  program.run();
  CHECK(agreed(program.mine(rows).count() == 0 || in_body == declare()));
}

TEST_CASE("ranks that call different things of a program are told, and none waits") {
  Session session = make_session();
  const bool first = session.rank() == 0;
  const auto apart = [&](const std::function<void()>& one, const std::function<void()>& other) {
    return same_words(words_of(first ? one : other));
  };
  const auto expected = [&](const std::string& other, const std::string& one) {
    const std::string words =
        "rank 1 " + other + " where rank 0 " + one + "; make collective calls on all ranks, in the same order";
    return session.ranks() == 1 ? std::string() : words;
  };
  Program program(session, "heat", options(session));
  Program water(session, "water", options(session));
  const Domain rows = program.domain("rows", 10);
  const auto a = program.array<double>("a", {10}, Distributed::over(rows));
  const auto b = program.array<double>("b", {10}, Distributed::over(rows));
  CHECK(apart([&] { program.plan(); }, [&] { water.run(); }) == expected("plans program water", "plans program heat"));
  program.plan();
  water.prepare();
  CHECK(apart([&] { program.prepare(); }, [&] { water.run(); }) ==
        expected("runs program water", "prepares program heat"));
  program.prepare();
  const SharedFolder folder;
  const std::string name = tombolo::quoted(folder / "a.npy");
  CHECK(apart([&] { program.write(a, folder / "a.npy"); }, [&] { program.run(); }) ==
        expected("runs program heat", "writes a of program heat, file " + name));
  CHECK(apart([&] { program.write(a, folder / "a.npy"); }, [&] { program.write(b, folder / "a.npy"); }) ==
        expected("writes b of program heat, file " + name, "writes a of program heat, file " + name));
  CHECK(agreed(words_of([&] { program.run(); }).empty()));
}

namespace {

// What rank 1 changes in a program that others declare as it is.
struct Change {
  bool is = false;
  template <class T>
  T of(T as_it_is, T changed) const {
    return is ? changed : as_it_is;
  }
};

struct Declared {
  const char* differs;
  std::function<void(Program&, const Change&)> declare;
  std::function<void(ProgramOptions&)> options = {};
};

std::string difference(Session& session, const Declared& declared) {
  ProgramOptions how = options(session);
  const Change change{session.rank() == 1};
  if (change.is && declared.options) declared.options(how);
  return agreed_error([&] {
    Program program(session, "wrong", how);
    const Domain rows = program.domain("rows", 10);
    const auto a = program.array<double>("a", {10}, Distributed::over(rows).and_everywhere());
    program.compute("work", rows, any(), updates(a), [](const Range&, auto) {});
    if (declared.declare) declared.declare(program, change);
    program.plan();
  });
}

std::uint64_t either(std::uint64_t a, std::uint64_t b) {
  return a | b;
}

}  // namespace

TEST_CASE("the part in which ranks have declared different programs is named") {
  Session session = make_session();
  const auto nothing = [](const Range&, auto...) {};
  const std::vector<Declared> all{
      {"array p", [](Program& p, const Change& c) { p.partial<double>("p", c.of(Reduce::sum, Reduce::max)); }},
      {"array p",
       [](Program& p, const Change& c) {
         c.is ? p.partial<std::uint64_t, either>("p", 0) : p.partial<std::uint64_t>("p", Reduce::sum);
       }},
      {"array n", [](Program& p, const Change& c) { c.is ? (void)p.number<float>("n") : (void)p.number<double>("n"); }},
      {"array n",
       [](Program& p, const Change& c) { c.is ? (void)p.number<std::int64_t>("n") : (void)p.number<double>("n"); }},
      {"array n",
       [](Program& p, const Change& c) {
         c.is ? (void)p.number<std::int64_t>("n") : (void)p.number<std::uint64_t>("n");
       }},
      {"array b",
       [](Program& p, const Change& c) {
         p.array<double>("b", {3}, c.is ? Distributed::everywhere() : Distributed::everywhere().and_at(0));
       }},
      {"domain d", [](Program& p, const Change& c) { p.domain("d", 5, {.adapts = c.is}); }},
      {"domain d",
       [](Program& p, const Change& c) {
         p.domain("d", {5, c.of<std::int64_t>(2, 3)});
       }},
      {"domain d",
       [](Program& p, const Change& c) {
         p.domain("d", 2, {.weights = {1, c.of<std::int64_t>(2, 3)}});
       }},
      {"domain d", [](Program& p, const Change& c) { p.domain("d", 5, {.grain = c.of<std::int64_t>(1, 2)}); }},
      {"task more",
       [=](Program& p, const Change& c) {
         const Domain d = p.domain("d", 5);
         const auto b = p.array<double>("b", {5}, Distributed::over(d));
         p.compute("more", d, any(c.of(1.0, 2.0)), updates(b), nothing);
       }},
      {"task more",
       [=](Program& p, const Change& c) {
         const Domain d = p.domain("d", 5);
         const auto b = p.array<double>("b", {5}, Distributed::over(d));
         c.is ? p.compute("more", d, any(), updates(b), nothing) : p.compute("more", d, any(), reads(b), nothing);
       }},
      {"loop l", [](Program& p, const Change& c) { p.repeat("l", c.of<std::int64_t>(2, 3), [] {}); }},
      {"program wrong",
       [](Program& p, const Change& c) {
         if (c.is) p.domain("d", 5);
       }},
      {"how it is to run", {}, [](ProgramOptions& how) { how.overlap = false; }},
      {"how it is to run", {}, [](ProgramOptions& how) { how.adapt = false; }},
      {"how it is to run", {}, [](ProgramOptions& how) { how.panels = 3; }},
      {"how it is to run", {}, [](ProgramOptions& how) { how.shares = SharePolicy::equal; }},
      {"how it is to run", {}, [](ProgramOptions& how) { how.collectives = Kind::native; }},
      {"how it is to run", {}, [](ProgramOptions& how) { how.speeds["any"].front() += 1; }},
      {"how it is to run", {}, [](ProgramOptions& how) { how.trace = "trace.json"; }},
  };
  for (const Declared& declared : all) {
    const std::string words = difference(session, declared);
    INFO(declared.differs << ": " << words);
    if (session.ranks() == 1) {
      CHECK(words.empty());
    } else {
      CHECK(words == std::string("program wrong: rank 1 has declared another program than rank 0, beginning with ") +
                         declared.differs + "; declare the same on all ranks, from data that all have");
    }
  }
}
