#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <tombolo/platform/description/host_file.hpp>
#include <tombolo/platform/simgrid/simgrid_xml.hpp>

#include "support/source.hpp"

namespace tombolo {

/// The platforms that come with Tombolo.
inline std::vector<std::string> described_platforms() {
  return {"grid5000", "grid5000-cyclic", "icluster2", "mpichg2", "ucd16", "uniform64"};
}

inline std::string read_described(const std::string& file) {
  std::ifstream in(test::source_folder() / "lab/platforms" / file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// One of them, ranks as in its host file.
inline Platform described(const std::string& name) {
  return platform_from_simgrid(read_described(name + ".xml"), name + ".xml",
                               parse_host_file(read_described(name + ".hosts"), name + ".hosts"));
}

}  // namespace tombolo
