#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/interpose/report.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo::interpose {

namespace {

constexpr std::array<std::string_view, reasons> words{"planned",   "one host",     "no platform",   "communicator",
                                                      "datatypes", "non-blocking", "persistent",    "arguments",
                                                      "no data",   "first calls",  "native faster", "native asked for"};

double ms(double seconds) {
  return seconds * 1e3;
}

void add(const CallRow& row, std::vector<CallRow>& rows) {
  const auto known = std::ranges::find_if(rows, [&](const CallRow& other) {
    return other.operation == row.operation && other.bytes == row.bytes && other.how == row.how;
  });
  if (known == rows.end()) return rows.push_back(row);
  known->planned += row.planned;
  known->planned_seconds += row.planned_seconds;
  known->native_seconds += row.native_seconds;
  for (std::size_t reason = 0; reason < reasons; ++reason) known->passed[reason] += row.passed[reason];
  known->compared_planned = std::max(known->compared_planned, row.compared_planned);
  known->compared_native = std::max(known->compared_native, row.compared_native);
}

}  // namespace

void add(CommunicatorReport report, std::vector<CommunicatorReport>& reports) {
  constexpr std::size_t told_apart = 100;
  if (reports.size() < told_apart) return reports.push_back(std::move(report));
  report.name = "further communicators";
  const auto known = std::find_if(reports.begin() + told_apart, reports.end(), [&](const CommunicatorReport& other) {
    return other.ranks == report.ranks && other.other_ranks == report.other_ranks;
  });
  if (known == reports.end()) return reports.push_back(std::move(report));
  for (const CallRow& row : report.rows) add(row, known->rows);
}

std::string_view describe(Reason reason) {
  return words[static_cast<std::size_t>(reason)];
}

std::string to_text(const std::vector<CommunicatorReport>& reports, std::string_view platform) {
  std::string text = fmt::format("platform: {}\ntimes in ms, of the communicator's rank 0\n", platform);
  for (const CommunicatorReport& report : reports) {
    text += fmt::format("\n{}, {}{}\n{:<15} {:>10} {:>8} {:>10} {:>8} {:>10} {:>10} {:>10}  {}\n",
                        report.name.empty() ? "a communicator" : report.name, counted(report.ranks, "rank"),
                        report.other_ranks == 0 ? "" : fmt::format(" and {} of another group", report.other_ranks),
                        "operation", "bytes", "planned", "time", "passed", "time", "planned/call", "native/call",
                        "plan; why passed");
    for (const CallRow& row : report.rows) {
      std::int64_t passed = 0;
      std::string why;
      for (std::size_t reason = 0; reason < reasons; ++reason) {
        if (row.passed[reason] == 0) continue;
        passed += row.passed[reason];
        why += fmt::format("; {} {}", row.passed[reason], words[reason]);
      }
      const auto each = [](double time) { return time > 0 ? fmt::format("{:.4g}", ms(time)) : std::string("-"); };
      text += fmt::format("{:<15} {:>10} {:>8} {:>10.4g} {:>8} {:>10.4g} {:>12} {:>11}  {}{}\n", name(row.operation),
                          row.bytes, row.planned, ms(row.planned_seconds), passed, ms(row.native_seconds),
                          each(row.compared_planned), each(row.compared_native), row.how, why);
    }
  }
  return text;
}

std::string to_json(const std::vector<CommunicatorReport>& reports, std::string_view platform) {
  Json all = Json::array();
  for (const CommunicatorReport& report : reports) {
    Json calls = Json::array();
    for (const CallRow& row : report.rows) {
      Json passed = Json::object();
      for (std::size_t reason = 0; reason < reasons; ++reason) {
        if (row.passed[reason] > 0) passed[std::string(words[reason])] = row.passed[reason];
      }
      calls.push_back({{"operation", name(row.operation)},
                       {"bytes", row.bytes},
                       {"planned", row.planned},
                       {"planned_s", row.planned_seconds},
                       {"passed", passed},
                       {"passed_s", row.native_seconds},
                       {"planned_call_s", row.compared_planned},
                       {"native_call_s", row.compared_native},
                       {"plan", row.how}});
    }
    all.push_back({{"communicator", report.name},
                   {"ranks", report.ranks},
                   {"other_ranks", report.other_ranks},
                   {"calls", std::move(calls)}});
  }
  // A communicator's name may be any bytes.
  return Json{{"platform", platform}, {"communicators", std::move(all)}}.dump(1, ' ', false,
                                                                              Json::error_handler_t::replace) +
         "\n";
}

std::vector<CommunicatorReport> reports_from_json(std::string_view json) {
  std::vector<CommunicatorReport> reports;
  const Json document = Json::parse(json);
  for (const Json& each : document.at("communicators")) {
    CommunicatorReport report{
        .name = each.at("communicator"), .ranks = each.at("ranks"), .other_ranks = each.at("other_ranks"), .rows = {}};
    for (const Json& call : each.at("calls")) {
      CallRow row{.operation = find_operation(call.at("operation").get<std::string>()).value(),
                  .bytes = call.at("bytes"),
                  .planned = call.at("planned"),
                  .planned_seconds = call.at("planned_s"),
                  .native_seconds = call.at("passed_s"),
                  .how = call.at("plan"),
                  .compared_planned = call.at("planned_call_s"),
                  .compared_native = call.at("native_call_s")};
      for (std::size_t reason = 0; reason < reasons; ++reason) {
        row.passed[reason] = call.at("passed").value(std::string(words[reason]), std::int64_t{0});
      }
      report.rows.push_back(std::move(row));
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace tombolo::interpose
