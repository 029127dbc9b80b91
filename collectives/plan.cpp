#include <fmt/format.h>

#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/plan.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

std::string sizes(const Request& request) {
  switch (request.operation) {
    case Operation::barrier:
      return "";
    case Operation::bcast:
    case Operation::reduce:
      return fmt::format(" of {} B", request.count * request.element_bytes);
    case Operation::scatterv:
    case Operation::gatherv:
      if (!request.blocks.all_known()) return "";
      return fmt::format(" of {} B in all", request.blocks.total() * request.element_bytes);
    case Operation::alltoallv:
      return "";
  }
  return "";
}

}  // namespace

Plan::Plan(Request request, const Algorithm& algorithm, Parameters parameters)
    : request_(std::move(request)), algorithm_(&algorithm), parameters_(std::move(parameters)) {
  if (algorithm.operation != request_.operation) {
    throw Error(fmt::format("algorithm '{}' is for {}, not for {}", algorithm.name, name(algorithm.operation),
                            name(request_.operation)),
                "choose one of that operation's own");
  }
  Places(request_, parameters_);  // checks the order
}

Schedule Plan::learning(Rank rank) const {
  ScheduleWriter writer;
  if (learns()) algorithm_->learn(request_.seen_by(rank), parameters_, rank, writer);
  return std::move(writer).finish();
}

Schedule Plan::schedule(Rank rank, const Request& known) const {
  ScheduleWriter writer;
  algorithm_->write(known, parameters_, rank, writer);
  return std::move(writer).finish();
}

std::string Plan::how() const {
  std::string text(algorithm_->name);
  if (parameters_.segment_bytes > 0) text += fmt::format(", segments of {} B", parameters_.segment_bytes);
  if (parameters_.window > 0) text += fmt::format(", window {}", parameters_.window);
  if (!parameters_.order.empty()) text += ", ranks in a given order";
  return text;
}

std::string Plan::describe() const {
  std::string text = fmt::format("{}{} over {} rank{}", name(request_.operation), sizes(request_), request_.ranks,
                                 request_.ranks == 1 ? "" : "s");
  if (is_rooted(request_.operation)) text += fmt::format(", root {}", request_.root);
  return text + ": " + how();
}

}  // namespace tombolo
