#include <fmt/format.h>

#include <tombolo/platform/readable.hpp>

namespace tombolo {

std::string readable(Picoseconds time) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  const double t = seconds(time);
  if (time == never) return fmt::format("more than {:.4g} s", t);
  for (const Unit& unit : units) {
    if (t >= unit.seconds) return fmt::format("{:.4g} {}", t / unit.seconds, unit.name);
  }
  return fmt::format("{} ps", time);
}

}  // namespace tombolo
