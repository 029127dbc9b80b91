#pragma once

#include <optional>
#include <string>

#include <tombolo/collectives/mapping/placement.hpp>

namespace CLI {
class App;
}

namespace tombolo {

/// How a planned collective that is named is to be mapped to the platform, stated rather than chosen.
struct MappingOptions {
  std::optional<Mapping> mapping{};  ///< which ranks take the places of its tree; nothing: upwards from the root
  std::string schedule;              ///< of an algorithm that is mapped, as stated_schedule() reads it; empty: chosen
  bool any() const { return mapping || !schedule.empty(); }
};

/// Adds --mapping and --schedule, which exclude each other.
void add_mapping_options(CLI::App& command, MappingOptions& options);

}  // namespace tombolo
