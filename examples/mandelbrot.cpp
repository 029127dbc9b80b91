// The Mandelbrot set, from -2 - 1.25i to 1 + 1.25i: how many iterations each point takes. Nobody knows before how long
// a row takes, so rows are farmed out: whoever is ready gets the next ones.

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tombolo/command_line.hpp>
#include <tombolo/tombolo.hpp>

namespace {

struct Picture {
  std::int64_t width = 1200;
  std::int64_t height = 1000;
  std::int64_t most = 1000;
};

/// Iterations of the points of a row, and their sum.
double count(const Picture& picture, std::int64_t row, double* counts) {
  const double b = -1.25 + 2.5 * (static_cast<double>(row) + 0.5) / static_cast<double>(picture.height);
  for (std::int64_t j = 0; j < picture.width; ++j) {
    const double a = -2 + 3 * (static_cast<double>(j) + 0.5) / static_cast<double>(picture.width);
    double x = 0;
    double y = 0;
    std::int64_t n = 0;
    for (; n < picture.most && x * x + y * y <= 4; ++n) {
      const double following = x * x - y * y + a;
      y = 2 * x * y + b;
      x = following;
    }
    counts[j] = static_cast<double>(n);
  }
  return std::accumulate(counts, counts + picture.width, 0.0);
}

/// Grey: the set is black.
void write_pgm(const std::filesystem::path& path, const Picture& picture, const double* counts) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << picture.width << ' ' << picture.height << "\n255\n";
  for (std::int64_t i = 0; i < picture.width * picture.height; ++i) {
    file.put(static_cast<char>(255 - 255 * static_cast<std::int64_t>(counts[i]) / picture.most));
  }
  if (!file.flush()) throw std::runtime_error(path.string() + " cannot be written; look at its folder and its disk");
}

void mandelbrot(tombolo::Session& session, const Picture& picture, const std::filesystem::path& out, bool explain) {
  using namespace tombolo;
  register_kernel(kernel_of("mandelbrot", "iterations", {100}, [](std::int64_t n) {
    std::vector<double> counts(static_cast<std::size_t>(n));
    return count({.width = n, .height = 2, .most = 1000}, 1, counts.data());
  }));

  Program program(session, "mandelbrot");
  const Domain rows = program.domain("rows", picture.height);
  const auto counts =
      program.array<double>("counts", {picture.height, picture.width}, Distributed::over(rows).and_at(0));
  const auto points = static_cast<double>(picture.width * picture.most);
  program.farm("count", rows, {.kernel = "mandelbrot", .operations = points / 4}, writes(counts),
               [=](const Range& range, auto of_points) {
                 for (std::int64_t i = range.first(); i < range.end(); ++i) count(picture, i, of_points.row(i).data());
               });

  const RunReport report = program.run();
  program.write(counts, out);
  if (session.rank() != 0) return;
  const std::span<const double> found = program.local(counts);
  write_pgm(std::filesystem::path(out).replace_extension(".pgm"), picture, found.data());
  if (explain) fmt::print("{}\n", to_text(report));
  fmt::print("iterations {:.0f} seconds {:.6f}\n", std::accumulate(found.begin(), found.end(), 0.0), report.seconds);
}

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): only options that clash would throw here
  Picture picture;
  std::string out;
  bool explain = false;
  CLI::App app("The Mandelbrot set as a picture, OUT.npy and OUT.pgm", "mandelbrot");
  app.add_option("OUT.npy", out, "Iterations of each point, float64")->required();
  const CLI::Range from_one(std::int64_t{1}, std::numeric_limits<std::int64_t>::max());
  app.add_option("--width", picture.width, "In points")->check(from_one)->capture_default_str();
  app.add_option("--height", picture.height, "In points")->check(from_one)->capture_default_str();
  app.add_option("--most", picture.most, "Iterations of a point")->check(from_one)->capture_default_str();
  app.add_flag("--explain", explain, "Say what was predicted, and what it took");
  return tombolo::run_main(argc, argv, app,
                           [&](tombolo::Session& session) { mandelbrot(session, picture, out, explain); });
}
