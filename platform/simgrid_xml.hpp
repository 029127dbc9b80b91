#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// What a SimGrid platform description (XML, version 4.1) says of the machines, for planning without ranks.
///
/// `name` is the file's, for messages and as the origin. `hosts_by_rank`: the host of each rank, as parse_host_file()
/// gives them; none: one rank on each host, in the order of the file. Hosts without ranks are left out.
///
/// Latencies are the sums and rates the least of a route's links, as the description states them; SimGrid's settings
/// (smpi/lat-factor, smpi/os, ...) are no part of it. Clusters are found by latencies as measured ones are; those
/// whose hosts are behind different shared links are split there. Where directions differ, latencies are the mean and
/// rates the lesser of both.
///
/// Errors: malformed XML, elements and attributes that cannot be planned for (traces, wifi, coordinates, ...), figures
/// that are negative or not finite, names that are not there, missing routes, no host, more than 4096 hosts with ranks.
/// Takes time by the square of their number: about a second for 1024.
Platform platform_from_simgrid(std::string_view text, const std::string& name,
                               const std::vector<std::string>& hosts_by_rank = {});

/// The names of the hosts that a description has, in its order. Errors: as above, but for routes.
std::vector<std::string> hosts_of_simgrid(std::string_view text, const std::string& name);

}  // namespace tombolo
