// Times Tombolo's transposes in one rank's memory beside OpenBLAS's omatcopy and imatcopy.
//
//   build/release/bin/transpose_kernels [--rounds 15] [--largest 8192]
//
// A ratio is the time of OpenBLAS divided by ours, both taken in one round, in turns; printed is the median over rounds
// and the interval in which the true median lies with 95 % confidence (order statistics). Every result is checked.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <cblas.h>
#include <fmt/format.h>

#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/matrix.hpp>

namespace {

std::int64_t option(int argc, char** argv, std::string_view name, std::int64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == name) return std::max(std::atoll(argv[i + 1]), 1LL);
  }
  return otherwise;
}

struct Case {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t gap;  ///< elements between rows, of both matrices
};

void omatcopy(const Case& c, const float* in, float* out) {
  cblas_somatcopy(CblasRowMajor, CblasTrans, static_cast<blasint>(c.rows), static_cast<blasint>(c.columns), 1, in,
                  static_cast<blasint>(c.columns + c.gap), out, static_cast<blasint>(c.rows + c.gap));
}

void omatcopy(const Case& c, const double* in, double* out) {
  cblas_domatcopy(CblasRowMajor, CblasTrans, static_cast<blasint>(c.rows), static_cast<blasint>(c.columns), 1, in,
                  static_cast<blasint>(c.columns + c.gap), out, static_cast<blasint>(c.rows + c.gap));
}

void imatcopy(std::int64_t rows, std::int64_t columns, float* matrix) {
  cblas_simatcopy(CblasRowMajor, CblasTrans, static_cast<blasint>(rows), static_cast<blasint>(columns), 1, matrix,
                  static_cast<blasint>(columns), static_cast<blasint>(rows));
}

void imatcopy(std::int64_t rows, std::int64_t columns, double* matrix) {
  cblas_dimatcopy(CblasRowMajor, CblasTrans, static_cast<blasint>(rows), static_cast<blasint>(columns), 1, matrix,
                  static_cast<blasint>(columns), static_cast<blasint>(rows));
}

/// Seconds of one call, the mean of several.
template <class Work>
double seconds(std::int64_t calls, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t call = 0; call < calls; ++call) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(calls);
}

struct Median {
  double value;
  double low;
  double high;
};

/// The median and its 95 % interval: the k-th least and the k-th largest, with k from the binomial distribution.
Median median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<std::int64_t>(values.size());
  double outside = 0;
  double chance = std::pow(0.5, static_cast<double>(n));  // of so many values below the median
  std::int64_t k = 0;
  while (k < n / 2 && outside + chance <= 0.025) {
    outside += chance;
    chance *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
  }
  const std::int64_t least = std::max<std::int64_t>(k - 1, 0);
  const auto at = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  return {at(n / 2), at(least), at(n - 1 - least)};
}

/// Compares two ways of work, and prints a row.
template <class Ours, class Theirs>
void compare(const std::string& what, double bytes, std::int64_t rounds, const Ours& ours, const Theirs& theirs) {
  const double once = std::max(seconds(1, ours), seconds(1, theirs));
  const auto calls = std::max<std::int64_t>(static_cast<std::int64_t>(0.005 / once), 1);
  std::vector<double> ratios;
  std::vector<double> times;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const double first = round % 2 == 0 ? seconds(calls, ours) : seconds(calls, theirs);
    const double second = round % 2 == 0 ? seconds(calls, theirs) : seconds(calls, ours);
    times.push_back(round % 2 == 0 ? first : second);
    ratios.push_back(round % 2 == 0 ? second / first : first / second);
  }
  const Median ratio = median_of(ratios);
  fmt::print("{:<46} {:>7.2f} {:>8.2f} {:>6.2f} to {:.2f}\n", what, bytes * 1e-9 / median_of(times).value, ratio.value,
             ratio.low, ratio.high);
}

/// Returns true if both gave the same matrix.
template <class T>
bool compare_kernels(const Case& c, std::string_view type, std::int64_t rounds) {
  const auto& [rows, columns, gap] = c;
  const auto bytes = static_cast<double>(rows * columns) * sizeof(T);
  std::vector<T> in(static_cast<std::size_t>(rows * (columns + gap)));
  std::iota(in.begin(), in.end(), T{1});
  std::vector<T> ours(static_cast<std::size_t>(columns * (rows + gap)));
  std::vector<T> theirs(ours.size());
  const std::string shape = fmt::format("{} {} x {}{}", type, rows, columns, gap > 0 ? " in a larger one" : "");
  compare(
      shape, bytes, rounds,
      [&] { tombolo::transpose(rows, columns, in.data(), columns + gap, ours.data(), rows + gap); },
      [&] { omatcopy(c, in.data(), theirs.data()); });
  if (gap > 0 || ours != theirs) return ours == theirs;
  // OpenBLAS 0.3.21 takes a square buffer of the longer side, and ends the process where there is no room for it.
  const double longer = static_cast<double>(std::max(rows, columns));
  if (const double buffer = longer * longer * sizeof(T); buffer > 0x1p32) {
    fmt::print("{:<46} imatcopy takes {:.1f} GB\n", shape + ", in place", buffer * 1e-9);
    return true;
  }
  ours = in;
  theirs = in;
  const auto there_and_back = [&](auto&& once, T* matrix) {
    once(rows, columns, matrix);
    once(columns, rows, matrix);
  };
  compare(
      shape + ", in place", 2 * bytes, rounds,
      [&] { there_and_back([](auto... all) { tombolo::transpose_in_place(all...); }, ours.data()); },
      [&] { there_and_back([](auto... all) { imatcopy(all...); }, theirs.data()); });
  tombolo::transpose_in_place(rows, columns, ours.data());
  imatcopy(rows, columns, theirs.data());
  return ours == theirs;
}

/// Whether omatcopy leaves the bits of a matrix as they are: those of signalling NaNs, which integers may have too.
bool keeps_bits() {
  const Case c{8, 8, 0};
  const std::vector<float> in(64, std::bit_cast<float>(0x7f80'0001U));
  std::vector<float> out(64);
  omatcopy(c, in.data(), out.data());
  return std::memcmp(in.data(), out.data(), 64 * sizeof(float)) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t rounds = option(argc, argv, "--rounds", 15);
  const std::int64_t n = option(argc, argv, "--largest", 8192);
  tombolo::set_blas_threads(1);
  const std::vector<Case> cases{{n / 64, n / 64, 0},       {n / 8, n / 8, 0},  {n / 2, n / 2, 0},  {n, n, 0},
                                {n / 2 + 3, n / 2 + 5, 0}, {8 * n, n / 32, 0}, {n / 32, 8 * n, 0}, {n / 2, n / 2, 24},
                                {8 * n, n / 32, 7},        {n / 32, 8 * n, 7}};
  fmt::print("median of {} rounds\n\n{:<46} {:>7} {:>8} {:>14}\n", rounds, "", "GB/s", "ratio", "95 %");
  bool right = true;
  for (const Case& c : cases) {
    right = compare_kernels<double>(c, "double", rounds) && right;
    right = compare_kernels<float>(c, "float", rounds) && right;
  }
  fmt::print("\nomatcopy {} signalling NaNs as they are\n", keeps_bits() ? "leaves" : "does not leave");
  if (!right) fmt::print(stderr, "results differ\n");
  return right ? 0 : 1;
}
