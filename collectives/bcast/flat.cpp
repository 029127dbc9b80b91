#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

const Algorithm bcast_flat{
    .name = "flat",
    .operation = Operation::bcast,
    .summary = "the root sends to every rank in turn; for two or three ranks",
    .write = write_bcast_over<flat_shape>,
    .shape = flat_shape,
};

}  // namespace tombolo
