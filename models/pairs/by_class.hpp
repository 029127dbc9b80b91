#pragma once

#include <span>
#include <vector>

#include <fmt/format.h>

#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

/// Figures of pairs of ranks, equal for all pairs of a class.
template <class Figures>
class ByClass {
 public:
  /// Throws Error unless every class of the platform has figures.
  ByClass(const Platform& platform, std::vector<Figures> figures) : classes_(platform), figures_(std::move(figures)) {
    if (figures_.size() != static_cast<std::size_t>(classes_.size())) {
      throw Error(
          fmt::format("figures of {} classes of pairs, where the platform has {}", figures_.size(), classes_.size()),
          "estimate the model on this platform");
    }
  }

  const PairClasses& classes() const { return classes_; }
  std::span<const Figures> all() const { return figures_; }
  /// Throws Error if a equals b.
  const Figures& of(Rank a, Rank b) const { return figures_[static_cast<std::size_t>(classes_.of(a, b))]; }

 private:
  PairClasses classes_;
  std::vector<Figures> figures_;
};

}  // namespace tombolo
