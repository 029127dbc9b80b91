#include "output_folder.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

void make_output_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error) return;
  throw Error(fmt::format("cannot make the folder {}: {}", printable(folder), error.message()), "choose another one");
}

}  // namespace tombolo
