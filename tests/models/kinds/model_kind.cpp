#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/units.hpp>

#include "models/closeness.hpp"
#include "models/figured_platform.hpp"
#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

namespace {

// What goes wrong when a model is made of these, "" where nothing does.
std::string complaint(const ModelKind& kind, const Platform& platform, const Json& parameters) {
  try {
    kind.make(platform, parameters);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Calls act(broken, place) for every value in a document, or 150 spread over it, with that value replaced by something
// else.
template <class Act>
void break_everywhere(const Json& document, const Json& by, const Act& act) {
  std::vector<Json::json_pointer> places;
  const Json flat = document.flatten();
  for (const auto& item : flat.items()) {
    Json::json_pointer place(item.key());
    for (; !place.empty(); place.pop_back()) places.push_back(place);
  }
  for (std::size_t i = 0; i < places.size(); i += 1 + places.size() / 150) {
    if (document.at(places[i]) == by) continue;  // as an empty list may be right
    Json broken = document;
    broken[places[i]] = by;
    act(broken, places[i].to_string());
  }
}

}  // namespace

TEST_CASE("every kind has a name of its own, by which it is found, and a summary of one line") {
  std::set<std::string_view> names;
  for (const ModelKind* const kind : all_models()) {
    CHECK(names.insert(kind->name).second);
    CHECK(&find_model(kind->name) == kind);
    CHECK(kind->summary.find('\n') == std::string_view::npos);
    CHECK_FALSE(kind->summary.empty());
  }
  CHECK(all_models().front()->name == "hockney");
  CHECK_THROWS_WITH(find_model("plop"), Catch::Contains("'plop'; choose one of hockney, "));
}

TEST_CASE("what is estimated, kept as JSON and read again is the same model, on every platform") {
  std::vector<Platform> platforms = test_platforms();
  platforms.push_back(flat_cluster(1));
  for (unsigned seed = 0; seed < 20; ++seed)
    platforms.push_back(RandomPlatform(seed).make(1 + static_cast<int>(seed % 12)));
  unsigned seed = 0;
  for (const Platform& platform : platforms) {
    const Lmo machine = RandomModels(platform, ++seed).lmo(true);
    for (const ModelKind* const kind : all_models()) {
      INFO(kind->name << ", " << platform.ranks() << " ranks, seed " << seed);
      const double noise = platform.ranks() < 8 ? 2 : 0;
      ModelLaboratory laboratory(machine, {.percent = noise, .seed = seed});
      const Json parameters = kind->estimate(platform, laboratory);
      const std::unique_ptr<Model> model = kind->make(platform, parameters);
      CHECK(model->name() == kind->name);
      CHECK(model->describe().find('\n') == std::string::npos);
      const std::unique_ptr<Model> again = kind->make(platform, Json::parse(parameters.dump()));
      CHECK(same_costs(*model, *again, platform.ranks()));
      ModelLaboratory same(machine, {.percent = noise, .seed = seed});
      CHECK(kind->estimate(platform, same).dump() == parameters.dump());
    }
  }
}

TEST_CASE("every model of a machine says what small messages take there") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1}, {1, 1, 1}});
  Lmo::Parameters parameters = RandomModels(platform, 4).lmo(true).parameters();
  for (Lmo::Delays& processor : parameters.processors) processor = parameters.processors.front();
  for (int cluster = 0; cluster < 2; ++cluster) {
    for (LinkCost& link : parameters.links.inside(cluster)) link = {10'000'000, 1'000'000'000};
  }
  const Lmo machine(parameters);
  for (const ModelKind* const kind : all_models()) {
    INFO(kind->name);
    ModelLaboratory laboratory(machine);
    const std::unique_ptr<Model> model = kind->make(platform, kind->estimate(platform, laboratory));
    for (Rank a = 0; a < platform.ranks(); ++a) {
      for (Rank b = 0; b < platform.ranks(); ++b) {
        if (a == b || kind->name == "hockney") continue;  // which has one latency for all
        if (kind->name == "multiport") continue;          // whose latencies are the platform's, which here has none
        CHECK(off(message_time(*model, a, b, 1000), message_time(machine, a, b, 1000)) < 0.03);
      }
    }
  }
}

TEST_CASE("parameters that are broken anywhere are refused in one line that names the model, or are a model") {
  const Platform platform = clusters_of_hosts({{2, 1}, {1}});
  const Lmo machine = RandomModels(platform, 1).lmo(true);
  for (const ModelKind* const kind : all_models()) {
    ModelLaboratory laboratory(machine);
    const Json parameters = kind->estimate(platform, laboratory);
    REQUIRE(complaint(*kind, platform, parameters).empty());
    for (const Json& by : {Json("a"), Json(nullptr), Json(0.5), Json::array(), Json::object()}) {
      break_everywhere(parameters, by, [&](const Json& broken, const std::string& place) {
        const std::string said = complaint(*kind, platform, broken);
        INFO(kind->name << " with " << by.dump() << " at " << place << ": " << said);
        CHECK_FALSE(said.empty());
        CHECK(said.find('\n') == std::string::npos);
      });
    }
    break_everywhere(parameters, -1, [&](const Json& broken, const std::string& place) {
      const std::string said = complaint(*kind, platform, broken);
      INFO(kind->name << " with -1 at " << place);
      const bool of_lmo = kind->name.substr(0, 3) == "lmo" && place.find("/fixed") != 0;
      // -1: even an empty message waits for its receive.
      const bool may_be_negative = of_lmo || place.find("/eager") != std::string::npos;
      if (!may_be_negative) CHECK_FALSE(said.empty());
    });
    for (const Json& other : {Json(), Json(5), Json::array({1, 2}), Json::object()}) {
      CHECK_FALSE(complaint(*kind, platform, other).empty());
    }
  }
}

TEST_CASE("parameters of another platform are refused") {
  const Platform platform = clusters_of_hosts({{2, 1, 1}, {1, 1}});
  const Lmo machine = RandomModels(platform, 1).lmo(true);
  Platform renamed = platform;
  renamed.levels.children[1].name = "elsewhere";
  for (const ModelKind* const kind : all_models()) {
    if (kind->name == "hockney") continue;  // which is of any
    INFO(kind->name);
    ModelLaboratory laboratory(machine);
    const Json parameters = kind->estimate(platform, laboratory);
    CHECK_FALSE(complaint(*kind, clusters_of_hosts({{2, 1, 1}, {1, 1, 1}, {1}}), parameters).empty());
    CHECK_FALSE(complaint(*kind, flat_cluster(3), parameters).empty());
    if (parameters.contains("classes")) {
      CHECK(complaint(*kind, renamed, parameters).find("elsewhere") != std::string::npos);
    }
  }
}

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
