#include "discover/levels.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/clustering/stated_levels.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo::discovering {

namespace {

constexpr const char* variable = "TOMBOLO_LEVELS";
constexpr Bytes largest_file = Bytes{1} << 26;

std::vector<HostRanks> ranks_of_hosts(Session& session) {
  std::vector<HostRanks> hosts;
  std::map<std::string, std::size_t> numbers;
  Rank rank = 0;
  for (const Processor& processor : session.processors()) {
    const auto [found, is_new] = numbers.emplace(processor.host, hosts.size());
    if (is_new) hosts.push_back({.name = processor.host, .ranks = {}});
    hosts[found->second].ranks.push_back(rank++);
  }
  return hosts;
}

// What each process has in its environment; nothing where none has any.
std::vector<std::string> stated_texts(Session& session) {
  const char* const value = std::getenv(variable);
  const std::string mine = value == nullptr ? "" : value;
  const int length = static_cast<int>(mine.size());
  const std::vector<int> lengths = of_all_ranks(session.communicator(), length);
  if (std::all_of(lengths.begin(), lengths.end(), [](int l) { return l == 0; })) return {};
  std::vector<int> places;
  int total = 0;
  for (const int l : lengths) {
    places.push_back(total);
    total += l;
  }
  std::string all(static_cast<std::size_t>(total), ' ');
  check_mpi(MPI_Allgatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR,
                           session.communicator()),
            "MPI_Allgatherv");
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    texts.push_back(all.substr(static_cast<std::size_t>(places[r]), static_cast<std::size_t>(lengths[r])));
  }
  return texts;
}

}  // namespace

StatedLevels stated_levels(Session& session, const std::string& file) {
  const std::vector<HostRanks> hosts = ranks_of_hosts(session);
  StatedLevels stated;
  if (file.empty()) {
    const std::vector<std::string> texts = stated_texts(session);
    agree(session.communicator(), [&] {
      if (!texts.empty()) stated = stated_by_processes(texts, hosts);
    });
    return stated;
  }
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() == 0) text = read_text(file, largest_file, "a list of levels");
  });
  text = text_from(session.communicator(), 0, std::move(text));
  agree(session.communicator(), [&] {
    try {
      stated = stated_by_groups(text, hosts);
    } catch (const Error& error) {
      throw std::runtime_error(fmt::format("{}, {}", printable(file), error.what()));
    }
  });
  return stated;
}

}  // namespace tombolo::discovering
