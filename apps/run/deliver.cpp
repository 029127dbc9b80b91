#include "run/deliver.hpp"

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/system/atomic_file.hpp>

#include "output.hpp"

namespace tombolo {

// Files first: whoever closes the pipe that reads the text still gets the result.
void deliver(Session& session, const Report& report, const std::function<void()>& write_result, const Error& if_wrong) {
  agree(session.communicator(), [&] {
    if (session.rank() == 0 && !report.options.report.empty()) write_text(report.options.report, to_json(report));
  });
  if (!report.verdict.wrong) write_result();
  print(session, to_text(report));
  agree(session.communicator(), [&] {
    if (report.verdict.wrong) throw Error(if_wrong);
  });
}

}  // namespace tombolo
