#include "platforms/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

#include "platforms/figures.hpp"

namespace tombolo::showing {

namespace {

constexpr std::size_t most_cells = 512;  // in a row
constexpr std::size_t most_names = 40;   // along a side

// A side of the picture: a rank of each host, and the clusters that these are in.
struct Side {
  std::vector<Rank> ranks;
  struct Part {
    std::string name;
    std::size_t first = 0;
    std::size_t end = 0;
  };
  std::vector<Part> parts;
  bool sampled = false;
};

// So many of them, spread evenly.
std::vector<Rank> some(const std::vector<Rank>& all, std::size_t count) {
  std::vector<Rank> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

Side side_of(const Platform& platform) {
  Side side;
  const std::vector<const Level*> all = clusters(platform.levels);
  const bool one_host = platform.hosts.size() == 1;
  std::size_t cells = platform.hosts.size();
  if (one_host) cells = platform.processors.size();
  side.sampled = cells > most_cells;
  for (const Level* cluster : all) {
    std::vector<Rank> ranks;
    for (const Level& host : cluster->children) ranks.push_back(host.ranks.front());
    if (one_host) ranks = cluster->children.front().ranks;
    std::size_t count = ranks.size();
    if (side.sampled) count = std::max<std::size_t>(count * most_cells / cells, 1);
    const std::size_t first = side.ranks.size();
    const std::vector<Rank> chosen = some(ranks, count);
    side.ranks.insert(side.ranks.end(), chosen.begin(), chosen.end());
    side.parts.push_back(
        {.name = one_host ? platform.hosts.front().name : cluster->name, .first = first, .end = side.ranks.size()});
  }
  if (side.ranks.size() > most_cells) {  // more clusters than cells
    side.ranks = some(side.ranks, most_cells);
    side.parts = {{.name = platform.levels.name, .first = 0, .end = most_cells}};
  }
  return side;
}

struct Drawing {
  std::string data;
  Range range;
};

Drawing matrix(const Platform& platform, const Side& side) {
  const Routes routes(platform);
  Drawing drawing;
  for (const Rank from : side.ranks) {
    for (const Rank to : side.ranks) {
      const Picoseconds latency = routes.latency(from, to);
      if (latency > 0) drawing.range.add(latency);
      drawing.data += latency > 0 ? fmt::format("{:.6g} ", seconds(latency)) : "NaN ";
    }
    drawing.data += '\n';
  }
  return drawing;
}

// The least and the largest time, and between them 1, 2 and 5 of each power of ten, or powers of ten only where those
// would be many; none so near to another that their words would lie over each other.
std::string colour_tics(double low, double high) {
  const double decades = std::log10(high / low);
  constexpr double many = 3;
  constexpr double apart = 0.05;  // of the height
  std::vector<double> places{std::log10(low), std::log10(high)};
  for (double power = std::floor(places[0]); power < places[1]; ++power) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double place = power + std::log10(step);
      const bool is_free =
          std::ranges::all_of(places, [&](double other) { return std::abs(place - other) > apart * decades; });
      const bool is_between = place > places[0] && place < places[1];
      if (is_between && is_free && (step == 1.0 || decades <= many)) places.push_back(place);
    }
  }
  std::string tics;
  for (const double place : places) {
    const double time = std::pow(10, place);
    const auto shown = static_cast<Picoseconds>(std::llround(time * picoseconds_per_second));
    tics += fmt::format("{}{} {:.6g}", tics.empty() ? "" : ", ", in_quotes(readable(shown)), time);
  }
  return tics;
}

std::string borders_and_names(const Side& side) {
  std::string script;
  std::string tics;
  const double last = static_cast<double>(side.ranks.size()) - 0.5;
  const std::size_t every = (side.parts.size() + most_names - 1) / most_names;
  for (std::size_t p = 0; p < side.parts.size(); ++p) {
    const Side::Part& part = side.parts[p];
    const double middle = (static_cast<double>(part.first) + static_cast<double>(part.end) - 1) / 2;
    if (p % every == 0) tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", as_tic(part.name), middle);
    if (p == 0) continue;
    const double border = static_cast<double>(part.first) - 0.5;
    for (const auto& line : {fmt::format("from {0},-0.5 to {0},{1}", border, last),
                             fmt::format("from -0.5,{0} to {1},{0}", border, last)}) {
      script += "set arrow " + line + " nohead front linewidth 0.7 linecolor rgb 'white'\n";
    }
  }
  return script + "set xtics (" + tics + ") rotate by 45 right scale 0\nset ytics (" + tics + ") scale 0\n";
}

std::string script_for(const Platform& platform, const Side& side, const Drawing& drawing) {
  const bool one_host = platform.hosts.size() == 1;
  const std::string what =
      one_host ? counted(platform.processors.size(), "rank") : counted(platform.hosts.size(), "host");
  const std::string some_of = side.sampled ? fmt::format(", {} of them drawn", side.ranks.size()) : "";
  // A scale needs two ends.
  const bool equal = drawing.range.least == drawing.range.most;
  const double low = seconds(drawing.range.least) / (equal ? 2 : 1);
  const double high = seconds(drawing.range.most) * (equal ? 2 : 1);
  const double last = static_cast<double>(side.ranks.size()) - 0.5;
  std::string script = svg_terminal(900, 800);
  script +=
      fmt::format("set title {}\n", in_quotes("latency between " + what + some_of + ": " + platform.origin.source));
  script += "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21908c', 3 '#5dc963', 4 '#fde725')\n";
  script += fmt::format("set logscale cb\nset cbrange [{:.6g}:{:.6g}]\n", low, high);
  script += "set cbtics (" + colour_tics(low, high) + ")\nset cblabel 'latency'\n";
  script += fmt::format("set xrange [-0.5:{0}]\nset yrange [{0}:-0.5]\nset size square\nunset key\n", last);
  script += borders_and_names(side);
  script += "$latency << end_of_latency\n" + drawing.data + "end_of_latency\n";
  // Cells as rectangles stay sharp; as a picture, which a viewer may blur, they are shorter.
  constexpr std::size_t most_sharp = 100;
  return script + "plot $latency matrix with image" + (side.ranks.size() <= most_sharp ? " pixels\n" : "\n");
}

}  // namespace

std::string to_heat_map(const Platform& platform) {
  const Side side = side_of(platform);
  const Drawing drawing = matrix(platform, side);
  if (!drawing.range.any) {
    throw Error("there are no latencies to draw", "show a platform of several ranks, as text");
  }
  return drawn_as_svg(script_for(platform, side, drawing));
}

}  // namespace tombolo::showing
