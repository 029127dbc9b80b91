// Says which plan is chosen for each request of a list, and how long that is predicted to take: the recording half of
// scripts/plans. It uses few names of the library, so that it can be built against other versions of it.
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/platform/description/host_file.hpp>
#include <tombolo/platform/simgrid/simgrid_xml.hpp>

namespace {

using namespace tombolo;

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  return text.str();
}

Counts counts_named(const std::string& name) {
  if (name == "zipf") return Counts::zipf;
  return name == "sparse" ? Counts::sparse : Counts::equal;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Lines `OPERATION BYTES ROOT COUNTS` from standard input, a line of CSV for each.
void record(const std::string& description, const std::string& hosts) {
  const std::vector<std::string> by_rank = parse_host_file(content(hosts), hosts);
  Planner planner(platform_from_simgrid(content(description), description, by_rank));
  std::string operation;
  std::string counts;
  Bytes bytes = 0;
  Rank root = 0;
  while (std::cin >> operation >> bytes >> root >> counts) {
    Request request = regular_request(find_operation(operation).value(), static_cast<int>(by_rank.size()), root, bytes);
    if (counts != "equal") request = with_counts(request, counts_named(counts));
    const double begin = cpu_seconds();
    const Candidate chosen = planner.choice(request);
    fmt::print("{},{},{},{},\"{}\",{},{},{:.6f}\n", operation, bytes, root, counts, chosen.plan.how(), chosen.predicted,
               planner.bound(request), cpu_seconds() - begin);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: record_plans DESCRIPTION.xml HOSTS < REQUESTS\n");
    return 2;
  }
  try {
    record(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "record_plans: {}\n", error.what());
    return 1;
  }
  return 0;
}
