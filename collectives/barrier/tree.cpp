#include <tombolo/collectives/barrier/over_tree.hpp>

namespace tombolo {

const Algorithm barrier_tree{
    .name = "tree",
    .operation = Operation::barrier,
    .summary = "signals go up a tree of few levels and down again; fewer messages than dissemination",
    .write = write_barrier_over<k_nomial_shape>,
    .radix = k_nomial_radix,
};

}  // namespace tombolo
