#include "tuning_option.hpp"

#include "files.hpp"

namespace tombolo {

CLI::Option* add_tuning(CLI::App& command, std::string& tuning) {
  return command
      .add_option("--tuning", tuning, "Keep to what tombolo tune decided; default: the file that TOMBOLO_TUNING names")
      ->transform(input_file())
      ->type_name("FILE.json");
}

}  // namespace tombolo
