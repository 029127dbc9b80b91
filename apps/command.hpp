#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tombolo/session.hpp>

namespace CLI {
class App;
}

namespace tombolo {

/// The work of a command once its options are read. Runs on all ranks; returns the exit status, the same on all.
using Run = std::function<int(Session&)>;

/// Adds one command with its options and help to the application; when it is chosen, sets `run`. Every command named in
/// commands.def is such a function, add_NAME.
using AddCommand = void(CLI::App& app, Run& run);

#define TOMBOLO_COMMAND(name) AddCommand add_##name;
#include "commands.def"
#undef TOMBOLO_COMMAND

/// An option of a file that is written, and one of a file that it may take the place of.
struct MayReplace {
  std::string output;
  std::string input;
};

/// When the command is chosen, `run` does `what`, once no file that it is to write is one that it reads, but for those
/// that it may replace, or writes as well: the Error "--c x and --report ./x are the same file" on all ranks, where it
/// is so on any. OptionGroup::input() and output() say which files are read and written.
void when_chosen(CLI::App& command, Run& run, Run what, std::vector<MayReplace> allowed = {});

/// The complaint "no command; choose one of matmul, transpose" where nothing was chosen of an app that allows extras,
/// or what none is called: 'x' is not a command. `kind`: the word for what there is to choose.
std::string what_is_missing(const CLI::App& app, const std::string& kind);

}  // namespace tombolo
