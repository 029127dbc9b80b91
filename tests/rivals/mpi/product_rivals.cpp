// Times C = A B of square matrices of doubles: ScaLAPACK's pdgemm, tombolo_pdgemm_ on the same block-cyclic matrices,
// and multiply() where each rank holds rows of A, B and C in proportion to its speed.
//
//   tests/support/mpirun 4 build/release/bin/product_rivals [--size 2500] [--block 64] [--repetitions 5] [--shares
//   4,3,2,1]
//
// All take turns, in one round in one order, in the next in the other. A time is that of the slowest rank, from a
// barrier on: of the first call, of the second, the median of the others. Every result is checked. Grids are as square
// as the number of ranks allows. Shares, one for each rank, are those of rows; all alike unless stated.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/mpi/arrays/pgemm.hpp>
#include <tombolo/move.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

#include "rivals/mpi/scalapack.hpp"

namespace {

struct Settings {
  int size = 2500;
  int block = 64;
  int repetitions = 5;
  std::vector<std::int64_t> shares;

  Settings(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
      const std::string_view name = argv[i];
      if (name == "--size") size = std::max(std::atoi(argv[i + 1]), 1);
      if (name == "--block") block = std::max(std::atoi(argv[i + 1]), 1);
      if (name == "--repetitions") repetitions = std::max(std::atoi(argv[i + 1]), 1);
      if (name == "--shares") {
        std::istringstream words(argv[i + 1]);
        for (std::string word; std::getline(words, word, ',');) shares.push_back(std::atoll(word.c_str()));
      }
    }
  }
};

// Sums of products of these small whole numbers are exact.
double a_at(std::int64_t row, std::int64_t column) {
  return static_cast<double>((row * 3 + column * 5) % 7 - 3);
}
double b_at(std::int64_t row, std::int64_t column) {
  return static_cast<double>((row * 2 + column * 11) % 5 - 2);
}

/// A product to be timed, and the check of its result on this rank.
struct Contestant {
  std::string name;
  std::function<void()> multiply;
  std::function<bool()> is_right;
  std::vector<double> seconds = {};
};

/// One element of the product, by the periods of the factors: the inner index repeats after 35.
double c_at(int size, std::int64_t row, std::int64_t column) {
  double sum = 0;
  for (int k = 0; k < size; ++k) sum += a_at(row, k) * b_at(k, column);
  return sum;
}

/// Block-cyclic matrices on a grid of BLACS.
class Cyclic {
 public:
  Cyclic(const Settings& settings, int ranks)
      : size_(settings.size), block_(settings.block), grid_(rows_of(ranks), ranks / rows_of(ranks), "Row") {
    const int from = 0;
    high_ = numroc_(&size_, &block_, &grid_.row, &from, &grid_.rows);
    wide_ = numroc_(&size_, &block_, &grid_.column, &from, &grid_.columns);
    const int all[] = {1, grid_.context, size_, size_, block_, block_, 0, 0, std::max(high_, 1)};
    std::copy(std::begin(all), std::end(all), descriptor_);
    a_ = filled(a_at);
    b_ = filled(b_at);
    c_.assign(a_.size(), 0);
  }

  template <class Function>
  void multiply(Function* function) {
    const double one = 1;
    const double zero = 0;
    const int first = 1;
    function("N", "N", &size_, &size_, &size_, &one, a_.data(), &first, &first, descriptor_, b_.data(), &first, &first,
             descriptor_, &zero, c_.data(), &first, &first, descriptor_);
  }
  bool is_right() {
    bool right = true;
    for (int i = 0; i < high_; i += std::max(high_ / 7, 1)) {
      for (int j = 0; j < wide_; j += std::max(wide_ / 7, 1)) {
        right =
            c_[place(i, j)] == c_at(size_, global(i, grid_.row, grid_.rows), global(j, grid_.column, grid_.columns)) &&
            right;
      }
    }
    std::fill(c_.begin(), c_.end(), -1);
    return right;
  }
  std::string grid() const { return fmt::format("{} x {}", grid_.rows, grid_.columns); }

 private:
  /// The rows of a grid as square as the number of ranks allows.
  static int rows_of(int ranks) {
    int rows = static_cast<int>(std::sqrt(ranks));
    while (ranks % rows != 0) --rows;
    return rows;
  }
  std::int64_t global(int local, int process, int processes) const {
    return (std::int64_t{local / block_} * processes + process) * block_ + local % block_;
  }
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(high_) + static_cast<std::size_t>(i);
  }
  template <class At>
  std::vector<double> filled(const At& at) const {
    std::vector<double> local(static_cast<std::size_t>(std::max(high_, 1)) *
                              static_cast<std::size_t>(std::max(wide_, 1)));
    for (int j = 0; j < wide_; ++j) {
      for (int i = 0; i < high_; ++i)
        local[place(i, j)] = at(global(i, grid_.row, grid_.rows), global(j, grid_.column, grid_.columns));
    }
    return local;
  }

  int size_;
  int block_;
  tombolo::test::BlacsGrid grid_;
  int high_ = 0;
  int wide_ = 0;
  int descriptor_[9] = {};
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

