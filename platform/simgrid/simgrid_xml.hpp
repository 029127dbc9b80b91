#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Returns the platform of a SimGrid platform description (XML, version 4.1), for planning without ranks.
///
/// `name`: the file's name, for messages and as the origin. `hosts_by_rank`: the host of each rank, as returned by
/// parse_host_file(); if empty, one rank on each host, in the order of the file. Hosts without ranks are left out.
///
/// SimGrid itself reads the description, by the program tombolo-simgrid-routes: zones of every static routing, fat
/// trees, dragonflies and tori included. The rate of a route is the minimum over its links, as stated in the
/// description; SimGrid's settings (smpi/lat-factor, smpi/os, ...) are ignored. Clusters are found from latencies, as
/// after a discovery, and split if their hosts are behind different shared links. If the two directions of a route
/// differ, the latency is the mean and the rate the smaller one.
///
/// Throws Error for malformed XML, unsupported elements and attributes (traces, wifi, coordinates, ...), negative or
/// infinite figures, unknown names, missing routes, a description without hosts, and more than 4096 hosts with ranks.
/// The time is quadratic in the number of hosts with ranks: about a second for 1024.
Platform platform_from_simgrid(std::string_view text, const std::string& name,
                               const std::vector<std::string>& hosts_by_rank = {});

}  // namespace tombolo
