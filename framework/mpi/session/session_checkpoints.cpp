// Options of checkpoints: the methods of Session, and their words.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/framework/program/declare/saved_state.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/environment.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::array variables{"TOMBOLO_CHECKPOINT", "TOMBOLO_CHECKPOINT_EVERY", "TOMBOLO_RESUME"};
constexpr char behind_each = '\0';

std::string all_values() {
  std::string values;
  for (const char* const variable : variables) values.append(environment(variable)).push_back(behind_each);
  return values;
}

std::string_view next_value(std::string_view& values) {
  const std::string_view value = values.substr(0, values.find(behind_each));
  values.remove_prefix(value.size() + 1);
  return value;
}

CheckpointOptions from_environment(std::string_view values) {
  CheckpointOptions options;
  options.folder = next_value(values);
  const std::string every(next_value(values));
  const std::string_view resume = next_value(values);
  if (!every.empty()) set_interval(options, every);
  options.resume = resume == "yes";
  if (!resume.empty() && resume != "yes" && resume != "no") {
    throw Error(fmt::format("TOMBOLO_RESUME is {}", tombolo::quoted(resume)), "set it to yes or no");
  }
  return options;
}

}  // namespace

void set_interval(CheckpointOptions& options, const std::string& words) {
  double number = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(words.data() + words.size() - end));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  constexpr std::array minutes{std::pair("s", 1.0 / 60), std::pair("m", 1.0), std::pair("h", 60.0)};
  if (error == std::errc{} && number > 0 && number <= 1e15) {
    if (unit == "passes" || unit == "pass") {
      options.every_passes = static_cast<std::int64_t>(number);
      if (options.every_passes > 0 && static_cast<double>(options.every_passes) == number) return;
    }
    for (const auto& [name, factor] : minutes) {
      if (unit != name) continue;
      options.every_minutes = number * factor;
      options.every_passes = 0;
      return;
    }
  }
  throw Error(fmt::format("{} is no interval of checkpoints", tombolo::quoted(words)),
              "state a time such as 90s, 10m or 2h, or a number of passes such as '50 passes'");
}

void Session::use_checkpoints(CheckpointOptions options) {
  state_->checkpoints = std::move(options);
}

const CheckpointOptions& Session::checkpoints() {
  if (!state_->checkpoints) {
    const std::string values = text_from(communicator_, 0, all_values());
    agree(communicator_, [&] { state_->checkpoints = from_environment(values); });
  }
  return *state_->checkpoints;
}

std::string Session::checkpoint_name(const std::string& program) {
  const std::string name = file_name_of(program);
  const int count = ++state_->saved_programs[name];
  return count == 1 ? name : fmt::format("{}-{}", name, count);
}

}  // namespace tombolo
