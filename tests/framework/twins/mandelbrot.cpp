// The Mandelbrot set: the twin of examples/mandelbrot.cpp.
//
//   mandelbrot OUT.npy [--width W] [--height H] [--most M] [--chunk ROWS]
//
// Counts iterations, M at most, for points of the rectangle from -2 - 1.25i to 1 + 1.25i, into OUT.npy and, as grey,
// OUT.pgm. Rank 0 hands out chunks of rows to whoever is free, and computes rows while nobody asks.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "npy.hpp"
#include "twin.hpp"

namespace {

struct Picture {
  std::int64_t width = 0, height = 0;
  int most = 0;
};

void compute(const Picture& picture, std::int64_t row, double* counts) {
  const double b = -1.25 + 2.5 * (static_cast<double>(row) + 0.5) / static_cast<double>(picture.height);
  for (std::int64_t j = 0; j < picture.width; ++j) {
    const double a = -2 + 3 * (static_cast<double>(j) + 0.5) / static_cast<double>(picture.width);
    double x = 0;
    double y = 0;
    int count = 0;
    for (; count < picture.most && x * x + y * y <= 4; ++count) {
      const double next = x * x - y * y + a;
      y = 2 * x * y + b;
      x = next;
    }
    counts[j] = count;
  }
}

/// Rows that a worker is to compute; none, and it is done.
struct Task {
  std::int64_t first = 0, rows = 0;
};

void lead(const Picture& picture, std::int64_t chunk, MPI_Datatype row, int ranks, double* counts) {
  std::vector<Task> given(static_cast<std::size_t>(ranks));
  std::int64_t next = 0;
  int busy = 0;
  const auto give = [&](int worker) {
    Task& task = given[static_cast<std::size_t>(worker)];
    task = {next, std::min(chunk, picture.height - next)};
    MPI_Send(&task, 2, MPI_INT64_T, worker, 0, MPI_COMM_WORLD);
    next += task.rows;
    if (task.rows > 0) ++busy;
  };
  for (int worker = 1; worker < ranks; ++worker) give(worker);
  while (busy > 0 || next < picture.height) {
    int waits = 1;
    MPI_Status status;
    if (next < picture.height) {
      MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &waits, &status);
    } else {
      MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    }
    if (waits != 0) {
      const Task done = given[static_cast<std::size_t>(status.MPI_SOURCE)];
      MPI_Recv(counts + done.first * picture.width, static_cast<int>(done.rows), row, status.MPI_SOURCE, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      --busy;
      give(status.MPI_SOURCE);
    } else {
      compute(picture, next, counts + next * picture.width);
      ++next;
    }
  }
}

void work(const Picture& picture, std::int64_t chunk, MPI_Datatype row) {
  std::vector<double> counts(static_cast<std::size_t>(chunk * picture.width));
  Task task;
  while (true) {
    MPI_Recv(&task, 2, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (task.rows == 0) return;
    for (std::int64_t i = 0; i < task.rows; ++i) compute(picture, task.first + i, counts.data() + i * picture.width);
    MPI_Send(counts.data(), static_cast<int>(task.rows), row, 0, 0, MPI_COMM_WORLD);
  }
}

void write(const std::string& path, const Picture& picture, const std::vector<double>& counts) {
  std::ofstream file(path, std::ios::binary);
  file << npy_header(picture.height, picture.width);
  file.write(reinterpret_cast<const char*>(counts.data()),
             static_cast<std::streamsize>(counts.size() * sizeof(double)));
  std::ofstream grey(std::filesystem::path(path).replace_extension(".pgm"), std::ios::binary);
  grey << "P5\n" << picture.width << ' ' << picture.height << "\n255\n";
  for (const double count : counts)
    grey.put(static_cast<char>(255 - 255 * static_cast<std::int64_t>(count) / std::max(picture.most, 1)));
  if (!file.flush() || !grey.flush()) throw std::runtime_error(path + " cannot be written; look at its folder");
}

void mandelbrot(int argc, char** argv, int rank, int ranks) {
  const std::string out = argument(argc, argv, 1, "the picture, OUT.npy,");
  const Picture picture{.width = whole_option(argc, argv, "--width", 1200),
                        .height = whole_option(argc, argv, "--height", 1000),
                        .most = static_cast<int>(whole_option(argc, argv, "--most", 1000))};
  const std::int64_t chunk =
      whole_option(argc, argv, "--chunk", std::max<std::int64_t>(1, picture.height / ranks / 32));
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(picture.width), MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  std::vector<double> counts(rank == 0 ? static_cast<std::size_t>(picture.width * picture.height) : 0);

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == 0) {
    lead(picture, chunk, row, ranks, counts.data());
  } else {
    work(picture, chunk, row);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - start;

  MPI_Type_free(&row);
  if (rank != 0) return;
  write(out, picture, counts);
  double total = 0;
  for (const double count : counts) total += count;
  std::printf("iterations %.0f seconds %.6f\n", total, seconds);
}

}  // namespace

int main(int argc, char** argv) {
  return run_twin(argc, argv, mandelbrot);
}
