#pragma once

#include <vector>

#include <tombolo/platform/simgrid/builder.hpp>

namespace tombolo::simgrid {

// What says how the points of a zone are connected.

/// `<route>`, between hosts and routers of the zone.
void add_route(Builder& builder, const Element& element, int zone);

/// `<zoneRoute>`, between zones of the zone, from gateway to gateway.
void add_zone_route(Builder& builder, const Element& element, int zone);

/// `<host_link>`, how a host of a star reaches its middle, by the backbone too.
void add_leg(Builder& builder, const Element& element, int zone, const std::vector<int>& backbone);

/// `<route>` in a star, which can only be from a host to itself.
void add_loopback(Builder& builder, const Element& element, int zone);

}  // namespace tombolo::simgrid
