#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/scatterv/along_blocks.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  with_mapped_blocks(request, parameters, rank,
                     [&](const SubtreeBlocks& blocks) { scatterv_along(blocks, request, parameters, rank, writer); });
}

void learn(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  with_mapped_blocks(request, parameters, rank,
                     [&](const SubtreeBlocks& blocks) { learn_scatterv_along(blocks, writer); });
}

}  // namespace

const Algorithm scatterv_mapped{
    .name = "mapped",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree made for the platform and for their sizes",
    .write = write,
    .learn = learn,
    .segments = true,
    .mapped = true,
};

}  // namespace tombolo
