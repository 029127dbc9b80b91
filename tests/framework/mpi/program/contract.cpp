// What the contract of tasks leaves no room for: when it is compiled, when it is declared, and when it is used too
// early or by another program.
#include <type_traits>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

// What a handle gives of memory: nothing.
template <class A>
concept GivesMemory = requires(A a) { a.data(); } || requires(A a) { a[0]; } || requires(A a) { *a; } ||
                      requires(A a) { a(0); } || requires(A a) { a(0, 0); } || requires(A a) { a.at(0); } ||
                      requires(A a) { a.begin(); } || requires(A a) { static_cast<double*>(a); } ||
                      requires(A a) { static_cast<double>(a); } || requires(A a) { a = 1.0; };
static_assert(!GivesMemory<Array<double, 1>> && !GivesMemory<Array<double, 2>> && !GivesMemory<Number<double>>);
static_assert(!GivesMemory<AnyArray> && !GivesMemory<Domain>);

// Whether a task with these accesses takes the body.
template <class Body, class... Accesses>
constexpr bool takes = std::is_invocable_v<Body&, const Range&, typename Accesses::Viewed...>;
using Reads = Access<AccessKind::reads, double, 1>;
using Writes = Access<AccessKind::writes, double, 1>;
using WholeNumber = Access<AccessKind::whole, double, 0>;
using Combined = Access<AccessKind::combines, double, 0>;
using ConstView = View<const double, 1>;
using MutableView = View<double, 1>;

static_assert(takes<void(const Range&, ConstView, MutableView), Reads, Writes>);
static_assert(takes<void(const Range&, ConstView, ConstView), Reads, Writes>);       // it need not write
static_assert(!takes<void(const Range&, MutableView, MutableView), Reads, Writes>);  // it must not
static_assert(!takes<void(const Range&, MutableView, ConstView), Reads, Writes>);    // in another order
static_assert(!takes<void(const Range&, ConstView), Reads, Writes>);
static_assert(!takes<void(const Range&, ConstView, MutableView), Reads>);
static_assert(!takes<void(ConstView, MutableView), Reads, Writes>);
static_assert(!takes<void(const Range&, View<const double, 2>), Reads>);
static_assert(!takes<void(const Range&, View<const float, 1>), Reads>);
static_assert(takes<void(const Range&, double), WholeNumber> && takes<void(const Range&, double&), Combined>);
static_assert(!takes<void(const Range&, double&), WholeNumber>);

// Bodies of one and of two views that do nothing.
constexpr auto one = [](const Range&, const auto&) {};
constexpr auto two = [](const Range&, const auto&, const auto&) {};

// Of which a declaration may be wrong: arrays over rows, a number, and a partial value.
struct Wrong {
  explicit Wrong(Program& of) : program(of) {}
  Array<double, 1> array(const char* name, const Distributed& distributed) {
    return program.array<double>(name, {10}, distributed);
  }
  void compute(auto... accesses_and_body) { program.compute("work", rows, any(), accesses_and_body...); }

  Program& program;
  Domain rows = program.domain("rows", 10);
  Domain others = program.domain("others", 10);
  Distributed over = Distributed::over(rows);
  Array<double, 1> a = array("a", over.with_halo(1));
  Array<double, 1> b = array("b", over.with_halo(1));
  Array<double, 1> all = array("all", over.and_everywhere());
  Array<double, 1> rooted = array("rooted", over.and_at(0));
  Array<double, 1> other = array("other", Distributed::over(others));
  Array<double, 1> fixed = array("fixed", Distributed::everywhere());
  Array<double, 1> parts = program.partial<double>("parts", {10}, Reduce::sum);
  Number<double> p = program.partial<double>("p", Reduce::sum);
};

std::string error_of(const std::function<void(Wrong&)>& declare) {
  Session session = make_session();
  return agreed_error([&] {
    Program program(session, "wrong", options(session));
    Wrong wrong(program);
    declare(wrong);
    program.plan();
  });
}

}  // namespace

TEST_CASE("values that are read where they are not up to date are refused before anything runs, with the remedy") {
  CHECK_THAT(
      error_of([](Wrong& w) {
        w.compute(writes(w.all), one);
        w.compute(whole(w.all), writes(w.a), two);
      }),
      Contains("'work' reads the whole of all, whose newest values are in the items of each rank; allgatherv all "
               "before"));
  // In the second pass.
  CHECK_THAT(error_of([](Wrong& w) {
               w.program.repeat("loop", 3, [&] {
                 w.compute(whole(w.all), writes(w.a), two);
                 w.compute(reads(w.a), writes(w.all), two);
               });
             }),
             Contains("; allgatherv all before"));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(reads(w.rooted), writes(w.a), two); }),
             Contains("'work' reads items of rooted, whose newest values are at its root; scatterv rooted before"));
  CHECK_THAT(error_of([](Wrong& w) {
               w.program.move(w.b, w.other, {.spends_source = true});
               w.compute(reads(w.b), writes(w.a), two);
             }),
             Contains("needs b to be held in one way"));
  CHECK_THAT(error_of([](Wrong& w) {
               const auto spent = w.array("spent", w.over);
               w.program.move(spent, w.other, {.spends_source = true});
               w.compute(reads(spent), writes(w.a), two);
             }),
             Contains("'work' reads items of spent, whose newest values are nowhere"));
}

