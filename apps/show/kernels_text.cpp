#include <set>

#include <fmt/format.h>

#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/system/posix_file.hpp>

#include "show/figures.hpp"
#include "show/text.hpp"

namespace tombolo::showing {

namespace {

constexpr std::size_t most_rows = 40;

}  // namespace

std::string kernels_text(const Platform& platform) {
  const auto kernels = stored_kernels(platform);
  if (kernels.empty()) return "";
  Table table({"kernel", "size", "ranks", "speed of a rank", "measured"}, "<>>><");
  std::size_t rows = 0;
  std::size_t left_out = 0;
  for (const auto& [name, speeds] : kernels) {
    std::set<std::int64_t> sizes;
    for (const SpeedFunction& function : speeds.by_rank) {
      for (const SpeedPoint& point : function.points()) sizes.insert(point.size);
    }
    const std::string date = speeds.date.empty() ? "-" : printable(speeds.date);
    for (const std::int64_t size : sizes) {
      Range range;
      std::size_t ranks = 0;
      for (const SpeedFunction& function : speeds.by_rank) {
        for (const SpeedPoint& point : function.points()) {
          if (point.size != size) continue;
          range.add(point.speed);
          ++ranks;
        }
      }
      if (++rows > most_rows) {
        ++left_out;
        continue;
      }
      const auto shown = [&unit = speeds.unit](std::int64_t value) {
        return in_thousands(value, printable(unit) + "/s");
      };
      table.add({printable(name), std::to_string(size), std::to_string(ranks), range.text(shown), date});
    }
  }
  std::string text = "speeds of kernels, by problem size\n" + table.text();
  if (left_out > 0) text += fmt::format("and {} more\n", left_out);
  return text;
}

}  // namespace tombolo::showing
