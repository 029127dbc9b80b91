#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/predict.hpp>
#include <tombolo/collectives/prove.hpp>
#include <tombolo/collectives/show.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/readable.hpp>

#include "command.hpp"

namespace tombolo {

namespace {

struct Options {
  std::string operation;
  std::string algorithm;
  std::uint64_t bytes = 0;
  std::uint64_t segment = 0;
  int window = 0;
  int ranks = 8;
  Rank root = 0;
  Rank rank = -1;
  double latency_us = 50;
  double rate_mb = 125;
  std::string format = "text";
};

constexpr Bytes most_bytes = Bytes{1} << 56;
constexpr int most_ranks = 1 << 16;

Request request_for(const Options& o) {
  const auto operation = find_operation(o.operation);
  if (!operation) {
    std::string names;
    for (const Operation known : all_operations()) names += fmt::format("{}{}", names.empty() ? "" : ", ", name(known));
    throw Error(fmt::format("there is no operation '{}'", o.operation), fmt::format("choose one of {}", names));
  }
  if (o.ranks < 1 || o.ranks > most_ranks) {
    throw Error(fmt::format("--ranks {}", o.ranks), fmt::format("plan for 1 to {} ranks", most_ranks));
  }
  if (o.bytes > static_cast<std::uint64_t>(most_bytes) / static_cast<std::uint64_t>(o.ranks)) {
    throw Error(fmt::format("--bytes {} on {} ranks", o.bytes, o.ranks), "plan for at most 2^56 bytes in all");
  }
  const auto count = static_cast<std::int64_t>(o.bytes);
  switch (*operation) {
    case Operation::barrier:
      return Request::barrier(o.ranks);
    case Operation::bcast:
      return Request::bcast(o.ranks, o.root, count, 1);
    case Operation::reduce:
      return Request::reduce(o.ranks, o.root, count, 1);
    case Operation::scatterv:
      return Request::scatterv(o.root, Blocks::equal(o.ranks, count), 1);
    case Operation::gatherv:
      return Request::gatherv(o.root, Blocks::equal(o.ranks, count), 1);
    case Operation::alltoallv:
      return Request::alltoallv(o.ranks, Exchange::equal(o.ranks, count), 1);
  }
  return {};
}

Hockney model_for(const Options& o) {
  constexpr double longest_us = 1e9;
  if (!(o.latency_us >= 0) || o.latency_us > longest_us || !(o.rate_mb > 0) || o.rate_mb > longest_us) {
    throw Error(fmt::format("--latency {} --rate {}", o.latency_us, o.rate_mb),
                "give a latency of 0 to 1e9 us and a rate above 0 and up to 1e9 MB/s");
  }
  return Hockney({.latency = std::llround(o.latency_us * 1e6),
                  .rate = std::max<BytesPerSecond>(std::llround(o.rate_mb * 1e6), 1)});
}

std::vector<Candidate> plans(const Options& o, const Request& request, const Model& model) {
  if (o.algorithm.empty()) return candidates(request, model);
  Plan plan(request, find_algorithm(request.operation, o.algorithm),
            {.segment_bytes = static_cast<Bytes>(o.segment), .window = o.window});
  const Picoseconds makespan = predict(plan, model).makespan;
  return {{std::move(plan), makespan}};
}

std::string as_text(const Options& o, const std::vector<Candidate>& all, const Hockney& model) {
  const Plan& plan = all.front().plan;
  const Proof proof = prove(plan);
  const Picoseconds bound = lower_bound(plan.request(), model);
  std::string text = plan.describe() + "\n" + model.describe() + "\n";
  text +=
      fmt::format("predicted {}, bound {}; {} messages, {} bytes over links, {}\n\n", readable(all.front().predicted),
                  readable(bound), proof.messages, proof.elements_moved * plan.request().element_bytes,
                  proof.holds() ? "proved" : "NOT PROVED: " + *proof.fault);
  if (o.rank >= 0) return text + show_table(plan, o.rank);
  text += show_tree(plan) + "\n" + show_timeline(plan, predict(plan, model));
  text += "       s sends, r receives, b both, l works locally\n";
  if (all.size() > 1) text += "\nrivals\n";
  for (std::size_t i = 1; i < std::min<std::size_t>(all.size(), 6); ++i) {
    text += fmt::format(
        "  {:>10}  {:.2f} x  {}\n", readable(all[i].predicted),
        static_cast<double>(all[i].predicted) / static_cast<double>(std::max<Picoseconds>(all.front().predicted, 1)),
        all[i].plan.how());
  }
  return text;
}

std::string as_json(const std::vector<Candidate>& all, const Hockney& model) {
  const auto of = [](const Candidate& candidate) {
    return nlohmann::ordered_json{{"algorithm", candidate.plan.algorithm().name},
                                  {"segment_bytes", candidate.plan.parameters().segment_bytes},
                                  {"window", candidate.plan.parameters().window},
                                  {"predicted_s", seconds(candidate.predicted)}};
  };
  const Request& request = all.front().plan.request();
  const Proof proof = prove(all.front().plan);
  nlohmann::ordered_json json = of(all.front());
  json["operation"] = name(request.operation);
  json["ranks"] = request.ranks;
  json["root"] = request.root;
  json["bound_s"] = seconds(lower_bound(request, model));
  json["messages"] = proof.messages;
  json["link_bytes"] = proof.elements_moved * request.element_bytes;
  json["proved"] = proof.holds();
  json["rivals"] = nlohmann::ordered_json::array();
  for (std::size_t i = 1; i < all.size(); ++i) json["rivals"].push_back(of(all[i]));
  return json.dump(2) + "\n";
}

int run(Session& session, const Options& o) {
  if (session.rank() != 0) return 0;  // it needs no ranks, and says everything once
  try {
    const Request request = request_for(o);
    if (o.rank >= o.ranks) {
      throw Error(fmt::format("--rank {} of {} ranks", o.rank, o.ranks), fmt::format("give 0 to {}", o.ranks - 1));
    }
    const Hockney model = model_for(o);
    const std::vector<Candidate> all = plans(o, request, model);
    fmt::print("{}", o.format == "json" ? as_json(all, model) : as_text(o, all, model));
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "tombolo: {}\n", error.what());
    return 1;
  }
}

}  // namespace

