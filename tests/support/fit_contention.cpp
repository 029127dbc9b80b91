// Fits contention signatures to total exchanges of some numbers of ranks, and predicts those of all: for
// scripts/tables.
#include <cmath>
#include <exception>
#include <iostream>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/contention.hpp>
#include <tombolo/platform/file/platform_file.hpp>

namespace {

using namespace tombolo;

constexpr double picoseconds = 1e12;  // in a second

std::vector<LoadedSample> read_samples(const Platform& platform) {
  std::vector<LoadedSample> samples;
  LoadedSample sample;
  double seconds = 0;
  while (std::cin >> sample.ranks >> sample.bytes >> seconds) {
    std::vector<Rank> members(static_cast<std::size_t>(sample.ranks));
    std::iota(members.begin(), members.end(), 0);
    sample.loads = loads(shared_links(platform, members), sample.bytes);
    sample.time = std::llround(seconds * picoseconds);
    samples.push_back(sample);
  }
  return samples;
}

std::set<int> numbers(const std::string& list) {
  std::set<int> found;
  std::istringstream text(list);
  for (std::string one; std::getline(text, one, ',');) found.insert(std::stoi(one));
  return found;
}

double in_seconds(Picoseconds time) {
  return static_cast<double>(time) / picoseconds;
}

// A line for each sample: FITTED RANKS BYTES SECONDS, by the signature of the largest of the numbers, by link terms.
void fit(const Platform& platform, const std::string& fitted, const std::vector<LoadedSample>& samples) {
  const std::set<int> among = numbers(fitted);
  std::vector<LoadedSample> loaded;
  std::vector<AlltoallSample> equal;
  for (const LoadedSample& sample : samples) {
    if (among.contains(sample.ranks)) loaded.push_back(sample);
    if (sample.ranks == *among.rbegin()) equal.push_back({sample.ranks, sample.bytes, sample.time});
  }
  std::vector<Rank> members(static_cast<std::size_t>(*among.rbegin()));
  std::iota(members.begin(), members.end(), 0);
  const ContentionSignature alone = uncontended(platform, members);
  const ContentionSignature signature = fit_contention(alone.latency, alone.rate, equal);
  const LinkContention links = fit_link_contention(alone.latency, loaded);
  for (const LoadedSample& sample : samples) {
    fmt::print("{} {} {} {} {} {}\n", fitted, sample.ranks, sample.bytes, in_seconds(sample.time),
               in_seconds(contended_alltoall(signature, sample.ranks, sample.bytes)),
               in_seconds(contended_alltoall(links, sample.ranks, sample.bytes, sample.loads)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: fit_contention PLATFORM.json RANKS[,RANKS...]... < lines of RANKS BYTES SECONDS\n";
    return 2;
  }
  try {
    const Platform platform = read_platform(argv[1]);
    const std::vector<LoadedSample> samples = read_samples(platform);
    for (int i = 2; i < argc; ++i) fit(platform, argv[i], samples);
  } catch (const std::exception& error) {
    std::cerr << "fit_contention: " << error.what() << '\n';
    return 1;
  }
}
