#include "command.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/arrays/panel_file.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "option_group.hpp"

namespace tombolo {

namespace {

constexpr const char* tuning_variable = "TOMBOLO_TUNING";

struct NamedFile {
  std::string option;
  std::string path;
  bool written = false;
};

bool has(CLI::Option& option, const char* validator) {
  try {
    return option.get_validator(validator) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

std::vector<NamedFile> files_of(CLI::App& command) {
  std::vector<NamedFile> files;
  for (CLI::Option* const option : command.get_options({})) {
    const bool written = has(*option, written_file);
    const char* const other = option->get_name() == "--tuning" ? std::getenv(tuning_variable) : nullptr;
    if (!written && !has(*option, read_file)) continue;
    if (option->count() > 0) {
      files.push_back({option->get_name(), option->as<std::string>(), written});
    } else if (other != nullptr) {
      files.push_back({tuning_variable, other, written});
    }
  }
  return files;
}

// An output lies in a file of another name until it is finished.
void check_unfinished(const NamedFile& output, const NamedFile& other) {
  for (const std::filesystem::path& unfinished : {partial_of(output.path), journal_of(output.path)}) {
    if (!is_same_file(unfinished, other.path)) continue;
    throw Error(fmt::format("{} {} is where {} {} is kept until it is finished", other.option, printable(other.path),
                            output.option, printable(output.path)),
                "give one of them another name");
  }
}

void check(const std::vector<NamedFile>& files, const std::vector<MayReplace>& allowed) {
  const auto may_replace = [&](const NamedFile& one, const NamedFile& other) {
    return std::any_of(allowed.begin(), allowed.end(),
                       [&](const MayReplace& pair) { return pair.output == one.option && pair.input == other.option; });
  };
  for (auto other = files.begin(); other != files.end(); ++other) {
    for (auto one = files.begin(); one != other; ++one) {
      if (one->written) check_unfinished(*one, *other);
      if (other->written) check_unfinished(*other, *one);
      if (!one->written && !other->written) continue;
      if (may_replace(*one, *other) || may_replace(*other, *one) || !is_same_file(one->path, other->path)) continue;
      throw Error(fmt::format("{} {} and {} {} are the same file", one->option, printable(one->path), other->option,
                              printable(other->path)),
                  "give them different names");
    }
  }
}

}  // namespace

void when_chosen(CLI::App& command, Run& run, Run what, std::vector<MayReplace> allowed) {
  command.callback([&command, &run, what = std::move(what), allowed = std::move(allowed)] {
    run = [&command, what, allowed](Session& session) {
      agree(session.communicator(), [&] { check(files_of(command), allowed); });
      return what(session);
    };
  });
}

std::string what_is_missing(const CLI::App& app, const std::string& kind) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  const std::vector<std::string> unknown = app.remaining();
  const std::string cause = unknown.empty()
                                ? "no " + kind
                                : fmt::format("'{}' is not {} {}", unknown.front(), kind[0] == 'a' ? "an" : "a", kind);
  return fmt::format("{}; choose one of {}", cause, names);
}

}  // namespace tombolo
