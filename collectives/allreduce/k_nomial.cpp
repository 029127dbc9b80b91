#include <tombolo/collectives/allreduce/over_tree.hpp>

namespace tombolo {

const Algorithm allreduce_k_nomial{
    .name = "k_nomial",
    .operation = Operation::allreduce,
    .summary = "up a tree of few levels and down again; for small vectors, keeps operands in order",
    .write = write_allreduce_over<k_nomial_shape>,
    .segments = true,
    .radix = k_nomial_radix,
};

}  // namespace tombolo
