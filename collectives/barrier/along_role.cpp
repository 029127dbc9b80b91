#include <utility>

#include <tombolo/collectives/barrier/along_role.hpp>

namespace tombolo {

std::vector<StepId> barrier_up(const Role& role, ScheduleWriter& writer) {
  std::vector<StepId> come;
  for (const Rank child : role.children) come.push_back(writer.await(child, {}));
  if (role.parent != nobody) writer.signal(role.parent, come);
  return come;
}

void barrier_down(const Role& role, std::vector<StepId> come, ScheduleWriter& writer) {
  if (role.parent != nobody) come = {writer.await(role.parent, {})};
  for (const Rank child : role.children) writer.signal(child, come);
}

}  // namespace tombolo
