#pragma once

#include <string>

#include <tombolo/framework/program/arrangement.hpp>
#include <tombolo/framework/program/run_report.hpp>

namespace tombolo {

/// What one rank has chosen and all are to do, as it travels; and what it expects.
struct Chosen {
  Arrangement arrangement;
  RunReport expected;
};

std::string to_json(const Chosen& chosen);
Chosen chosen_from_json(const std::string& text);

}  // namespace tombolo
