#pragma once

#include <vector>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/multiport.hpp>

namespace tombolo {

/// How messages are exchanged between the ranks of each class of pairs: see estimate_multiport().
std::vector<Multiport::Protocol> estimate_protocols(const Platform& platform, Laboratory& laboratory);

}  // namespace tombolo
