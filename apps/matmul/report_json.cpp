#include <nlohmann/json.hpp>

#include "matmul/report.hpp"

namespace tombolo::matmul {

namespace {

using Json = nlohmann::ordered_json;

Json of_phases(const Report& r) {
  Json all = Json::array();
  for (std::size_t p = 0; p < phases; ++p) {
    all.push_back({{"name", phase_names[p]},
                   {"seconds", r.phase_seconds(p)},
                   {"predicted_s", r.forecast[p].predicted_s},
                   {"bound_s", r.forecast[p].bound_s},
                   {"how", r.forecast[p].how}});
  }
  return all;
}

Json of_processors(const Report& r) {
  Json all = Json::array();
  for (std::size_t rank = 0; rank < r.processors.size(); ++rank) {
    const Processor& on = r.processors[rank];
    Json seconds = Json::object();
    for (std::size_t p = 0; p < phases; ++p) seconds[phase_names[p]] = r.rank_seconds(rank, p);
    all.push_back({{"rank", rank},
                   {"host", on.host},
                   {"model", on.model},
                   {"cores", on.cores},
                   {"threads", on.threads},
                   {"speed_flops", on.speed},
                   {"rows", r.rows.count(static_cast<int>(rank))},
                   {"seconds", seconds},
                   {"flops", r.rank_speed(rank)}});
  }
  return all;
}

}  // namespace

std::string to_json(const Report& r) {
  const GemmShape& s = r.problem.shape;
  Json json{
      {"shape", {{"m", s.m}, {"n", s.n}, {"k", s.k}}},
      {"dtype", element_info(r.problem.type).name},
      {"algorithm", "rows"},
      {"shares", r.options.shares == Shares::speed ? "speed" : "equal"},
      {"collectives", r.options.collectives == Session::Kind::tombolo ? "tombolo" : "native"},
      {"ranks", r.processors.size()},
      {"root", r.options.root},
      {"seconds", r.total()},
      {"predicted_s", r.predicted()},
      {"bound_s", r.bound()},
      {"compute_flops", r.compute_speed()},
      {"verified", !r.phantom && r.verification.ok && r.verification.decided},
      {"phantom", r.phantom},
      {"verification",
       {{"ok", r.verification.ok},
        {"decided", r.verification.decided},
        {"worst_ratio", r.verification.worst_ratio},
        {"largest_relative_error", r.verification.largest_relative_error}}},
      {"phases", of_phases(r)},
      {"processors", of_processors(r)},
      {"notes", notes(r)},
      {"model", r.model},
      {"mpi_library", r.mpi_library},
  };
  if (r.reference.measured) {
    json["reference"] = {
        {"threads", r.reference.threads}, {"seconds", r.reference.seconds}, {"flops", r.reference_speed()}};
  }
  return json.dump(2) + "\n";
}

}  // namespace tombolo::matmul
