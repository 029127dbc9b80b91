#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

const Algorithm reduce_binomial{
    .name = "binomial",
    .operation = Operation::reduce,
    .summary = "pairs combine, then pairs of pairs; fewest steps for small vectors, and keeps operands in order",
    .write = write_reduce_over<binomial_shape>,
    .shape = binomial_shape,
    .segments = true,
};

}  // namespace tombolo
