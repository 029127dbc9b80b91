#pragma once

// What a program on the framework includes, all at once: the headers that docs/reference.md lists. mpi.h comes with it.
// Not in it: <tombolo/framework/mpi/command_line.hpp>, which takes CLI11, and what algorithms, models and tools are
// made of. Tombolo's own files include what they use instead.

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/request/alltoall_counts.hpp>
#include <tombolo/collectives/request/blocks.hpp>
#include <tombolo/framework/blas.hpp>
#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/freivalds.hpp>
#include <tombolo/framework/functional_shares.hpp>
#include <tombolo/framework/kernel.hpp>
#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/array.hpp>
#include <tombolo/framework/mpi/clusters_attribute.hpp>
#include <tombolo/framework/mpi/main.hpp>
#include <tombolo/framework/mpi/matrix_file.hpp>
#include <tombolo/framework/mpi/measure_kernel.hpp>
#include <tombolo/framework/mpi/move.hpp>
#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/npy_header.hpp>
#include <tombolo/framework/part.hpp>
#include <tombolo/framework/shares.hpp>
#include <tombolo/framework/speed_function.hpp>
#include <tombolo/framework/storage.hpp>
#include <tombolo/framework/weighted_shares.hpp>
#include <tombolo/platform/description/level.hpp>
#include <tombolo/platform/description/platform.hpp>
#include <tombolo/platform/description/processor.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/units.hpp>
