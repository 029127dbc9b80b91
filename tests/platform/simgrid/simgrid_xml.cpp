#include <algorithm>
#include <map>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/simgrid/simgrid_write.hpp>
#include <tombolo/platform/simgrid/simgrid_xml.hpp>
#include <tombolo/units.hpp>

#include "platform/descriptions.hpp"

using namespace tombolo;

namespace {

std::vector<std::string> cluster_names(const Platform& platform) {
  std::vector<std::string> names;
  for (const Level* cluster : clusters(platform.levels)) names.push_back(cluster->name);
  return names;
}

const Level& cluster(const Platform& platform, const std::string& name) {
  for (const Level* found : clusters(platform.levels)) {
    if (found->name == name) return *found;
  }
  FAIL("no cluster " << name);
  return platform.levels;
}

Platform read(const std::string& zones, const std::vector<std::string>& hosts = {}) {
  return platform_from_simgrid("<platform version=\"4.1\">" + zones + "</platform>", "x.xml", hosts);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the clusters of the platforms that come along are found, with their names") {
  const Names grid = {"c1", "c21", "c22", "c23", "c3", "c4"};
  CHECK(cluster_names(described("grid5000")) == grid);
  CHECK(cluster_names(described("grid5000-cyclic")) == grid);
  CHECK(cluster_names(described("mpichg2")) == Names{"sdsc", "anlsp", "anlo2k"});
  CHECK(cluster_names(described("icluster2")) == Names{"s0", "s1", "s2", "s3", "s4"});
  CHECK(cluster_names(described("ucd16")) == Names{"switch"});
  CHECK(cluster_names(described("uniform64")) == Names{"u"});
}

TEST_CASE("clusters at one site are one group") {
  const Platform grid = described("grid5000");
  REQUIRE(grid.levels.children.size() == 4);
  CHECK(grid.levels.children[1].kind == Level::Kind::group);
  CHECK(grid.levels.children[1].ranks.size() == 19);
  const Platform globus = described("mpichg2");
  REQUIRE(globus.levels.children.size() == 2);
  CHECK(globus.levels.children[1].ranks.size() == 32);
}

TEST_CASE("latencies are sums over a route, rates its least, totals what its shared links carry") {
  const Platform grid = described("grid5000");
  const Routes routes(grid);
  CHECK(routes.latency(0, 1) == 48'390'000);
  CHECK(routes.latency(0, 20) == 6'535'535'000 + 24'195'000 + 17'760'000);
  CHECK(routes.rate(0, 20) == 125'000'000);
  const Link& long_link = grid.links[link_index(0, 4, 6)];
  CHECK(long_link.total.value == 1'250'000'000);
  CHECK(long_link.flows == 20);
  const Link& few_hosts = grid.links[link_index(0, 3, 6)];
  CHECK(few_hosts.total.value == 7 * few_hosts.rate.value);
  for (const Level* each : clusters(grid.levels)) CHECK(each->uplink.value == 0);
}

TEST_CASE("hosts behind different switches are different clusters, though latencies agree") {
  const Platform switches = described("icluster2");
  CHECK(switches.levels.uplink.value == 0);
  for (const Level* each : clusters(switches.levels)) {
    CHECK(each->uplink.value == 125'000'000);
    CHECK(each->children.size() == 20);
  }
  for (const Link& link : switches.links) {
    CHECK(link.rate.value == 12'500'000);
    CHECK(link.total.value == 125'000'000);
    CHECK(link.flows == 20);
  }
}

TEST_CASE("a backbone that all messages of a cluster use is told from an uplink, and is written again") {
  const auto cluster_of = [](const char* name, const char* rate) {
    return fmt::format(
        "<cluster id='{0}' prefix='{0}' suffix='' radical='0-3' speed='2Gf' bw='125MBps' lat='10us' "
        "bb_bw='{1}' bb_lat='5us' router_id='{0}r'/>",
        name, rate);
  };
  const Platform platform =
      read("<zone id='all' routing='Full'>" + cluster_of("a", "200MBps") + cluster_of("b", "1GBps") +
           "<link id='l' bandwidth='1GBps' latency='2ms'/>"
           "<zoneRoute src='a' dst='b' gw_src='ar' gw_dst='br'><link_ctn id='l'/></zoneRoute></zone>");
  CHECK(cluster(platform, "a").backbone.value == 200'000'000);
  CHECK(cluster(platform, "a").uplink.value == 0);
  CHECK(cluster(platform, "b").backbone.value == 0);  // four hosts send half as much
  const Platform copy = platform_from_simgrid(to_simgrid(platform), "copy.xml", {});
  CHECK(cluster(copy, "a").backbone == cluster(platform, "a").backbone);
  CHECK(copy.hosts == platform.hosts);
}

TEST_CASE("hosts of several types behind one switch keep their own figures") {
  const Platform ucd = described("ucd16");
  CHECK(ucd.hosts[0].rate.value == 46'000'000);
  CHECK(ucd.hosts[10].name == "t4-0");
  CHECK(ucd.hosts[10].latency.value == 247'000'000);
  CHECK(Routes(ucd).latency(10, 13) == 283'400'000);
  CHECK(ucd.processors[8].speed == 3'000'000'000);
}

TEST_CASE("a cluster's backbone lies between its hosts, and limits them") {
  const Platform one = read(
      "<cluster id='c' prefix='n' suffix='.x' radical='0-3,8' speed='2Gf' core='4' bw='125MBps' lat='10us' "
      "bb_bw='1Gbps' bb_lat='5us' sharing_policy='SHARED' loopback_bw='1GBps' loopback_lat='1us'/>",
      {"n0.x", "n8.x", "n1.x", "n0.x"});
  CHECK(one.hosts.size() == 3);
  const Routes routes(one);
  CHECK(routes.latency(0, 1) == 25'000'000);
  CHECK(routes.rate(1, 2) == 125'000'000);
  CHECK(routes.latency(0, 3) == 1'000'000);
  CHECK(routes.rate(3, 0) == 1'000'000'000);
  CHECK(one.levels.backbone.value == 125'000'000);
  CHECK(one.processors[0].speed == 4'000'000'000);
  CHECK(one.processors[0].threads == 2);
  CHECK(one.processors[1].speed == 8'000'000'000);
}

TEST_CASE("routes through zones in zones, by gateways and shortest paths") {
  const Platform nested = read(
      "<AS id='w' routing='Full'>"
      "<AS id='a' routing='Floyd'>"
      "<host id='a0' speed='1Gf'/><host id='a1' speed='1Gf'/><router id='r'/>"
      "<link id='l0' bandwidth='10MBps' latency='1us'/><link id='l1' bandwidth='20MBps' latency='1us'/>"
      "<route src='a0' dst='r'><link_ctn id='l0'/></route><route src='r' dst='a1'><link_ctn id='l1'/></route></AS>"
      "<zone id='b' routing='None'><host id='b0' speed='1Gf'/></zone>"
      "<link id='ab' bandwidth='1MBps' latency='1ms' sharing_policy='SPLITDUPLEX'/>"
      "<ASroute src='a' dst='b' gw_src='r' gw_dst='b0'><link_ctn id='ab' direction='UP'/></ASroute></AS>");
  const Routes routes(nested);
  CHECK(routes.latency(0, 1) == 2'000'000);
  CHECK(routes.rate(0, 1) == 10'000'000);
  CHECK(routes.latency(2, 1) == 1'001'000'000);
  CHECK(routes.rate(0, 2) == 1'000'000);
}

TEST_CASE("fat trees, tori and dragonflies are read with their routes") {
  const auto of = [](const std::string& topology, const std::string& parameters) {
    return read(
        fmt::format("<cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' bw='125MBps' lat='10us' "
                    "topology='{}' topo_parameters='{}'/>",
                    topology, parameters));
  };
  const Platform tree = of("FAT_TREE", "2;4,4;1,2;1,2");
  CHECK(tree.ranks() == 16);
  CHECK(Routes(tree).latency(0, 1) < Routes(tree).latency(0, 4));
  const Platform torus = of("TORUS", "4,4");
  CHECK(torus.ranks() == 16);
  CHECK(Routes(torus).rate(0, 5) == 125'000'000);
  const Platform dragonfly = of("DRAGONFLY", "2,1;2,1;2,1;2");
  CHECK(dragonfly.ranks() == 16);
}

TEST_CASE("parallel links out of a part of a fat tree are one uplink") {
  const auto tree = [](const std::string& parameters) {
    return read(
        "<cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' bw='100MBps' lat='10us' "
        "topology='FAT_TREE' topo_parameters='" +
        parameters + "'/>");
  };
  const Platform tapered = tree("2;4,4;1,2;1,1");
  REQUIRE(clusters(tapered.levels).size() == 4);
  for (const Level* cluster : clusters(tapered.levels)) CHECK(cluster->uplink.value == 200'000'000);
  CHECK(tapered.origin.not_measured.size() == 1);  // overheads alone
  const Platform full = tree("2;4,4;1,2;1,2");
  for (const Level* cluster : clusters(full.levels)) CHECK(cluster->uplink.value == 0);
}

TEST_CASE("a link that all messages between clusters share is the backbone of their group") {
  const std::string three =
      "<zone id='g' routing='Full'>"
      "<cluster id='a' prefix='a' suffix='' radical='0-7' speed='1Gf' bw='100MBps' lat='10us' router_id='ar'/>"
      "<cluster id='b' prefix='b' suffix='' radical='0-7' speed='1Gf' bw='100MBps' lat='10us' router_id='br'/>"
      "<cluster id='c' prefix='c' suffix='' radical='0-7' speed='1Gf' bw='100MBps' lat='10us' router_id='cr'/>"
      "<link id='all' bandwidth='300MBps' latency='100us' sharing_policy='SHARED'/>"
      "<zoneRoute src='a' dst='b' gw_src='ar' gw_dst='br'><link_ctn id='all'/></zoneRoute>"
      "<zoneRoute src='b' dst='c' gw_src='br' gw_dst='cr'><link_ctn id='all'/></zoneRoute>"
      "<zoneRoute src='a' dst='c' gw_src='ar' gw_dst='cr'><link_ctn id='all'/></zoneRoute></zone>";
  const Platform platform = read(three);
  CHECK(platform.levels.backbone.value == 300'000'000);
  for (const Level* cluster : clusters(platform.levels))
    CHECK((cluster->uplink.value == 0 && cluster->backbone.value == 0));
  CHECK(platform.origin.not_measured.size() == 1);  // overheads alone
  const Platform copy = platform_from_simgrid(to_simgrid(platform), "copy.xml", {});
  CHECK(copy.levels.backbone == platform.levels.backbone);
}

TEST_CASE("a line that the messages of several sites share is the uplink of a group of these") {
  const std::string policies[] = {"SPLITDUPLEX", "SHARED"};
  for (const std::string& policy : policies) {
    const bool split = policy == "SPLITDUPLEX";
    std::string row = "<zone id='g' routing='Full'>";
    for (const std::string site : {"a", "b", "c", "d"}) {
      row += fmt::format(
          "<cluster id='{0}' prefix='{0}' suffix='' radical='0-3' speed='1Gf' bw='100MBps' lat='10us' "
          "router_id='{0}r'/>",
          site);
    }
    for (const auto& [line, rate] : {std::pair{"ab", 50}, {"bc", 8}, {"cd", 90}}) {
      row += fmt::format("<link id='{}' bandwidth='{}MBps' latency='2ms' sharing_policy='{}'/>", line, rate, policy);
    }
    const std::string sites = "abcd";
    for (std::size_t from = 0; from < sites.size(); ++from) {
      for (std::size_t to = from + 1; to < sites.size(); ++to) {
        row += fmt::format("<zoneRoute src='{0}' dst='{1}' gw_src='{0}r' gw_dst='{1}r'>", sites[from], sites[to]);
        for (std::size_t line = from; line < to; ++line) {
          row += fmt::format("<link_ctn id='{}'{}/>", sites.substr(line, 2), split ? " direction='UP'" : "");
        }
        row += "</zoneRoute>";
      }
    }
    const Platform platform = read(row + "</zone>");
    REQUIRE(platform.levels.children.size() == 2);
    for (const Level& half : platform.levels.children) {
      CHECK(half.children.size() == 2);
      CHECK(half.uplink.value == 8'000'000);
    }
    CHECK(cluster_names(platform) == Names{"a", "b", "c", "d"});
    CHECK(cluster(platform, "a").uplink.value == 50'000'000);
    CHECK(cluster(platform, "d").uplink.value == 90'000'000);
    if (split) CHECK(platform.origin.not_measured.size() == 1);  // overheads alone
  }
}

TEST_CASE("lines that some links share, as on a ring, are found with their ways round") {
  std::string ring = "<zone id='g' routing='Full'>";
  for (int site = 0; site < 5; ++site) {
    ring += fmt::format(
        "<cluster id='s{0}' prefix='s{0}' suffix='' radical='0-1' speed='1Gf' bw='100MBps' lat='10us' "
        "router_id='s{0}r' "
        "sharing_policy='SPLITDUPLEX'/><link id='l{0}' bandwidth='{1}MBps' latency='2ms' "
        "sharing_policy='SPLITDUPLEX'/>",
        site, 10 + 10 * site);
  }
  for (int from = 0; from < 5; ++from) {
    for (int to = from + 1; to < 5; ++to) {
      ring += fmt::format("<zoneRoute src='s{0}' dst='s{1}' gw_src='s{0}r' gw_dst='s{1}r'>", from, to);
      const bool forward = to - from <= 2;
      for (int at = from; at != to; at = (at + (forward ? 1 : 4)) % 5) {
        ring +=
            fmt::format("<link_ctn id='l{}' direction='{}'/>", forward ? at : (at + 4) % 5, forward ? "UP" : "DOWN");
      }
      ring += "</zoneRoute>";
    }
  }
  const Platform platform = read(ring + "</zone>");
  REQUIRE(platform.lines.size() == 5);
  const auto line = [&](BytesPerSecond rate) {
    return std::ranges::find(platform.lines, rate, [](const SharedLine& one) { return one.rate.value; })->pairs;
  };
  CHECK(line(10'000'000) == std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {4, 1}});
  CHECK(line(30'000'000) == std::vector<std::pair<int, int>>{{1, 3}, {2, 3}, {2, 4}});
  CHECK(platform.origin.not_measured.size() == 1);  // overheads alone
}

TEST_CASE("cabinets, and shared links that a platform has no figure for") {
  const Platform cabinets = read(
      "<zone id='c' routing='Cluster'>"
      "<cabinet id='one' prefix='n' suffix='' radical='0-2' speed='1Gf' bw='125MBps' lat='10us'/>"
      "<cabinet id='two' prefix='n' suffix='' radical='3-4' speed='2Gf' bw='125MBps' lat='20us'/>"
      "<backbone id='b' bandwidth='200MBps' latency='5us'/></zone>");
  CHECK(cabinets.ranks() == 5);
  CHECK(Routes(cabinets).latency(0, 1) == 25'000'000);
  CHECK(cabinets.levels.backbone.value == 200'000'000);
  const Platform torus = read(
      "<cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' bw='125MBps' lat='10us' topology='TORUS' "
      "topo_parameters='4,4'/>");
  const auto is_shared = [](const std::string& note) { return note.starts_with("that messages inside c share"); };
  CHECK(std::ranges::count_if(torus.origin.not_measured, is_shared) == 8);
  const Platform both_ways = read(
      "<zone id='w' routing='Full'>"
      "<cluster id='a' prefix='a' suffix='' radical='0-3' speed='1Gf' bw='100MBps' lat='10us' router_id='ar'/>"
      "<cluster id='b' prefix='b' suffix='' radical='0-3' speed='1Gf' bw='100MBps' lat='10us' router_id='br'/>"
      "<link id='line' bandwidth='150MBps' latency='1ms' sharing_policy='SHARED'/>"
      "<zoneRoute src='a' dst='b' gw_src='ar' gw_dst='br'><link_ctn id='line'/></zoneRoute></zone>");
  CHECK(cluster(both_ways, "a").uplink.value == 150'000'000);
  CHECK(both_ways.origin.not_measured.front() == "that messages out and in share line (150 MB/s)");
}

TEST_CASE("of links whose directions differ the lower rate and the mean latency are taken, and it is said") {
  const Platform platform = read(
      "<zone id='w' routing='Full'>"
      "<cluster id='a' prefix='a' suffix='' radical='0-3' speed='1Gf' bw='1GBps' lat='10us' router_id='ar'/>"
      "<cluster id='b' prefix='b' suffix='' radical='0-3' speed='1Gf' bw='1GBps' lat='10us' router_id='br'/>"
      "<link id='up' bandwidth='10MBps' latency='3ms'/><link id='down' bandwidth='100MBps' latency='9ms'/>"
      "<zoneRoute src='a' dst='b' gw_src='ar' gw_dst='br' symmetrical='NO'><link_ctn id='up'/></zoneRoute>"
      "<zoneRoute src='b' dst='a' gw_src='br' gw_dst='ar' symmetrical='NO'><link_ctn id='down'/></zoneRoute></zone>");
  CHECK(platform.links.front().rate.value == 10'000'000);
  CHECK(Routes(platform).latency(0, 4) == 6'020'000'000);
  CHECK(platform.origin.not_measured.front() ==
        "the faster direction between a and b (10 MB/s there, 100 back; the lower is taken)");
}

TEST_CASE("a thousand hosts in clusters take about a second") {
  std::string zones = "<zone id='all' routing='Full'>";
  for (int c = 0; c < 16; ++c) {
    zones += fmt::format(
        "<cluster id='k{0}' prefix='k{0}-' suffix='' radical='0-63' speed='{1}Gf' bw='125MBps' lat='{1}us'/>"
        "<link id='up{0}' bandwidth='1GBps' latency='100us'/>",
        c, c + 10);
  }
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b < a; ++b) {
      zones += fmt::format(
          "<zoneRoute src='k{0}' dst='k{1}' gw_src='k{0}-k{0}_router' gw_dst='k{1}-k{1}_router'>"
          "<link_ctn id='up{0}'/><link_ctn id='up{1}'/></zoneRoute>",
          a, b);
    }
  }
  const Platform large = read(zones + "</zone>");
  CHECK(large.ranks() == 1024);
  REQUIRE(clusters(large.levels).size() == 16);
  CHECK(cluster(large, "k7").uplink.value == 1'000'000'000);
  CHECK(Routes(large).latency(0, 1023) == 10'000'000 + 200'000'000 + 25'000'000);
}

TEST_CASE("what cannot be planned for is said in one line, with its place") {
  const std::string link = "<link id='l' bandwidth='1MBps' latency='1us'/>";
  const std::string hosts = "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>";
  const auto zone = [](const std::string& text) { return "<zone id='z' routing='Full'>\n" + text + "</zone>"; };
  const auto cluster_of = [](const std::string& attributes) {
    return "<cluster id='c' prefix='' suffix='' " + attributes + "/>";
  };
  const std::map<std::string, std::string> wrong = {
      // What Tombolo itself refuses.
      {zone(hosts), "no route from a to b"},
      {zone(""), "describes no host"},
      {"", "describes no host"},
      {zone("<host id='a' speed='-1Gf'/>"), "speed of a is -1e+09"},
      {zone("<host id='a' speed='nan'/>"), "speed of a is not finite"},
      {zone("<host id='a' speed='inf'/>"), "speed of a is not finite"},
      {zone("<host id='a' speed='1Gf' availability_file='f'/>"), "line 2, <host>: availability_file \"f\""},
      {zone(hosts + "<trace id='t'/>"), "line 2, <trace>: this element"},
      {zone("<peer id='p'/>"), "<peer>"},
      {zone("<link id='l' bandwidth='1MBps' latency='1us' sharing_policy='WIFI'/>"), "sharing_policy \"WIFI\""},
      {"<zone id='z' routing='Vivaldi'/>", "routing \"Vivaldi\""},
      {zone("<link id='l' bandwidth='0' latency='1us'/>" + hosts + "<route src='a' dst='b'><link_ctn id='l'/></route>"),
       "the bandwidth of link l is 0"},
      {zone("<link id='l' bandwidth='1MBps' latency='-1us'/>" + hosts +
            "<route src='a' dst='b'><link_ctn id='l'/></route>"),
       "the route from a to b is negative"},
      {cluster_of("radical='0-4999' speed='1Gf' bw='1' lat='0'"), "5000 hosts have ranks"},
      {cluster_of("radical='0-1' speed='1Gf' bw='1' lat='600s'"), "more than 1000 s"},
      // What SimGrid refuses, in its words.
      {zone(hosts) + zone(""), "SimGrid cannot read it: Refusing to create a second NetZone"},
      {zone("<host id='a' speed='1Gx'/>"), "line 2: unknown unit: Gx"},
      {zone("<host id='a'/>"), "line 2: Invalid XML"},
      {zone("<host speed='1Gf'/>"), "line 2: Invalid XML"},
      {zone("<host id='a' speed='1Gf' core='0'/>"), "at least one core"},
      {zone("<host id='a' speed='1Gf' pstate='1'/>"), "pstate 1"},
      {zone(hosts + hosts), "a second host named 'a'"},
      {zone(hosts + link + link), "Link 'l' declared several times"},
      {zone(hosts + "<route src='a' dst='c'/>"), "dst='c'"},
      {zone(hosts + "<route src='a' dst='b'><link_ctn id='m'/></route>"), "Link not found: m"},
      {zone("<link id='l' bandwidth='1' latency='0' sharing_policy='SPLITDUPLEX'/>" + hosts +
            "<route src='a' dst='b'><link_ctn id='l'/></route>"),
       "Link not found: l"},
      {cluster_of("radical='0-99999999' speed='1Gf' bw='1' lat='0'"), "SimGrid cannot read it: "},
      {cluster_of("radical='0' speed='1Gf' bw='1' lat='0' topology='TORUS'"), "SimGrid cannot read it: "},
  };
  for (const auto& [text, words] : wrong) {
    INFO(text);
    CHECK_THROWS_WITH(read(text), Catch::Contains(words) && Catch::StartsWith("x.xml") && Catch::Contains("; ") &&
                                      !Catch::Contains("\n"));
  }
  CHECK_THROWS_WITH(platform_from_simgrid("<platform version='4.1'>\n<zone", "x.xml"), Catch::Contains("line 2"));
  CHECK_THROWS_WITH(platform_from_simgrid("<platform version='3'/>", "x.xml"), Catch::Contains("version \"3\""));
  CHECK_THROWS_WITH(platform_from_simgrid("<svg/>", "x.xml"), Catch::Contains("<svg>"));
  CHECK_THROWS_WITH(platform_from_simgrid("", "x.xml"), Catch::StartsWith("x.xml"));
  CHECK_THROWS_WITH(read(cluster_of("radical='0' speed='1Gf' bw='1' lat='0'"), {"n"}),
                    Catch::Contains("no host \"n\""));
}

TEST_CASE("zones nested without end, and gateways that lead elsewhere, are refused") {
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += fmt::format("<zone id='z{}' routing='Full'>", i);
  for (int i = 0; i < 1000; ++i) deep += "</zone>";
  CHECK_THROWS_WITH(read(deep), Catch::Contains("; "));
  CHECK_THROWS_WITH(read("<zone id='z' routing='Full'>"
                         "<zone id='a' routing='None'><host id='a0' speed='1f'/></zone>"
                         "<zone id='b' routing='None'><host id='b0' speed='1f'/></zone>"
                         "<zoneRoute src='a' dst='b' gw_src='b0' gw_dst='b0'/></zone>"),
                    Catch::Contains("Cannot define a NetzoneRoute"));
}

TEST_CASE("host files list a host for each rank") {
  CHECK(parse_host_file("a\n\n  b:2 \r\nc", "h") == Names{"a", "b", "b", "c"});
  for (const char* text : {"", "\n", "a b", "a:", "a:0", "a:-1", "a:x", ":2", "a:99999999999", "a:9999999"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_host_file(text, "h"), Error);
  }
}
