#pragma once

#include <tombolo/platform/simgrid/builder.hpp>

namespace tombolo::simgrid {

/// Adds the zone that a `<cluster>` stands for: a star of equal hosts, whose legs may share a backbone.
void add_cluster(Builder& builder, const Element& element, int parent);

/// SHARED, SPLITDUPLEX or FATPIPE, or what is `usual` where the attribute is missing.
Policy policy_of(const Element& element, const char* attribute, Policy usual);

}  // namespace tombolo::simgrid
