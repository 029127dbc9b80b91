#include <tombolo/collectives/barrier/over_tree.hpp>
#include <tombolo/collectives/places.hpp>

namespace tombolo {

void barrier_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer) {
  const Places places(request, parameters);
  const Tree::Node node = Tree(shape, request.ranks).node(places.place(rank));
  std::vector<StepId> come;
  for (const Subtree& child : node.children_by_place()) come.push_back(writer.await(places.rank(child.top), {}));
  if (node.parent >= 0) {
    const Rank parent = places.rank(node.parent);
    writer.signal(parent, come);
    come = {writer.await(parent, {})};
  }
  for (const Subtree& child : node.children) writer.signal(places.rank(child.top), come);
}

}  // namespace tombolo
