#include <tombolo/collectives/scatterv/over_tree.hpp>

namespace tombolo {

const Algorithm scatterv_flat{
    .name = "flat",
    .operation = Operation::scatterv,
    .summary = "the root sends every rank its block; each element travels once, for large blocks",
    .write = write_scatterv_over<flat_shape>,
    .shape = flat_shape,
};

}  // namespace tombolo
