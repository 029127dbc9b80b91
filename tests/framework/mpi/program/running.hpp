#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

/// Programs that run in tests: without measuring speeds, without a line on the terminal.
namespace tombolo::test {

using Kind = Session::Kind;

/// Work of the kernel whose speed options() state.
inline Cost any(double operations = 1) {
  return {.kernel = "any", .operations = operations};
}

/// All ranks have the same speed, in the kernel "any".
inline ProgramOptions options(const Session& session, Kind kind = Kind::tombolo, int panels = 0) {
  ProgramOptions made;
  made.shares = SharePolicy::speed;
  made.collectives = kind;
  made.panels = panels;
  made.progress = false;
  made.speeds["any"] = std::vector<std::int64_t>(static_cast<std::size_t>(session.ranks()), 1'000'000'000);
  return made;
}

/// Nobody but that rank is worth anything.
inline ProgramOptions options_of_one(const Session& session, Rank rank) {
  ProgramOptions made = options(session);
  made.shares = SharePolicy::best;
  for (std::int64_t& speed : made.speeds["any"]) speed = 1;
  made.speeds["any"][static_cast<std::size_t>(rank)] = 1'000'000'000'000;
  return made;
}

/// Ever fewer items from the last rank to the first, some of which have none.
inline std::vector<std::int64_t> uneven_shares(std::int64_t items, int ranks) {
  std::vector<std::int64_t> speeds;
  for (int rank = 0; rank < ranks; ++rank) speeds.push_back(rank % 3 == 1 ? 0 : rank + 1);
  return proportional_shares(items, speeds);
}

/// The words that all ranks must get; empty where there is none, "different" where they differ.
inline std::string same_words(const std::string& words) {
  const std::string first = text_from(MPI_COMM_WORLD, 0, std::string(words));
  return agreed(first == words) ? words : "different";
}

/// Those of the AgreedError that all ranks must get.
inline std::string agreed_error(const std::function<void()>& work) {
  std::string words;
  try {
    work();
  } catch (const AgreedError& error) {
    words = error.what();
  }
  return same_words(words);
}

/// Those of whatever this rank throws, which are one line with a remedy.
inline std::string words_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    const std::string words = error.what();
    return words.find('\n') == std::string::npos && words.find("; ") != std::string::npos ? words : "no line: " + words;
  }
  return "";
}

}  // namespace tombolo::test
