// A program that knows nothing of Tombolo: corners of MPI's collectives. Results are checked against what they must be;
// what MPI leaves to the library is printed, for a comparison with a native run. Arguments name the corners; without,
// all of them but those of spawned programs. Prints "N wrong" last.
#include "corners.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

namespace {

// A program may end MPI after main, when a static object dies.
struct End {
  ~End() { MPI_Finalize(); }
};
End end;

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  program = argv[0];
  const std::vector<std::pair<std::string, void (*)()>> corners = {{"exchanges", exchanges},
                                                                   {"bottom", bottom},
                                                                   {"operations", own_operations},
                                                                   {"pairs", all_pairs},
                                                                   {"groups", between_groups},
                                                                   {"errors", errors},
                                                                   {"leaving", leaving},
                                                                   {"orders", orders},
                                                                   {"uneven", uneven},
                                                                   {"attributes", attributes},
                                                                   {"sessions", of_sessions},
                                                                   {"later", later},
                                                                   {"many", many},
                                                                   {"reordered", reordered},
                                                                   {"spawn", spawn},
                                                                   {"child", child}};
  for (const auto& [name, corner] : corners) {
    const auto is_named = [&](const char* argument) { return name == argument; };
    if (argc > 1 ? std::any_of(argv + 1, argv + argc, is_named) : name != "spawn" && name != "child") corner();
  }
  int of_all = 0;
  MPI_Reduce(&wrong, &of_all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && (argc == 1 || std::strcmp(argv[1], "child") != 0)) std::printf("%d wrong\n", of_all);
  return 0;
}
