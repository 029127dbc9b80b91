#include "timing/candidates.hpp"

#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

namespace tombolo::timing {

std::vector<Candidate> chosen_at_rank_0(Session& session, const Request& request,
                                        const std::function<std::vector<Candidate>()>& choose) {
  std::string text;
  std::vector<Picoseconds> predicted;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    std::vector<Plan> plans;
    for (Candidate& c : choose()) {
      plans.push_back(std::move(c.plan));
      predicted.push_back(c.predicted);
    }
    text = to_json(plans);
  });
  text = text_from(session.communicator(), 0, std::move(text));
  std::vector<Candidate> all;
  for (Plan& plan : plans_from_json(request, text, "the plans of rank 0")) all.push_back({std::move(plan), 0});
  predicted.resize(all.size());
  check_mpi(MPI_Bcast(predicted.data(), static_cast<int>(predicted.size()), MPI_INT64_T, 0, session.communicator()),
            "MPI_Bcast");
  for (std::size_t i = 0; i < all.size(); ++i) all[i].predicted = predicted[i];
  return all;
}

}  // namespace tombolo::timing
