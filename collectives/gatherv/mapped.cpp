#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/gatherv/along_blocks.hpp>
#include <tombolo/collectives/mapped_routes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  with_mapped_blocks(request, parameters, rank,
                     [&](const SubtreeBlocks& blocks) { gatherv_along(blocks, request, parameters, rank, writer); });
}

void learn(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  with_mapped_blocks(request, parameters, rank,
                     [&](const SubtreeBlocks& blocks) { learn_gatherv_along(blocks, writer); });
}

}  // namespace

const Algorithm gatherv_mapped{
    .name = "mapped",
    .operation = Operation::gatherv,
    .summary = "blocks travel up a tree made for the platform and for their sizes",
    .write = write,
    .learn = learn,
    .segments = true,
    .mapped = true,
};

}  // namespace tombolo