void add_plan(CLI::App& app, Run& run_chosen) {
  auto* command = app.add_subcommand("plan", "Show how a collective would be carried out, and how long it would take");
  command->footer(
      "The links are all equal, of the stated latency and rate. Needs no ranks. Every plan that is shown has been "
      "proved.\n\n"
      "  tombolo plan bcast --bytes 1M --ranks 16\n"
      "  tombolo plan scatterv --bytes 64K --ranks 8 --root 3 --algorithm binomial --rank 5");
  auto o = std::make_shared<Options>();
  const auto size = CLI::AsSizeValue(false).description("");
  std::string operations;
  for (const Operation known : all_operations())
    operations += fmt::format("{}{}", operations.empty() ? "" : ", ", name(known));
  command->add_option("operation", o->operation, "One of " + operations)->required()->type_name("");
  command
      ->add_option("--bytes", o->bytes,
                   "The vector of bcast and reduce, one rank's block of scatterv and gatherv, one pair's of alltoallv")
      ->transform(size)
      ->type_name("SIZE");
  command->add_option("--ranks", o->ranks, "Number of ranks")->capture_default_str()->type_name("INT");
  command->add_option("--root", o->root, "The root")->capture_default_str()->type_name("RANK");
  command->add_option("--algorithm", o->algorithm, "Use this one; default: the one that is predicted to be fastest")
      ->type_name("NAME");
  command->add_option("--segment", o->segment, "With --algorithm: cut messages into segments of this size")
      ->transform(size)
      ->type_name("SIZE");
  command->add_option("--window", o->window, "With --algorithm: messages under way at a time on each lane; 0: no limit")
      ->type_name("INT");
  command->add_option("--latency", o->latency_us, "Latency of a message, in microseconds")
      ->capture_default_str()
      ->type_name("US");
  command->add_option("--rate", o->rate_mb, "Rate of a link, in MB/s (10^6 bytes)")
      ->capture_default_str()
      ->type_name("MB/S");
  command->add_option("--rank", o->rank, "Show every step of this rank instead of tree and timeline")
      ->type_name("RANK");
  command->add_option("--format", o->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}).description(""))
      ->capture_default_str()
      ->type_name("FORMAT");
  command->callback([&run_chosen, o] { run_chosen = [o](Session& session) { return run(session, *o); }; });
}

}  // namespace tombolo
