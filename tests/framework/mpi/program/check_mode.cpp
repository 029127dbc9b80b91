// TOMBOLO_CHECK=1: what it finds, and that it finds nothing where there is nothing. Programs that it ends are hidden,
// for tests/apps/check_mode_test.py.
#include "framework/mpi/program/running.hpp"
#include "support/variable.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

constexpr std::int64_t n = 30;

struct Checked : Variable {
  Checked() : Variable("TOMBOLO_CHECK", "1") {}
};

/// Two arrays over rows, and one that every rank holds.
struct Arrays {
  explicit Arrays(Session& session) : program(session, "checked", options(session)) {}

  template <class... Parts>
  void compute(Parts... parts) {
    program.compute("work", rows, {.kernel = "any", .operations = 1}, parts...);
  }
  void run() {
    program.prepare();
    program.fill(a, 1.0);
    program.fill(b, 2.0);
    program.fill(all, 3.0);
    program.run();
  }

  Program program;
  Domain rows = program.domain("rows", n);
  Array<double, 2> a = program.array<double>("a", {n, 2}, Distributed::over(rows).with_halo(1));
  Array<double, 2> b = program.array<double>("b", {n, 2}, Distributed::over(rows).with_halo(1));
  Array<double, 1> all = program.array<double>("all", {n}, Distributed::everywhere());
};

}  // namespace

TEST_CASE("a word of TOMBOLO_CHECK that is none ends the run") {
  const Variable variable("TOMBOLO_CHECK", "no");
  Session session = make_session();
  Arrays arrays(session);
  CHECK_THROWS_WITH(arrays.run(), Catch::Matchers::Contains("TOMBOLO_CHECK is \"no\"; set it to 1, or unset it"));
}

TEST_CASE("programs that keep to what they declare run checked, with the same results") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  Program& program = arrays.program;
  const auto sum = program.partial<double>("sum", Reduce::sum);
  const auto found = program.partial<std::int64_t>("found", Reduce::max);
  program.repeat(
      "pass", 5,
      [&] {
        program.halo(arrays.a);
        arrays.compute(around(arrays.a), writes(arrays.b), whole(arrays.all), combines(sum), combines(found),
                       [](const Range& range, auto a, auto b, auto all, double& total, std::int64_t& last) {
                         for (std::int64_t i = range.first(); i < range.end(); ++i) {
                           b(i, 0) = (i > 0 ? a(i - 1, 1) : 0) + all(n - 1 - i) * 2;
                           b(i, 1) = (i + 1 < n ? a(i + 1, 0) : 0) + static_cast<double>(i);
                           total += b(i, 0);
                           last = std::max(last, i);
                         }
                       });
        program.allreduce(sum);
        program.allreduce(found);
        program.task("scale", {}, whole(sum), updates(arrays.all), [](Collectives&, double total, auto all) {
          for (double& each : all) each += total / 2;
        });
        program.swap(arrays.a, arrays.b);
      },
      until(sum, [](double total) { return total > 1e12; }));
  arrays.run();
  std::vector<double> a(2 * n, 1.0);
  std::vector<double> all(n, 3.0);
  for (int pass = 0; pass < 5; ++pass) {
    std::vector<double> b(2 * n);
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      b[2 * i] = (i > 0 ? a[2 * i - 1] : 0) + all[n - 1 - i] * 2;
      b[2 * i + 1] = (i + 1 < n ? a[2 * i + 2] : 0) + static_cast<double>(i);
      total += b[2 * i];
    }
    for (double& each : all) each += total / 2;
    a = b;
  }
  bool right = program.local(found) == n - 1;
  program.each_of_mine(arrays.rows, reads(arrays.a), [&](const Range& range, auto mine) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      right = right && std::abs(mine(i, 0) - a[static_cast<std::size_t>(2 * i)]) <
                           1e-9 * a[static_cast<std::size_t>(2 * i)] + 1e-9;
    }
  });
  CHECK(agreed(right));
}

TEST_CASE("products in panels run checked") {
  const Checked checked;
  Session session = make_session();
  for (const int panels : {1, 3}) {
    Program program(session, "product", options(session, Kind::tombolo, panels));
    const Domain rows = program.domain("rows", n);
    const auto a = program.array<double>("a", {n, 4}, Distributed::over(rows).and_at(0));
    const auto factor = program.array<double>("factor", {4}, Distributed::everywhere().and_at(0));
    const auto c = program.array<double>("c", {n}, Distributed::over(rows).and_at(0));
    program.scatterv(a);
    program.bcast(factor);
    program.compute("multiply", rows, {.kernel = "any", .operations = 8}, reads(a), whole(factor), writes(c),
                    [](const Range& range, auto of_a, auto f, auto of_c) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) {
                        of_c(i) = 0;
                        for (std::int64_t j = 0; j < 4; ++j) of_c(i) += of_a(i, j) * f(j);
                      }
                    });
    program.gatherv(c);
    program.prepare();
    program.fill(a, 2.0);
    program.fill(factor, 3.0);
    program.run();
    const std::span<const double> found = program.local(c);
    CHECK(agreed(session.rank() != 0 || std::count(found.begin(), found.end(), 24.0) == n));
  }
}

TEST_CASE("a body that reads beyond its range is found", "[.check_reads]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  arrays.compute(reads(arrays.a), writes(arrays.b), [](const Range& range, auto a, auto b) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) b(i, 0) = b(i, 1) = a(i > 0 ? i - 1 : 0, 0);
  });
  arrays.run();
}

TEST_CASE("a body that does not write all that it says is found", "[.check_writes]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  arrays.compute(writes(arrays.b), [](const Range& range, auto b) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) b(i, 0) = 5;
  });
  arrays.run();
}

TEST_CASE("a body that remembers is found", "[.check_state]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  int calls = 0;
  arrays.compute(writes(arrays.b), [&calls](const Range&, auto b) {
    ++calls;
    for (double& each : b) each = calls;
  });
  arrays.run();
}

TEST_CASE("a body that depends on its range is found", "[.check_range]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  arrays.compute(writes(arrays.b), [](const Range& range, auto b) {
    for (double& each : b) each = static_cast<double>(range.first());
  });
  arrays.run();
}

TEST_CASE("a partial value that depends on ranges is found", "[.check_partial]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  const auto calls = arrays.program.partial<std::int64_t>("calls", Reduce::sum);
  arrays.compute(combines(calls), [](const Range&, std::int64_t& sum) { ++sum; });
  arrays.program.allreduce(calls);
  arrays.run();
}

TEST_CASE("a body that touches an array behind its handle is found", "[.check_pointer]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  const double* behind = nullptr;
  arrays.compute(writes(arrays.b), [&behind](const Range&, auto b) {
    for (double& each : b) each = behind[0];
  });
  arrays.program.prepare();
  behind = arrays.program.local(arrays.a).data();
  arrays.run();
}

TEST_CASE("a body that writes to what it reads is found", "[.check_const]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  arrays.compute(reads(arrays.a), writes(arrays.b), [](const Range&, auto a, auto b) {
    const_cast<double&>(*a.data()) = 4;  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    for (double& each : b) each = 1;
  });
  arrays.run();
}

TEST_CASE("a task that leaves copies different is found", "[.check_copies]") {
  const Checked checked;
  Session session = make_session();
  Arrays arrays(session);
  arrays.program.task("mark", {}, updates(arrays.all),
                      [&](Collectives&, auto all) { all(0) = static_cast<double>(session.rank()); });
  arrays.run();
}