/// Matrices by rows, in shares.
class ByRows {
 public:
  ByRows(const Settings& settings, tombolo::Session& session)
      : session_(session),
        collectives_(session.make_collectives(tombolo::Session::Kind::tombolo)),
        size_(settings.size),
        each_(settings.shares.empty() ? tombolo::equal_shares(size_, session.ranks())
                                      : tombolo::proportional_shares(size_, settings.shares)),
        distribution_(tombolo::Distribution::rows(each_, size_)),
        first_(tombolo::first_of(each_)[static_cast<std::size_t>(session.rank())]),
        rows_(each_[static_cast<std::size_t>(session.rank())]) {
    for (std::int64_t i = first_; i < first_ + rows_; ++i) {
      for (std::int64_t j = 0; j < size_; ++j) {
        a_.push_back(a_at(i, j));
        b_.push_back(b_at(i, j));
      }
    }
    c_.resize(a_.size());
  }
  void multiply() {
    tombolo::multiply(session_, *collectives_, 1, {distribution_, a_.data()}, {distribution_, b_.data()}, 0,
                      distribution_, c_.data());
  }
  bool is_right() {
    bool right = true;
    for (std::int64_t i = 0; i < rows_; i += std::max<std::int64_t>(rows_ / 7, 1)) {
      for (int j = 0; j < size_; j += std::max(size_ / 7, 1))
        right = c_[static_cast<std::size_t>(i * size_ + j)] == c_at(size_, first_ + i, j) && right;
    }
    std::fill(c_.begin(), c_.end(), -1);
    return right;
  }

 private:
  tombolo::Session& session_;
  std::unique_ptr<tombolo::Collectives> collectives_;
  int size_;
  std::vector<std::int64_t> each_;
  tombolo::Distribution distribution_;
  std::int64_t first_;
  std::int64_t rows_;
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

/// Returns false, on all ranks, if the result is wrong on one.
bool take_turn(MPI_Comm communicator, Contestant& contestant) {
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  contestant.multiply();
  double taken = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, communicator);
  contestant.seconds.push_back(taken);
  int right = contestant.is_right() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, communicator);
  return right != 0;
}

double later(std::vector<double> seconds) {
  const auto from = std::min<std::ptrdiff_t>(2, std::ssize(seconds) - 1);
  std::sort(seconds.begin() + from, seconds.end());
  return seconds[static_cast<std::size_t>(from + (std::ssize(seconds) - from) / 2)];
}

void measure(const Settings& settings, tombolo::Session& session) {
  Cyclic cyclic(settings, session.ranks());
  ByRows by_rows(settings, session);
  std::vector<Contestant> all{
      {"pdgemm", [&] { cyclic.multiply(pdgemm_); }, [&] { return cyclic.is_right(); }},
      {"tombolo_pdgemm_", [&] { cyclic.multiply(tombolo_pdgemm_); }, [&] { return cyclic.is_right(); }},
      {"multiply(), rows", [&] { by_rows.multiply(); }, [&] { return by_rows.is_right(); }}};
  for (int round = 0; round < settings.repetitions + 2; ++round) {
    for (std::size_t turn = 0; turn < all.size(); ++turn) {
      Contestant& next = all[round % 2 == 0 ? turn : all.size() - 1 - turn];
      if (!take_turn(session.communicator(), next)) throw std::runtime_error(next.name + " is wrong");
    }
  }
  if (session.rank() != 0) return;
  fmt::print("{0} x {0} doubles, {1} ranks, grid of {2}, blocks of {3}; seconds\n\n", settings.size, session.ranks(),
             cyclic.grid(), settings.block);
  fmt::print("{:<18} {:>8} {:>8} {:>8}\n", "", "first", "second", "later");
  for (const Contestant& one : all)
    fmt::print("{:<18} {:>8.3f} {:>8.3f} {:>8.3f}\n", one.name, one.seconds[0], one.seconds[1], later(one.seconds));
}

}  // namespace

int main(int argc, char** argv) {
  return tombolo::run_main(argc, argv, "product_rivals", [&](tombolo::Session& session) {
    const Settings settings(argc, argv);
    session.use_threads();
    measure(settings, session);
  });
}
