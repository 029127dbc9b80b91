#include "discover/options.hpp"

#include <algorithm>
#include <limits>

#include <tombolo/framework/kernel.hpp>

#include "files.hpp"
#include "validators.hpp"

namespace tombolo::discovering {

namespace {

// In the order stated, each once.
std::vector<std::string> kernels_of(const std::vector<std::string>& words) {
  std::vector<std::string> kernels;
  const auto add = [&](const std::string& name) {
    if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) kernels.push_back(name);
  };
  for (const std::string& word : words) {
    if (word == "all") {
      for (const std::string& name : kernel_names()) add(name);
    } else if (find_kernel(word) != nullptr) {
      add(word);
    } else {
      throw CLI::ValidationError("--kernels", "'" + word + "' is not one of all, " + listed(kernel_names()));
    }
  }
  return kernels;
}

}  // namespace

void add_options(CLI::App& command, Options& options) {
  command
      .add_option("-o,--output", options.output,
                  "Write the platform here; default: where later runs on the same hosts look for it")
      ->transform(output_file())
      ->type_name("FILE.json");
  command
      .add_option(
          "--budget", options.budget,
          "Seconds that measuring may take; figures get less sure with fewer; default: 30, and half a second for "
          "each host from the 33rd to the 128th")
      ->check(number_within(0.1, 1e6))
      ->type_name("SECONDS");
  command
      .add_option("--precision", options.precision,
                  "A figure is measured no more once its 95 % confidence interval is so narrow, to either side")
      ->capture_default_str()
      ->check(number_within(1e-4, 1.0))
      ->type_name("PART");
  command
      .add_option("--bound", options.bound,
                  "Hosts form a logical cluster if their links agree within this part of each other")
      ->capture_default_str()
      ->check(number_within(1e-3, 10.0))
      ->type_name("PART");
  command
      .add_option("--levels", options.levels,
                  "State who is near whom: a file with lines such as 'orsay/c1: 0-19' or 'grenoble: node*'; default: "
                  "TOMBOLO_LEVELS in the environment of each process, such as 'orsay/c1'; else it is found")
      ->transform(input_file())
      ->type_name("FILE");
  command
      .add_option_function<std::vector<std::string>>(
          "--kernels", [&options](const std::vector<std::string>& words) { options.kernels = kernels_of(words); },
          "Measure the speeds of these kernels too, by problem size, some tenths of a second for each size: " +
              listed(kernel_names()))
      ->delimiter(',')
      ->type_name("NAME,...|all");
  command
      .add_option("--threads", options.threads,
                  "BLAS threads per rank; default: the cores of each host, shared out among its ranks")
      ->type_name("INT")
      ->transform(whole_number(1, std::numeric_limits<int>::max()));
}

}  // namespace tombolo::discovering
