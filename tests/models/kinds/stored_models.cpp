#include <catch2/catch.hpp>

#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/stored_models.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/file/platform_file.hpp>

#include "models/closeness.hpp"
#include "models/figured_platform.hpp"
#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

Estimates estimated(const Platform& platform, const Model& machine) {
  Estimates estimates;
  for (const ModelKind* const kind : all_models()) {
    ModelLaboratory laboratory(machine);
    estimates[std::string(kind->name)] = {kind->estimate(platform, laboratory), laboratory.cost()};
  }
  return estimates;
}

}  // namespace

TEST_CASE("estimates that went through a platform file make the same models") {
  for (const auto& shape : std::vector<std::vector<std::vector<int>>>{{{1}}, {{1, 1}}, {{1, 1, 1}, {1, 1}, {1}}}) {
    Platform platform = with_figures(clusters_of_hosts(shape), 2);
    if (shape.size() > 1) platform.levels.children[0].uplink = {50'000'000, 0};
    CHECK(stored_estimates(platform).empty());
    const Estimates estimates = estimated(platform, RandomModels(platform, 1).lmo(true));
    store_estimates(platform, estimates);
    const Platform read = platform_from_json(to_json(platform), "file");
    CHECK(stored_estimates(read) == estimates);
    for (const ModelKind* const kind : all_models()) {
      INFO(kind->name);
      const std::string name(kind->name);
      const auto model = stored_model(platform, estimates, name);
      CHECK(model->name() == name);
      CHECK(same_costs(*model, *stored_model(read, stored_estimates(read), name), platform.ranks()));
      // Those of pairs of ranks are over the links that clusters share.
      CHECK((model->network() != nullptr) == (shape.size() > 1 || name == "multiport"));
    }
  }
}

TEST_CASE("a model that has not been estimated, or that nobody knows, is asked for in vain") {
  Platform platform = with_figures(flat_cluster(2), 1);
  const Estimates estimates = {{"hockney", estimated(platform, RandomModels(platform, 1).lmo(true)).at("hockney")}};
  CHECK_THROWS_WITH(stored_model(platform, estimates, "plogp"),
                    Catch::Contains("no estimate of the model plogp; estimate the models anew"));
  CHECK_THROWS_WITH(stored_model(platform, estimates, "plop"), Catch::Contains("'plop'; choose one of"));
}

TEST_CASE("sections that hold no estimates are refused in one line that says what is wrong") {
  Platform platform = with_figures(flat_cluster(2), 1);
  const auto with = [](const char* entry) { return std::string(R"({"hockney":)") + entry + "}"; };
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "it is no object"},
      {"[]", "it is no object"},
      {"{", "it is no object"},
      {with("1"), "\"hockney\" is no object"},
      {with("{}"), "\"hockney\" has no \"parameters\""},
      {with(R"({"parameters":{}})"), "no number \"me"},
      {with(R"({"parameters":{},"measurements":"1","messages":1,"seconds":1})"), "no number \"measurements\""},
      {with(R"({"parameters":{},"measurements":1,"messages":null,"seconds":1})"), "no number \"messages\""},
      {with(R"({"parameters":{},"measurements":1,"messages":1})"), "no number \"seconds\""},
  };
  for (const auto& [text, says] : bad) {
    INFO(text);
    platform.sections["models"] = text;
    CHECK_THROWS_AS(stored_estimates(platform), Error);
    CHECK_THROWS_WITH(stored_estimates(platform), Catch::StartsWith("the platform's section \"models\": ") &&
                                                      Catch::Contains(says) && Catch::Contains("tombolo models") &&
                                                      !Catch::Contains("\n"));
  }
}
