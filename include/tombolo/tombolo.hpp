#pragma once

// What a program on the framework includes, all at once: the headers that docs/reference.md lists. mpi.h comes with it.
// Not in it: <tombolo/command_line.hpp>, which takes CLI11.

#include <tombolo/arrays.hpp>
#include <tombolo/collectives.hpp>
#include <tombolo/counts.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>