TEST_CASE("a halo is exchanged after every write, and goes with its array in a swap") {
  const std::string stale =
      "'work' reads the halo of a, which nothing has exchanged since a was written; exchange the "
      "halo of a before";
  const auto use = [](Wrong& w, Array<double, 1> read, Array<double, 1> written) {
    w.compute(around(read), writes(written), two);
  };
  CHECK_THAT(error_of([&](Wrong& w) { use(w, w.a, w.b); }), Contains(stale));
  CHECK_THAT(error_of([&](Wrong& w) {
               w.program.halo(w.a);
               w.compute(updates(w.a), one);
               use(w, w.a, w.b);
             }),
             Contains(stale));
  CHECK_THAT(error_of([&](Wrong& w) {
               w.program.halo(w.a);
               w.program.swap(w.a, w.b);
               use(w, w.a, w.b);
             }),
             Contains(stale));
  CHECK(error_of([&](Wrong& w) {
          w.program.halo(w.a);
          w.program.swap(w.a, w.b);
          use(w, w.b, w.a);
        }).empty());
  CHECK_THAT(error_of([&](Wrong& w) { use(w, w.other, w.b); }), Contains("which is over another domain"));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(around(w.all), writes(w.a), two); }),
             Contains("with a halo, to be read"));
}

TEST_CASE("a partial value is combined, reduced once, and only then read") {
  const auto combine = [](Wrong& w) { w.compute(combines(w.p), [](const Range&, double&) {}); };
  const auto read = [](Wrong& w) { w.compute(whole(w.p), writes(w.a), two); };
  CHECK_THAT(error_of([&](Wrong& w) { combine(w), read(w); }),
             Contains("reads the whole of p, whose newest values are parts that ranks have combined; allreduce p "
                      "before"));
  CHECK_THAT(error_of([&](Wrong& w) {
               combine(w);
               w.program.allreduce(w.p);
               w.program.allreduce(w.p);
             }),
             Contains("'allreduce p' reduces p, which nothing has combined since it was reduced; let a task"));
  CHECK_THAT(error_of([&](Wrong& w) {
               w.program.repeat(
                   "loop", 2, [&] { combine(w); }, until(w.p, [](double) { return true; }));
             }),
             Contains("'the rule of loop' reads the whole of p"));
  CHECK_THAT(error_of([&](Wrong& w) { w.program.allreduce(w.fixed); }), Contains("needs fixed to be a partial value"));
  CHECK_THAT(error_of([&](Wrong& w) { w.compute(updates(w.parts), one); }),
             Contains("'work' accesses parts, a partial value, directly; combines() adds to it"));
  CHECK(error_of([&](Wrong& w) {
          combine(w), combine(w);
          w.program.allreduce(w.p);
          read(w);
        }).empty());
}

TEST_CASE("an array that is written is accessed once, and items are those of the domain") {
  const std::string ranks = "so its result would depend on which rank has which items; updates() reads and writes";
  CHECK_THAT(error_of([](Wrong& w) { w.compute(around(w.a), updates(w.a), two); }), Contains(ranks));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(reads(w.a), writes(w.a), two); }), Contains(ranks));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(whole(w.all), updates(w.all), two); }), Contains(ranks));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(writes(w.a), writes(w.a), two); }), Contains(ranks));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(combines(w.p), combines(w.p), [](const Range&, double&, double&) {}); }),
             Contains(ranks));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(reads(w.other), writes(w.a), two); }),
             Contains("'work' computes over rows and accesses items of other, which is over another domain"));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(updates(w.fixed), one); }), Contains("fixed, which is over no domain"));
  CHECK_THAT(error_of([](Wrong& w) { w.compute(whole(w.b), writes(w.a), two); }),
             Contains("needs b to be everywhere, to be read as a whole"));
  const std::string farm = "farm 'work' does not access items by one writes() alone";
  CHECK_THAT(error_of([](Wrong& w) { w.program.farm("work", w.rows, any(), updates(w.rooted), one); }), Contains(farm));
  CHECK_THAT(error_of([](Wrong& w) { w.program.farm("work", w.rows, any(), reads(w.a), writes(w.rooted), two); }),
             Contains(farm));
  CHECK_THAT(error_of([](Wrong& w) { w.program.farm("work", w.rows, any(), whole(w.fixed), one); }), Contains(farm));
  CHECK_THAT(error_of([](Wrong& w) { w.program.farm("work", w.rows, any(), writes(w.a), one); }),
             Contains("in items of the domain and at a root"));
}

TEST_CASE("what a task of one's own views is over a domain, or a whole") {
  CHECK_THAT(error_of([](Wrong& w) {
               const auto ranks = w.program.session().ranks();
               const auto placed =
                   w.program.array<double>("placed", {3, 3}, Distributed::as(Distribution::at(0, {3, 3}, ranks)));
               w.program.task("own", {}, reads(placed), [](Collectives&, auto) {});
             }),
             Contains("custom 'own' needs placed to be over a domain or a whole, to be viewed"));
  CHECK_THAT(error_of([](Wrong& w) { w.program.task("own", {}, around(w.all), [](Collectives&, auto) {}); }),
             Contains("needs all to be with a halo"));
  CHECK_THAT(error_of([](Wrong& w) { w.program.task("own", {.operations = 1}, [](Collectives&) {}); }),
             Contains("'own' computes by no kernel"));
}

TEST_CASE("work of unknown cost is refused") {
  const auto costing = [](const Cost& cost) {
    return error_of([&](Wrong& w) { w.program.compute("work", w.rows, cost, writes(w.a), one); });
  };
  CHECK_THAT(costing({}), Contains("'work' computes by no kernel, so its speed is not known; name the kernel"));
  CHECK_THAT(costing({.kernel = "any"}), Contains("'work' does not say how many operations it takes; say how many"));
  CHECK_THAT(costing({.operations = 1}), Contains("by no kernel"));
  CHECK_THAT(costing(any(-1)), Contains("'work' does not say how many operations"));
  CHECK_THAT(error_of([](Wrong& w) { w.program.farm("work", w.rows, {}, writes(w.rooted), one); }),
             Contains("no kernel"));
  CHECK(costing(any()).empty());
}
